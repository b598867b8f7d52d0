/** Building blocks for rewrites of older payloads (AC9). */

export type Fields = Readonly<Record<string, unknown>>;

/** Converts the fields of an older payload to today's. `again` converts nested payloads. */
export type Rewrite = (fields: Fields, again: (input: unknown) => unknown) => Fields;

export function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Another name for a kind, with the fields that this name implies. */
export const as =
  (kind: string, implied: Fields = {}): Rewrite =>
  (fields) => ({ ...implied, ...fields, kind });

/** Fields under other names. Fields that are given under today's name win. */
export const renamed =
  (names: Readonly<Record<string, string>>, next: Rewrite): Rewrite =>
  (fields, again) => {
    const rest = Object.fromEntries(Object.entries(fields).filter(([name]) => !Object.hasOwn(names, name)));
    const moved = Object.entries(names).flatMap(([from, to]) =>
      fields[from] === undefined ? [] : [[to, fields[from]] as const],
    );
    return next({ ...Object.fromEntries(moved), ...rest }, again);
  };

/** Two coordinates as one point. */
export const point =
  (x: string, y: string, to: string) =>
  ({ [x]: left, [y]: top, ...rest }: Fields): Fields => ({ [to]: { x: left, y: top }, ...rest });

/** A list of actions, each rewritten. */
export const inside =
  (...names: readonly string[]): Rewrite =>
  (fields, again) => ({
    ...fields,
    ...Object.fromEntries(
      names.flatMap((name) => {
        const list = fields[name];
        return Array.isArray(list) ? [[name, list.map(again)] as const] : [];
      }),
    ),
  });

/** Converts `backendDOMNodeId`, CDP's number of a node, to the field `node`. */
export function withNode(fields: Fields): Fields {
  const { backendDOMNodeId, ...rest } = fields;
  return typeof backendDOMNodeId === 'number' && rest['node'] === undefined
    ? { node: { backendNodeId: backendDOMNodeId }, ...rest }
    : fields;
}
