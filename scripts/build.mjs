/**
 * `npm run build`: the pages by Next into .next, the server, its workers and the programs of bin/ by esbuild into dist.
 * dist/build.json is written last; without it the next start builds again. `--quiet` shows Next's output only on
 * failure.
 */
import { build } from 'esbuild';
import { readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { clearStamp, sourceHash, writeStamp } from './setup/build-state.mjs';
import { filesUnder } from './setup/files.mjs';
import { ROOT } from './setup/root.mjs';
import { run } from './setup/run.mjs';
import { SetupError, runMain, say } from './setup/say.mjs';

const quiet = process.argv.includes('--quiet');

const isProgram = (file) => file.endsWith('.ts') && readFileSync(join(ROOT, file), 'utf8').startsWith('#!');

/**
 * The programs: the server, files of bin that begin with #!, and worker threads.
 * @returns {Record<string, string>} name in dist without .mjs -> source
 * @throws SetupError when two have the same name
 */
function entryPoints() {
  const programs = filesUnder(ROOT, 'bin').filter(isProgram);
  const workers = filesUnder(ROOT, 'server').filter((file) => file.endsWith('.worker.ts'));
  const entries = { server: 'server/main.ts' };
  for (const file of [...programs, ...workers]) {
    const name = basename(file, '.ts');
    if (name in entries) throw new SetupError(`Two programs would both become dist/${name}.mjs: rename ${file}.`);
    entries[name] = file;
  }
  return entries;
}

async function buildPages() {
  const env = { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' };
  const { code, output } = await run(process.execPath, ['node_modules/next/dist/bin/next', 'build'], {
    cwd: ROOT,
    env,
    quiet,
  });
  if (code !== 0)
    throw new SetupError(`${output}\n  The pages could not be built (next build ended with code ${code}).`);
}

async function buildPrograms() {
  const outdir = join(ROOT, 'dist');
  rmSync(outdir, { recursive: true, force: true });
  const options = {
    entryPoints: entryPoints(),
    outdir,
    outExtension: { '.js': '.mjs' },
    tsconfig: join(ROOT, 'tsconfig.json'),
    absWorkingDir: ROOT,
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    target: 'node20',
    sourcemap: true,
    logLevel: 'warning',
  };
  try {
    await build(options);
  } catch (cause) {
    throw new SetupError('The server could not be bundled, for the reason esbuild gives above.', { cause });
  }
}

async function main() {
  const hash = sourceHash(ROOT);
  clearStamp(ROOT);
  await buildPages();
  await buildPrograms();
  writeStamp(ROOT, hash);
  say('Built: .next and dist.');
}

await runMain(main);
