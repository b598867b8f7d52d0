/**
 * The Node versions that Wheelhouse runs on. This file and those beside it must parse on Node 16, so that an old Node
 * prints a sentence and not a syntax error.
 */
const LOWEST = { 20: 19, 22: 12 };

function isSupported(major, minor) {
  if (major > 22) return true;
  return major in LOWEST && minor >= LOWEST[major];
}

/**
 * @param {string} version as in `process.versions.node`, e.g. `20.19.0`
 * @returns {string | undefined} one sentence with the cure; undefined for a supported version
 */
export function nodeVersionProblem(version) {
  const [major, minor] = version.split('.').map(Number);
  if (isSupported(major, minor)) return undefined;
  return (
    `Wheelhouse needs Node 20.19 or newer (22.12 or newer, and 24, are fine too) and this is Node ${version}: ` +
    'install Node 24 from https://nodejs.org, or with `nvm install 24`, and run the command again.'
  );
}
