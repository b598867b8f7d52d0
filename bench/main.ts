import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { messageOf } from '@/lib/errors/error';
import { clickLines } from './click';
import { evaluateLines } from './evaluate';
import { hangLines } from './hang';
import { BenchFixture } from './bench-fixture';
import type { BenchLine } from './line';
import { coreShares, coreTimes } from '../scripts/runners/cores.mjs';
import { busyNow } from './machine';
import { manyViewersLines } from './many-viewers';
import { phoneLines } from './phone';
import { pictureLines } from './pictures';
import { footnotes, page, table } from './report';
import { snapshotLines } from './snapshot';
import { largeSnapshotLines } from './snapshot-large';
import { takeoverLines } from './takeover';
import { wallLines } from './wall';

/** `npm run bench [-- --only snapshot,click] [-- --write docs/BENCHMARKS.md]` */

/** Groups with a Chrome of their own. */
const ALONE = { pictures: pictureLines, phone: phoneLines } as const;

/** Groups that share one server, each with its time limit in milliseconds. */
const IN_HOUSE = {
  snapshot: { lines: snapshotLines, boxMs: 40_000 },
  large: { lines: largeSnapshotLines, boxMs: 30_000 },
  evaluate: { lines: evaluateLines, boxMs: 6_000 },
  click: { lines: clickLines, boxMs: 8_000 },
  hang: { lines: hangLines, boxMs: 32_000 },
  takeover: { lines: takeoverLines, boxMs: 45_000 },
  viewers: { lines: manyViewersLines, boxMs: 35_000 },
  wall: { lines: wallLines, boxMs: 25_000 },
} as const;
const NAMES = [...Object.keys(ALONE), ...Object.keys(IN_HOUSE)];

/** Milliseconds since the start of the process after which the run is over in any case. */
const END_MS = 410_000;
/** Time kept for the last round under way, and for closing. */
const RESERVE_MS = 12_000;

interface BenchOptions {
  readonly only: readonly string[];
  readonly write: string | undefined;
}

function readOptions(): BenchOptions {
  const { values } = parseArgs({ options: { only: { type: 'string', multiple: true }, write: { type: 'string' } } });
  const only = (values.only ?? []).flatMap((text) => text.split(','));
  const unknown = only.find((name) => !NAMES.includes(name));
  if (unknown !== undefined) throw new Error(`There is no group "${unknown}"; there are ${NAMES.join(', ')}.`);
  if (only.length > 0 && values.write !== undefined)
    throw new Error('A page that is kept shows the whole run: use --write without --only.');
  return { only: only.length > 0 ? only : NAMES, write: values.write };
}

/** Puts everything temporary below one directory that is removed however the process ends. */
function ownTempDir(): void {
  const directory = mkdtempSync(join(tmpdir(), 'wheelhouse-bench-'));
  process.env['TMPDIR'] = directory;
  process.on('exit', () => rmSync(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130));
}

class Run {
  readonly lines: BenchLine[] = [];
  product = '';

  constructor(private readonly only: readonly string[]) {}

  async all(): Promise<void> {
    for (const [name, lines] of Object.entries(ALONE)) if (this.only.includes(name)) await this.#group(name, lines);
    const wanted = Object.entries(IN_HOUSE).filter(([name]) => this.only.includes(name));
    if (wanted.length === 0) return;
    const fixture = await BenchFixture.open();
    this.product = fixture.product;
    try {
      for (const [index, [name, { lines, boxMs }]] of wanted.entries()) {
        const budgetMs = wanted.slice(index).reduce((sum, [, group]) => sum + group.boxMs, 0);
        // On a busy machine everything takes longer, and later groups get fewer rounds.
        const share = Math.min(1, (END_MS - RESERVE_MS - performance.now()) / budgetMs);
        await this.#group(name, () => lines(fixture, performance.now() + boxMs * share));
        await fixture.sweep();
      }
    } finally {
      await fixture.close();
    }
  }

  /** A group that fails loses only its own lines; the run then counts as failed. */
  async #group(name: string, measure: () => Promise<BenchLine[]>): Promise<void> {
    const startedAt = performance.now();
    try {
      this.lines.push(...(await measure()));
      process.stderr.write(`${name}: ${((performance.now() - startedAt) / 1_000).toFixed(0)} s\n`);
    } catch (error) {
      process.exitCode = 1;
      process.stderr.write(`${name} FAILED: ${messageOf(error)}\n`);
    }
  }
}

async function main(): Promise<void> {
  const { only, write } = readOptions();
  ownTempDir();
  const run = new Run(only);
  const before = await busyNow();
  const cores = coreTimes();
  setTimeout(() => {
    process.stdout.write(
      `\n${table(run.lines)}\n\nThe run was stopped after ${END_MS / 1_000} s; lines are missing.\n`,
    );
    process.exit(1);
  }, END_MS - performance.now()).unref();
  await run.all();
  const { taken } = coreShares(cores, coreTimes());
  const otherWork = { before, after: await busyNow(), taken };
  process.stdout.write(`\n${table(run.lines)}\n\n${footnotes({ product: run.product, otherWork })}\n`);
  if (write === undefined) return;
  if (process.exitCode === 1) throw new Error(`A group failed, so ${write} was left as it is.`);
  writeFileSync(write, page({ lines: run.lines, product: run.product, otherWork, date: new Date() }));
  process.stdout.write(`Written to ${write}.\n`);
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 1;
}
