/** `npm run dev`: restarts the server when a file that it has loaded changes; Next itself reloads the pages. */
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
// Ctrl-C reaches the child through the terminal; a `kill` reaches only this process.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => child.kill('SIGTERM'));
child.once('exit', (code) => {
  process.exitCode = code === null ? 1 : code;
});
