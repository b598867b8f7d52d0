/**
 * The import arrows of docs/ARCHITECTURE.md as data: which layers a layer may import, and which layers own a package.
 */

const BESIDE = ['lib', 'server/config', 'server/telemetry'];
const STATE = [...BESIDE, 'server/webhook', 'server/mail', 'server/store', 'server/access'];
const ENGINE = ['server/cdp', 'server/browser', 'server/actions', 'server/fleet'];
const HOUSE = ['server/session', 'server/features'];

/**
 * Layer -> the layers that it may import besides itself. A folder of server that is missing here is refused: add it
 * with a reason.
 */
export const LAYERS = {
  lib: [],
  components: ['lib'],
  app: ['lib', 'components'],
  bin: ['lib'],
  'server/config': ['lib'],
  'server/telemetry': ['lib', 'server/config'],
  'server/webhook': BESIDE,
  'server/mail': BESIDE,
  'server/store': BESIDE,
  'server/access': [...BESIDE, 'server/mail', 'server/store'],
  'server/cdp': BESIDE,
  'server/browser': [...BESIDE, 'server/cdp'],
  'server/actions': [...BESIDE, 'server/cdp', 'server/browser'],
  // Not a folder of server/browser: it stores what it launches and gives each session its way through the proxy.
  'server/fleet': [...STATE, 'server/cdp', 'server/browser'],
  'server/session': [...STATE, ...ENGINE],
  'server/features': [...STATE, ...ENGINE, 'server/session'],
  'server/demo': BESIDE,
  'server/doors': [...STATE, ...ENGINE, ...HOUSE, 'server/demo'],
  'server/main': [...STATE, ...ENGINE, ...HOUSE, 'server/demo', 'server/doors'],
};

/**
 * Layers whose folders do not import one another; only the layer's own files import them. The text says how the folders
 * meet instead.
 */
export const APART = { 'server/features': 'features meet by hooks, events and slots of the session' };

/** Package -> the only layers that may import it. */
export const OWNERS = {
  'puppeteer-core': ['server/browser'],
  'chrome-launcher': ['server/browser'],
  'better-sqlite3': ['server/store'],
  kysely: ['server/store'],
  ws: ['server/cdp', 'server/doors'],
  hono: ['server/doors'],
  '@hono/node-server': ['server/doors', 'server/main'],
  'socket.io': ['server/doors', 'server/main'],
  'socket.io-client': ['components', 'bin'],
  next: ['app', 'components', 'server/main', 'server/doors'],
  react: ['app', 'components'],
  'react-dom': ['app', 'components'],
  pino: ['server/telemetry', 'server/main'],
  'prom-client': ['server/telemetry'],
  'ipaddr.js': ['server/access'],
  jose: ['server/access'],
  nodemailer: ['server/mail'],
  'rate-limiter-flexible': ['server/access'],
  'better-auth': ['server/access'],
  '@better-auth/kysely-adapter': ['server/access'],
  '@better-auth/passkey': ['server/access'],
  'better-call': ['server/access'],
};

/** Layers that run in a browser, or must be able to. */
export const NO_NODE = ['lib', 'components', 'app'];
/** Layer -> the only packages it may import. */
export const PACKAGES = { lib: ['zod'] };

/**
 * @param {string} path from the project's root, with or without extension, e.g. `server/cdp/lanes`
 * @returns {string} e.g. `server/cdp`; the files of server itself are the composition root, `server/main`
 */
export function layerOf(path) {
  const [first, second, third] = path.split('/');
  if (first !== 'server') return first;
  return third === undefined ? 'server/main' : `server/${second}`;
}

/** Tests and their helpers. Those of the server may reach any of its layers. */
export const isTest = (path) => /\.test\.tsx?$|(^|\/)testing\//.test(path);
