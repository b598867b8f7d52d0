import { MASK } from '@/lib/text/mask';
import type { Redactor } from './redactor';

/** Fields whose texts are always ours: names of things, ids and times. */
const OURS: ReadonlySet<string> = new Set([
  'id',
  'ref',
  'tab',
  'session',
  'kind',
  'code',
  'role',
  'state',
  'at',
  'startedAt',
  'takenAt',
  'returnedAt',
  'askedAt',
  'openedAt',
  'createdAt',
  'since',
  'targetId',
  'opener',
  'sha256',
  'stream',
  'door',
  'word',
  'phase',
  'outcome',
  'retry',
  'type',
  'level',
  'format',
  'workspace',
  'browser',
  'base64',
  'now',
  'invalid',
  'isolation',
  'by',
  'agent',
  'actionId',
  // Instructions of an error and our own words that it lists. No hint quotes a page.
  'hint',
  'cure',
  'kinds',
  'usage',
  'engines',
  'rule',
  'grant',
  'setting',
  'variable',
  'engine',
  'via',
  'scope',
]);
/** Fields with addresses of pages. */
const ADDRESSES: ReadonlySet<string> = new Set(['url', 'href']);
/** Fields with sentences of ours, which may quote a page. */
const SENTENCES: ReadonlySet<string> = new Set([
  'message',
  'field',
  'text',
  'reason',
  'why',
  'whole',
  'how',
  'step',
  'what',
  'warnings',
  'cut',
  'missing',
  'problem',
  'log',
]);
/**
 * Kinds of actors, whose names are never masked: an agent could otherwise remove a name from the timeline by typing it
 * as a password.
 */
const ACTORS: ReadonlySet<string> = new Set(['human', 'agent', 'system']);
/**
 * Kinds of actions whose `value` is an object of ours with texts of a page in it. The value of all others is the page's
 * own.
 */
const OWN_VALUES: ReadonlySet<string> = new Set([
  'batch',
  'composite',
  'fill',
  'navigate',
  'history',
  'tab',
  'upload',
  'download',
  'screenshot',
  'pdf',
  'resize',
  'trace',
  'emulate',
  'snapshot',
]);

/**
 * Removes secrets from the page texts in a view; returns the same object when there are none. Plain data only.
 * @param sentences whether its messages and texts are our sentences; otherwise the page wrote them
 */
export function redactView<T extends object>(redactor: Redactor, value: T, sentences = true): T {
  if (redactor.empty) return value;
  const rule = inView(redactor, sentences);
  if (!rewrite(value, rule, false)) return value;
  const copy = structuredClone(value);
  rewrite(copy, rule, true);
  return copy;
}

/**
 * Redacts a value that a page gave, such as the result of a script: texts, names of fields, and numbers that are a
 * secret as a whole.
 */
export function redactValue(redactor: Redactor, value: unknown): unknown {
  if (redactor.empty) return value;
  if (typeof value === 'string') return redactor.text(value);
  if (typeof value === 'number') return redactor.text(String(value)) === MASK ? MASK : value;
  if (Array.isArray(value)) return value.map((one) => redactValue(redactor, one));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [redactor.text(key), redactValue(redactor, one)]),
  );
}

/** Gives the new value of one field, or undefined to descend into it. */
type Rule = (key: string, value: unknown, holder: object) => unknown;

function inView(redactor: Redactor, sentences: boolean): Rule {
  return (key, value, holder) => {
    if (key === 'value' && 'kind' in holder && 'ok' in holder && !OWN_VALUES.has(String(holder.kind)))
      return redactValue(redactor, value);
    if (key === 'cure') return value;
    if (typeof value !== 'string') return undefined;
    if (OURS.has(key) || (key === 'name' && 'kind' in holder && ACTORS.has(String(holder.kind)))) return value;
    if (ADDRESSES.has(key)) return redactor.address(value);
    return sentences && SENTENCES.has(key) && !isOfPage(holder) ? redactor.sentence(value) : redactor.text(value);
  };
}

/** Whether the page wrote the message of this object: a dialog, or an exception of a script. */
function isOfPage(holder: object): boolean {
  return ('openedAt' in holder && 'message' in holder) || ('code' in holder && holder.code === 'EVAL_THREW');
}

/**
 * Returns whether the rule changes anything in the object; with `put`, makes the changes. `name`: the field that a list
 * belongs to.
 */
function rewrite(holder: object, rule: Rule, put: boolean, name?: string): boolean {
  if (ArrayBuffer.isView(holder)) return false;
  let changed = false;
  const fields: [string, unknown][] = Object.entries(holder);
  for (const [key, value] of fields) {
    const next = rule(name ?? key, value, holder);
    if (next !== undefined && next !== value) {
      changed = true;
      if (put) Reflect.set(holder, key, next);
    }
    if (next === undefined && typeof value === 'object' && value !== null)
      changed = rewrite(value, rule, put, Array.isArray(value) ? (name ?? key) : undefined) || changed;
  }
  return changed;
}
