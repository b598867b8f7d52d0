import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { LOOKS, nameOf } from '../support/look';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Their name for `--only`. */
export const STORIES = 'STORIES';

/**
 * Plays every story in every size, theme and language; `npm test` plays each in one. No combination begins after
 * `until`, monotonic milliseconds. True: they passed.
 */
export async function playStories(until: number, say: (line: string) => void): Promise<boolean> {
  const played: string[] = [];
  const failed: string[] = [];
  for (const look of LOOKS.map(nameOf)) {
    if (performance.now() >= until) break;
    played.push(look);
    if (!(await playIn(look))) failed.push(look);
  }
  say(`${STORIES} played in ${played.length} of ${LOOKS.length} combinations; failed: ${failed.join(', ') || 'none'}`);
  return failed.length === 0;
}

function playIn(look: string): Promise<boolean> {
  const env = { ...process.env, WHEELHOUSE_LOOK: look };
  return new Promise((resolve) => {
    spawn(process.execPath, ['scripts/test.mjs', '.spec.ts'], { cwd: ROOT, env, stdio: 'inherit' }).once(
      'close',
      (code) => resolve(code === 0),
    );
  });
}
