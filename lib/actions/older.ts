/**
 * Payloads of older servers and agents, brought to the shape of today before they are validated (AC9; actions.md, "How the older vocabularies
 * map"). Pure: what is not known here is left for the schema to judge.
 */
export function fromOlder(input: unknown): unknown {
  if (!isRecord(input) || typeof input['kind'] !== 'string') return input;
  const rewrite = Object.hasOwn(REWRITES, input['kind']) ? REWRITES[input['kind']] : undefined;
  return rewrite === undefined ? input : rewrite(input);
}

type Fields = Readonly<Record<string, unknown>>;

const REWRITES: Readonly<Record<string, (fields: Fields) => Fields>> = {
  drag: ({ startRef, endRef, ...rest }) => ({ ...(startRef === undefined ? {} : { from: { ref: startRef } }), ...(endRef === undefined ? {} : { to: { ref: endRef } }), ...rest }),
};

function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
