import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { RealSite } from './pages';

const PROGRAM = fileURLToPath(new URL('./node_modules/node-red/red.js', import.meta.url));
const SETTINGS =
  "module.exports = { uiHost: '127.0.0.1', telemetry: { enabled: false }, externalModules: { palette: { allowInstall: false } }, editorTheme: { tours: false, palette: { editable: false } } };";

/** Starts Node-RED, an editor for drawing programs, by its own command, with an empty folder of its own. */
export async function startNodeRed(): Promise<RealSite> {
  const folder = mkdtempSync(path.join(tmpdir(), 'wheelhouse-node-red-'));
  writeFileSync(path.join(folder, 'settings.cjs'), SETTINGS);
  const child = spawn(
    process.execPath,
    [PROGRAM, '--userDir', folder, '--settings', path.join(folder, 'settings.cjs'), '--port', '0'],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const lines = createInterface({ input: child.stdout });
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`Node-RED ended with ${String(code)} before it was ready.`)));
    lines.on('line', (line) => {
      const found = /Server now running at (\S+?)\/?$/.exec(line)?.[1];
      if (found !== undefined) resolve(found);
    });
  });
  return {
    url,
    close: async () => {
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await gone;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
