/** Lists the imports of a TypeScript file, read from its syntax tree. */
import { readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { parseSync } from 'oxc-parser';

/**
 * @param {string} from path of the importing file from the root
 * @param {string} specifier as written
 * @returns {string} a path from the root without extension for our own files, else the specifier
 */
function target(from, specifier) {
  if (specifier.startsWith('@/')) return specifier.slice(2);
  return specifier.startsWith('.') ? posix.join(dirname(from), specifier) : specifier;
}

function lineAt(source, offset) {
  return source.slice(0, offset).split('\n').length;
}

/**
 * @returns {{to: string, own: boolean, typeOnly: boolean, line: number}[]} own: a file of ours, not a package
 */
export function importsOf(root, file) {
  const source = readFileSync(join(root, file), 'utf8');
  const { module: record, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`);
  const found = [];
  const add = (specifier, offset, typeOnly) => {
    const own = specifier.startsWith('.') || specifier.startsWith('@/');
    found.push({ to: target(file, specifier), own, typeOnly, line: lineAt(source, offset) });
  };
  for (const { moduleRequest, entries } of record.staticImports) {
    add(moduleRequest.value, moduleRequest.start, entries.length > 0 && entries.every((entry) => entry.isType));
  }
  for (const { entries } of record.staticExports) {
    for (const { moduleRequest, isType } of entries)
      if (moduleRequest) add(moduleRequest.value, moduleRequest.start, isType);
  }
  for (const { moduleRequest } of record.dynamicImports) {
    const literal = /^['"`]([^'"`$]+)['"`]$/.exec(source.slice(moduleRequest.start, moduleRequest.end));
    if (literal) add(literal[1], moduleRequest.start, false);
  }
  return found;
}
