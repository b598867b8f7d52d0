#!/usr/bin/env node
/**
 * `npm run verify -- <file.jsonl> [--key …]`: is this export of a timeline or of a workspace's log whole, in order,
 * unaltered, and signed?
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { readKey } from './verify/proof.mjs';
import { verifyLines } from './verify/walk.mjs';

const USAGE = `wheelhouse-verify <file.jsonl …> [--key KEY]    exports of timelines and of the logs of workspaces
wheelhouse-verify --data DIR [--key KEY]        every timeline and log of a stopped server

KEY is a file or the text of the server's public key (GET /api/v1/timeline/key, or timeline-signing.pub in its
data directory), or the key's fingerprint. Without it the file is only shown to be whole for the key that it names.
Ends with 0 when all is well, 1 when something is wrong, 2 when it could not be read.`;

function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { key: { type: 'string' }, data: { type: 'string' }, help: { type: 'boolean' } },
  });
  if (values.help || (positionals.length === 0 && values.data === undefined)) return say(USAGE, values.help ? 0 : 2);
  const wanted = values.key === undefined ? undefined : readKey(textOf(values.key));
  if (values.key !== undefined && wanted === undefined)
    return say('--key is no Ed25519 public key and no fingerprint of one.', 2);
  return values.data === undefined ? files(positionals, wanted) : data(values.data, wanted);
}

function files(paths, wanted) {
  for (const path of paths)
    report(
      path,
      readFileSync(path, 'utf8')
        .split('\n')
        .filter((line) => line.trim() !== ''),
      wanted,
    );
}

/** Loads the database driver only here, so that files can be verified without installing anything. */
async function data(dataDir, wanted) {
  const { chainsOf } = await import('./verify/database.mjs');
  for (const { name, lines } of chainsOf(dataDir)) report(name, lines, wanted);
}

function report(name, lines, wanted) {
  const verdict = verifyLines(lines, wanted);
  if (!verdict.ok) return say(`${name}: WRONG at row ${verdict.row}: ${verdict.how}. ${verdict.problem}`, 1);
  const whose =
    wanted === undefined ? `by the key ${verdict.fingerprint} (compare it, or give --key)` : 'by the given key';
  return say(
    `${name}: ok. ${verdict.rows} rows, none altered, missing or moved, ${verdict.pictures} pictures named; signed ${verdict.end.at} ${whose}`,
    0,
  );
}

const textOf = (key) => {
  try {
    return readFileSync(key, 'utf8');
  } catch {
    return key;
  }
};

function say(text, code) {
  process.stdout.write(`${text}\n`);
  process.exitCode = Math.max(process.exitCode ?? 0, code);
}

try {
  await main();
} catch (error) {
  say(String(error.message), 2);
}
