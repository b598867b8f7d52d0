import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { sizedTests } from '../../scripts/runners/kinds.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Its name for `--only`. */
export const SIZES = 'SIZES';

/** Runs the tests that `npm test` has in small, with their whole sizes and all variants. True: they passed. */
export function playSizes(): Promise<boolean> {
  const env = { ...process.env, WHEELHOUSE_PROOF: '1' };
  const args = ['node_modules/vitest/vitest.mjs', 'run', ...sizedTests(ROOT)];
  return new Promise((resolve) => {
    spawn(process.execPath, args, { cwd: ROOT, env, stdio: 'inherit' }).once('close', (code) => resolve(code === 0));
  });
}
