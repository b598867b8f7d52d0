/**
 * Words that the code has left for another (docs/ARCHITECTURE.md, Glossary), so that they do not come back in names.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';

/** A part of a name (`wish` in `LeaseWish` and `#wishOf`) and the word to use. */
const RETIRED = {
  brake: 'interrupt',
  braking: 'interrupting',
  foresight: 'popup prefetch',
  keepsake: 'value snapshot',
  kit: 'injected script',
  lids: 'covers',
  neighbours: 'renderer group',
  seat: 'session tab',
  seating: 'session tab factory',
  stint: 'takeover',
  stints: 'takeovers',
  tidings: 'reply attachments',
  veil: 'private hold',
  veils: 'private holds',
  vigil: 'probe',
  wheel: 'lease',
  wish: 'request, options or query',
  wishes: 'requests, options or queries',
  witness: 'event target',
};

/** Two parts in a row, each of them a fair word alone. */
const RETIRED_PAIRS = {
  'receipt box': 'receipt outbox',
  'stand in': 'label proxy',
  'stand ins': 'label proxies',
  'tab book': 'tab registry',
  'vital signs': 'Chrome watchdog',
};

/** Where a mouse has a wheel, and where the codes of stored messages and of traces are, which are fixed. */
const WHEEL_ALLOWED =
  /(scroll|pointer|outbox|input-recorder)[\w-]*(\.test)?\.tsx?$|^(lib|components)\/messages\/|\/traces\.ts$/;
/** Names of libraries. */
const FOREIGN = new Set(['ShipWheel', 'WheelEvent']);

const WORD = /[a-z]\w+/gi;
const PART = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g;

/** @returns {string | undefined} the word to use instead of one in this name */
function insteadOf(name, file) {
  if (FOREIGN.has(name)) return undefined;
  const parts = (name.match(PART) ?? []).map((part) => part.toLowerCase());
  const part = parts.find((one) => Object.hasOwn(RETIRED, one) && (one !== 'wheel' || !WHEEL_ALLOWED.test(file)));
  if (part) return `\`${part}\` is said as "${RETIRED[part]}"`;
  const pair = parts.map((one, at) => `${one} ${parts[at + 1] ?? ''}`).find((two) => Object.hasOwn(RETIRED_PAIRS, two));
  return pair && `\`${pair}\` is said as "${RETIRED_PAIRS[pair]}"`;
}

/** @returns {Set<string>} the names in a file's code, without its comments and strings */
function namesIn(file, text) {
  const names = new Set();
  const visit = (node) => {
    if (node.type?.endsWith('Identifier')) names.add(node.name);
    for (const part of Object.values(node)) if (part !== null && typeof part === 'object') visit(part);
  };
  visit(parseSync(file, text).program);
  return names;
}

/** @returns {string[]} one line for each file and name that has a retired word */
export function retiredWordProblems(root, file) {
  if (!/\.tsx?$/.test(file)) return [];
  const text = readFileSync(join(root, file), 'utf8');
  const words = new Set(text.replaceAll(/wheelhouse/gi, '').match(WORD));
  if (![...words].some((word) => insteadOf(word, file))) return [];
  return [...namesIn(file, text)].flatMap((name) => {
    const instead = insteadOf(name, file);
    return instead ? [`${file}: ${name}: ${instead} in this house (docs/ARCHITECTURE.md, Glossary)`] : [];
  });
}
