import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';

/** A Chrome that no server has claimed for so long is ended (F11); looked at this often. Seconds. */
const ABANDONED_S = 300;
const LOOK_EVERY_S = 15;

const OWNER_FILE = 'wheelhouse-owner.pid';

/**
 * While Chrome lives: counts how long its owner has been gone; a new server that claims it starts the count again.
 * Renderers that an owner had stopped when it was killed (AC6) go on at the first look without it.
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

/** Says that this process owns the Chrome of a profile; call again after finding it at a restart. */
export function claimChrome(userDataDir: string, ownerPid: number): void {
  writeFileSync(path.join(userDataDir, OWNER_FILE), String(ownerPid), { mode: 0o600 });
}

/** Gives the Chrome up: its reaper starts to count. */
export async function releaseChrome(userDataDir: string): Promise<void> {
  await rm(path.join(userDataDir, OWNER_FILE), { recursive: true, force: true });
}

/**
 * Leaves a small watcher beside a detached Chrome, so that one whose server never comes back does not live for ever
 * (F11). A shell, because it must outlive us and cost nothing; not on Windows, where there is none.
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
