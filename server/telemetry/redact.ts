import { maskAddresses } from '@/lib/text/mask';

/**
 * The fields that may be logged (T14, R8). TypeScript refuses any other field, and at run time only its name is kept.
 * Before adding a name, ask whether its value can ever hold a secret or page content.
 */
export const LOG_FIELDS = [
  // who and where
  'requestId',
  'workspace',
  'session',
  'tab',
  'target',
  'browser',
  'context',
  'participant',
  'actor',
  'viewer',
  'stream',
  'socket',
  'login',
  'key',
  'lane',
  // what
  'action',
  'kind',
  'event',
  'method',
  'route',
  'status',
  'door',
  'state',
  'from',
  'to',
  'code',
  'outcome',
  'reason',
  'url',
  'address',
  'host',
  'origin',
  'version',
  'product',
  'path',
  'file',
  'variable',
  'grant',
  'signal',
  'exitCode',
  'output',
  'migration',
  'what',
  // how much
  'ms',
  'count',
  'bytes',
  'epoch',
  'seq',
  'revision',
  'pid',
  'port',
  'attempt',
  'limit',
  'since',
  'until',
  'error',
] as const;

export type LogFields = { readonly [Field in (typeof LOG_FIELDS)[number]]?: unknown };

const ALLOWED: ReadonlySet<string> = new Set(LOG_FIELDS);
const SECRET_NAME = /cookie|authori[sz]ation|token|secret|passw|credential|api.?key|ticket/i;
const HIDDEN = '[hidden]';
const MAX_TEXT = 2_000;
const MAX_ITEMS = 20;
const MAX_DEPTH = 3;

/** The spellings in which our own credentials could slip into a text; what addresses carry is for `maskAddresses`. */
const SCRUBS: readonly (readonly [RegExp, string])[] = [
  [/\bBearer\s+[^\s"',;]+/gi, `Bearer ${HIDDEN}`],
  [/\bwh_[A-Za-z0-9_-]{20,}/g, HIDDEN],
  [/\b((?:__Host-wh|wh_\d+)=)[^\s;"',]+/g, `$1${HIDDEN}`],
];

/** Keeps the allowed fields, bounded and scrubbed; names of others are kept under `dropped`, never their values. */
export function cleanFields(fields: LogFields): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  const dropped: string[] = [];
  for (const [name, value] of Object.entries(fields)) {
    if (ALLOWED.has(name)) kept[name] = clean(value, 0);
    else dropped.push(name.slice(0, 40));
  }
  return dropped.length > 0 ? { ...kept, dropped } : kept;
}

/** Takes credentials out of a text and bounds it to 2 000 characters. */
function scrub(text: string): string {
  let safe = text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…(+${text.length - MAX_TEXT})` : text;
  for (const [pattern, replacement] of SCRUBS) safe = safe.replace(pattern, replacement);
  return maskAddresses(safe);
}

function clean(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return scrub(value);
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'function' || typeof value === 'symbol') return `[${typeof value}]`;
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH) return '[deep]';
  if (value instanceof Error) return cleanError(value, depth);
  if (value instanceof URL || value instanceof Date) return scrub(String(value));
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `[${value.byteLength} bytes]`;
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map((item) => clean(item, depth + 1));
  if (hasJson(value)) return clean(value.toJSON(), depth + 1);
  return cleanObject(value, depth);
}

function hasJson(value: object): value is { toJSON: () => unknown } {
  return 'toJSON' in value && typeof value.toJSON === 'function';
}

function cleanObject(value: object, depth: number): Record<string, unknown> {
  const entries = Object.entries(value).slice(0, MAX_ITEMS);
  return Object.fromEntries(
    entries.map(([name, item]) => [name.slice(0, 80), SECRET_NAME.test(name) ? HIDDEN : clean(item, depth + 1)]),
  );
}

function cleanError(error: Error, depth: number): Record<string, unknown> {
  const code = 'code' in error ? { code: clean(error.code, depth + 1) } : {};
  const cause = error.cause === undefined ? {} : { cause: clean(error.cause, depth + 1) };
  return { name: error.name, message: scrub(error.message), ...code, stack: scrub(error.stack ?? ''), ...cause };
}
