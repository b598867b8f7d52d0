import { ACTION_KINDS, kindOf } from './kinds';
import * as list from './kinds/list';
import { isRecord, withNode, type Fields, type Rewrite } from './rewrites';

/** The rewrite for payloads of each `kind`, past and present. */
const REWRITES: ReadonlyMap<string, Rewrite> = new Map(
  ACTION_KINDS.flatMap((kind) => Object.entries(kindOf({ kind }).older ?? {})),
);

/**
 * Converts payloads of older servers and agents to today's fields before they are validated (AC9). Fields that are
 * already in today's form win. Returns anything it does not recognise unchanged; the schema then checks it.
 */
export function fromOlder(input: unknown): unknown {
  if (!isRecord(input)) return input;
  const named = withNames(input);
  const { kind } = named;
  if (typeof kind !== 'string') return input;
  return withNode(withRef(REWRITES.get(kind)?.(named, fromOlder) ?? named));
}

/** Other names of the fields that every kind has. */
const NAMES: Readonly<Record<string, string>> = { action: 'kind', targetId: 'tab', tab_id: 'tab', goal: 'note' };

function withNames(input: Fields): Fields {
  const older = Object.entries(NAMES).filter(
    ([from, to]) => typeof input[from] === 'string' && input[to] === undefined,
  );
  if (older.length === 0) return input;
  const taken = new Set(older.map(([from]) => from));
  return {
    ...Object.fromEntries(older.map(([from, to]) => [to, input[from]])),
    ...Object.fromEntries(Object.entries(input).filter(([name]) => !taken.has(name))),
  };
}

/** Kinds with a field `index` of their own. In all others it is the number of an element in the snapshot. */
const WITH_INDEX: ReadonlySet<unknown> = new Set(
  Object.entries(list).flatMap(([kind, one]) => ('schema' in one && 'index' in one.schema.shape ? [kind] : [])),
);

function withRef(fields: Fields): Fields {
  if (WITH_INDEX.has(fields['kind']) || fields['index'] === undefined || fields['ref'] !== undefined) return fields;
  const { index, ...rest } = fields;
  return { ref: index, ...rest };
}
