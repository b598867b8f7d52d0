/** Checks that docs/SPEC.md and the titles of the tests name the same rules. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const TEST = /\.(test|spec)\.(tsx?|mjs)$/;
const CAMPAIGN = /^e2e\/proof\//;
const ID = /^(?:AC|AU|BR|BU|CO|DI|DM|DO|EV|FR|GU|OP|PS|SE|SN|ST|TL|[FIRT])\d+$/;

/** @param {string} cell such as `AC1`, `AC1 AC2` or `BU1-BU5` @returns {string[]} the ids in it */
function idsOf(cell) {
  return cell.split(/[\s,]+/).flatMap((part) => {
    const range = /^([A-Z]+)(\d+)-\1(\d+)$/.exec(part);
    if (!range) return ID.test(part) ? [part] : [];
    const [, letters, first, last] = range;
    return Array.from({ length: last - first + 1 }, (_, index) => `${letters}${Number(first) + index}`);
  });
}

/** @returns {{ known: Set<string>, held: Set<string> }} all ids of SPEC.md, and those of rules that are held */
function specRules(text) {
  const known = new Set();
  const held = new Set();
  for (const line of text.split('\n').filter((row) => row.startsWith('| '))) {
    const [, first, second] = line.split('|').map((cell) => cell.trim());
    for (const id of idsOf(first)) {
      known.add(id);
      if (second === '●') held.add(id);
    }
  }
  return { known, held };
}

/** The ids in the tags at the beginning of titles, such as `'[BR5][F1] …'`; in a campaign also its own id. */
function quotedIn(file, text) {
  const tags = [...text.matchAll(/['"`]((?:\[[^\]\n]+\] ?)+)/g)].flatMap(([, all]) => [
    ...all.matchAll(/\[([^\]]+)\]/g),
  ]);
  const own = CAMPAIGN.test(file) ? [...text.matchAll(/\bid: '([A-Z]+\d+)'/g)] : [];
  return [...tags, ...own].flatMap(([, tag]) => idsOf(tag));
}

/**
 * @param {string} root the project's folder
 * @param {string[]} files paths from the root
 * @returns {string[]} held rules without a test, and tests that quote an id that SPEC.md lacks
 */
export function ruleProblems(root, files) {
  const spec = join(root, 'docs', 'SPEC.md');
  if (!existsSync(spec)) return [];
  const { known, held } = specRules(readFileSync(spec, 'utf8'));
  const quoted = new Map();
  for (const file of files.filter((one) => TEST.test(one) || CAMPAIGN.test(one)))
    for (const id of quotedIn(file, readFileSync(join(root, file), 'utf8'))) quoted.set(id, file);
  return [
    ...[...held].filter((id) => !quoted.has(id)).map((id) => `docs/SPEC.md: ${id} is held, but no test quotes it`),
    ...[...quoted]
      .filter(([id]) => !known.has(id))
      .map(([id, file]) => `${file}: quotes ${id}, which docs/SPEC.md lacks`),
  ];
}
