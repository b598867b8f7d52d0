import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';

/** How long a Chrome may be unclaimed before the reaper ends it (F11), and how often the reaper checks. Seconds. */
const ABANDONED_S = 300;
const LOOK_EVERY_S = 15;

const OWNER_FILE = 'wheelhouse-owner.pid';

/**
 * Runs while Chrome lives and counts the seconds since its owner ended; a claim by a new server resets the count.
 * Resumes renderers that the owner had stopped when it was killed (AC6) at the first check without an owner.
 */
const WATCH = `
gone=0
while kill -0 "$1" 2>/dev/null; do
  sleep "$3"
  owner=$(cat "$2" 2>/dev/null)
  if [ -n "$owner" ] && kill -0 "$owner" 2>/dev/null; then gone=0; else gone=$((gone + $3)); fi
  if [ "$gone" -gt 0 ]; then kill -CONT "-$1" 2>/dev/null; fi
  if [ "$gone" -ge "$4" ]; then kill -TERM "-$1" 2>/dev/null; sleep 5; kill -KILL "-$1" 2>/dev/null; exit; fi
done`;

/** Records this process as the owner of a profile's Chrome. Call it again after a restart has found the Chrome. */
export function claimChrome(userDataDir: string, ownerPid: number): void {
  writeFileSync(path.join(userDataDir, OWNER_FILE), String(ownerPid), { mode: 0o600 });
}

/** Removes the claim; the reaper starts to count. */
export async function releaseChrome(userDataDir: string): Promise<void> {
  await rm(path.join(userDataDir, OWNER_FILE), { recursive: true, force: true });
}

/**
 * Starts a small watcher process for a detached Chrome, which ends it when its server never comes back (F11). A shell
 * script, because it must outlive us and cost nothing; not on Windows, which has no such shell.
 */
export function startOrphanReaper(
  chromePid: number,
  userDataDir: string,
  seconds = { abandoned: ABANDONED_S, lookEvery: LOOK_EVERY_S },
): void {
  if (process.platform === 'win32') return;
  const args = [
    '-c',
    WATCH,
    'wheelhouse-keeper',
    String(chromePid),
    path.join(userDataDir, OWNER_FILE),
    String(seconds.lookEvery),
    String(seconds.abandoned),
  ];
  spawn('/bin/sh', args, {
    detached: true,
    stdio: 'ignore',
    env: { PATH: '/usr/bin:/bin', NODE_ENV: 'production' },
  }).unref();
}
