/** Names that callers and pages may give to files with bad intent or bad luck (T13). */

const CORES = ['etc/passwd', 'x', 'a.txt', '.bashrc', 'con', 'index.html', 'WHEELHOUSE.db', 'meta.json', '0'.repeat(300), '名前.txt', 'a b', ''];
const WRAPS: readonly ((core: string) => string)[] = [
  (core) => `../${core}`,
  (core) => `../../../../${core}`,
  (core) => `..\\..\\${core}`,
  (core) => `/${core}`,
  (core) => `C:\\${core}`,
  (core) => `\\\\host\\share\\${core}`,
  (core) => `./${core}`,
  (core) => `a/../../${core}`,
  (core) => `..%2f..%2f${core}`,
  (core) => `%2e%2e/${core}`,
  (core) => `${core}\u0000.png`,
  (core) => `\u202E${core}`,
  (core) => `${core}\r\nSet-Cookie: a=b`,
  (core) => `${core}:stream`,
  (core) => `..／..／${core}`,
  (core) => `~/${core}`,
  (core) => `-rf ${core}`,
  (core) => `${core}/.`,
];
const ODD = ['.', '..', '...', ' ', '\t', 'nul', 'NUL.txt', 'com1', 'aux.h', '|id', '$(id)', '`id`', '*', '?', '<script>', '"', 'a\u2028b', '\ud800', 'ﬁle', '.incoming'];

export const HOSTILE_NAMES: readonly string[] = [...new Set([...CORES.flatMap((core) => WRAPS.map((wrap) => wrap(core))), ...ODD])];
