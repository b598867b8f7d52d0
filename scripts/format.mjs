/** `npm run format`: formats every file, and wraps comments at 120 columns. `npm run check` calls it to look only. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { WIDTH, reflowed } from './format/comments.mjs';
import { filesUnder } from './setup/files.mjs';
import { ROOT } from './setup/root.mjs';
import { run } from './setup/run.mjs';
import { runMain, say } from './setup/say.mjs';

const FOLDERS = ['app', 'bench', 'bin', 'components', 'e2e', 'lib', 'scripts', 'server'];

/**
 * @returns {{ file: string, text: string }[]} the files whose comments are too wide, with their text as it should be
 */
function wideComments(root) {
  const files = FOLDERS.flatMap((folder) => filesUnder(root, folder)).filter((file) => /\.(?:tsx?|mjs)$/.test(file));
  return files.flatMap((file) => {
    const source = readFileSync(join(root, file), 'utf8');
    if (!source.split('\n').some((line) => line.length > WIDTH)) return [];
    const text = reflowed(file, source);
    return text === source ? [] : [{ file, text }];
  });
}

const oxfmt = (...args) =>
  run(process.execPath, ['node_modules/oxfmt/bin/oxfmt', ...args, '.'], { cwd: ROOT, quiet: true });

/** @returns {Promise<string | undefined>} the files that are not formatted, one a line */
export async function formatProblems() {
  const { code, output } = await oxfmt('--list-different');
  const files = [...output.trim().split('\n').filter(Boolean), ...wideComments(ROOT).map(({ file }) => file)];
  if (code === 0 && files.length === 0) return undefined;
  return `${[...new Set(files)].join('\n')}\nRun \`npm run format\` and commit what it changes.`;
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  await runMain(async () => {
    for (const { file, text } of wideComments(ROOT)) writeFileSync(join(ROOT, file), text);
    const { code, output } = await oxfmt();
    say(output.trim());
    if (code !== 0) process.exitCode = 1;
  });
}
