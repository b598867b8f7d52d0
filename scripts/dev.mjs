/** `npm run dev`: the server restarts when a file it has loaded changes; pages reload by Next's own means. */
import { spawn } from 'node:child_process';
import { endWithParent } from './setup/parent.mjs';
import { ROOT } from './setup/root.mjs';

const written = ['.next/**', '.data/**', 'dist/**'].flatMap((pattern) => ['--exclude', pattern]);
const args = [
  'node_modules/tsx/dist/cli.mjs',
  'watch',
  '--clear-screen=false',
  ...written,
  'server/main.ts',
  ...process.argv.slice(2),
];
const env = { ...process.env, NODE_ENV: 'development', NEXT_TELEMETRY_DISABLED: '1' };
const child = spawn(process.execPath, args, { cwd: ROOT, env, stdio: 'inherit' });

endWithParent();
// Ctrl-C reaches the child by the terminal; a `kill` reaches only us.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => child.kill('SIGTERM'));
child.once('exit', (code) => {
  process.exitCode = code === null ? 1 : code;
});
