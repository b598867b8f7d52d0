/** Checks that the one compiled module, better-sqlite3, exists and loads in this Node. */
import { join } from 'node:path';
import { aptInstall, mayInstall } from './apt.mjs';
import { keepLog, run, runNpm } from './run.mjs';
import { SetupError, say } from './say.mjs';

const TRY = "const Database = require('better-sqlite3'); new Database(':memory:').close();";
const TOOLS = ['make', 'g++', 'python3'];

/** Runs in a child, because a module built for another Node can end the process that loads it. */
async function loads(root) {
  const { code } = await run(process.execPath, ['-e', TRY], { cwd: root, quiet: true });
  return code === 0;
}

async function lacksTools(root) {
  for (const tool of TOOLS) {
    const { code } = await run(tool, ['--version'], { cwd: root, quiet: true });
    if (code !== 0) return true;
  }
  return false;
}

async function rebuild(root) {
  const { output } = await runNpm(['rebuild', 'better-sqlite3'], { cwd: root, quiet: true });
  return output;
}

/** @throws SetupError with the cure when the module cannot be made to load */
export async function ensureNative(root) {
  if (await loads(root)) return;
  say(
    `Preparing the database module for Node ${process.versions.node} (up to two minutes where it has to be compiled)…`,
  );
  let log = await rebuild(root);
  if (!(await loads(root)) && mayInstall() && (await lacksTools(root))) {
    log += (await aptInstall(TOOLS, 'The database module must be compiled')).output;
    log += await rebuild(root);
  }
  if (await loads(root)) return;
  const file = join('node_modules', '.cache', 'wheelhouse', 'better-sqlite3.log');
  keepLog(join(root, file), log);
  throw new SetupError(
    `The database module better-sqlite3 does not fit Node ${process.versions.node} and could not be rebuilt: install a C++ compiler, make and ` +
      `Python 3 (Debian or Ubuntu: apt-get install -y build-essential python3), then run \`npm rebuild better-sqlite3\`; npm's own words are in ${file}.`,
  );
}
