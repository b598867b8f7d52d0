import { cleanText } from '@/lib/text/clean';
import { targetOf, type TargetFields } from './shared';

/** Parts of the English lines about actions. All text of pages and agents in them is cleaned and cut (GU3). */

export interface ElementName {
  readonly role: string;
  readonly name: string;
}

/** The parts that a kind's sentence is built from. */
export interface Phrase {
  /** The element's name; if no element is known, the point or the selector, or ''. */
  readonly on: string;
  readonly element: ElementName | undefined;
  /** The typed text must not be shown (SN6). */
  readonly secret: boolean;
}

/** Characters of page or agent text that one timeline line may hold. */
const MOST = 120;

/** Removes invisible characters and line breaks from the text, and cuts it to `MOST` characters. */
export function clean(text: string): string {
  return cleanText(text, MOST);
}

export function quote(text: string): string {
  return `“${clean(text)}”`;
}

/** The first few, and how many more there are. */
export function list(values: readonly string[]): string {
  const shown = values.slice(0, 5).map(quote).join(', ');
  return values.length > 5 ? `${shown} and ${values.length - 5} more` : shown;
}

/** `1 field`, `3 fields`. */
export function count(things: readonly unknown[], word: string): string {
  return `${things.length} ${word}${things.length === 1 ? '' : 's'}`;
}

/** English verbs for the `do` of kinds that get, set and clear. */
export const GET_SET_CLEAR = { get: 'read', set: 'set', clear: 'clear' } as const;

/** The key names of a press; single characters are hidden where they may be part of a secret. */
export function keysShown(keys: readonly string[], secret: boolean): string {
  return keys.map((key) => (secret && [...key].length === 1 ? '•' : key)).join(', ');
}

export function describeTarget(fields: TargetFields): string {
  const target = targetOf(fields);
  switch (target?.by) {
    case 'ref':
      return target.ref;
    case 'role':
      return `${clean(target.role)} ${target.name === undefined ? '' : quote(target.name)}`.trim();
    case 'selector':
      return clean(target.selector);
    case 'point':
      return `at ${Math.round(target.at.x)}, ${Math.round(target.at.y)}`;
    case 'node':
      return `node ${target.node.backendNodeId}`;
    case undefined:
      return '';
  }
}
