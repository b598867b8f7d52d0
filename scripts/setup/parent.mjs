/**
 * npm runs a script as npm -> sh -> node and passes signals on to sh, which ends without telling node, so a `kill` of
 * `npm start` would leave the server running. This ends our process when its parent is gone.
 */
const LOOK_EVERY_MS = 250;

export function endWithParent() {
  if (process.platform === 'win32' || !process.env.npm_lifecycle_event) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, LOOK_EVERY_MS);
  timer.unref();
}
