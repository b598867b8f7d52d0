/**
 * Parses snapshot lines for display in colour. Parsing decides nothing else (SN2): a ref counts only when the
 * snapshot's own list of refs contains it, which the caller checks.
 */
export type TokenKind = 'dash' | 'role' | 'name' | 'ref' | 'state' | 'value' | 'url' | 'text';

export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
}

/** Notes that the server writes into a snapshot, without page text: keys of `cockpit.snapshot.notes`. */
export type SnapshotNote = 'offscreen' | 'inView' | 'empty' | 'nothingToUse';

const NOTES: ReadonlyMap<string, SnapshotNote> = new Map([
  ['# offscreen:', 'offscreen'],
  ['# in view:', 'inView'],
  ['(empty)', 'empty'],
  ['(no interactive elements)', 'nothingToUse'],
]);

export interface SnapshotLine {
  /** Level below the top; two spaces of indent each. */
  readonly depth: number;
  readonly tokens: readonly Token[];
  readonly role: string | undefined;
  readonly name: string | undefined;
  readonly ref: string | undefined;
  readonly raw: string;
  /** Set when the line is a note of the server; it is shown in the reader's language. */
  readonly note?: SnapshotNote | undefined;
}

const QUOTED = String.raw`"(?:[^"\\]|\\.)*"`;
const HEAD = new RegExp(String.raw`^(- )([^\s":\[]+)(?: (${QUOTED}))?`);
const MARK = new RegExp(String.raw`^ ?\[([\w-]+)(?:=(${QUOTED}|[^\]]*))?\]`);

/** Parses one line. A note of the server has no indent; a line in another form becomes plain text. */
export function readLine(raw: string): SnapshotLine {
  const body = raw.trimStart();
  const depth = Math.floor((raw.length - body.length) / 2);
  const note = NOTES.get(raw);
  if (note !== undefined || body.startsWith('# '))
    return {
      depth,
      tokens: [{ kind: 'state', text: body.replace(/^# /u, '') }],
      role: undefined,
      name: undefined,
      ref: undefined,
      raw,
      note,
    };
  const head = HEAD.exec(body);
  const role = head?.[2];
  if (!head || role === undefined)
    return { depth, tokens: [{ kind: 'text', text: body }], role: undefined, name: undefined, ref: undefined, raw };
  const name = head[3];
  const marks = readMarks(body.slice(head[0].length));
  const tokens: Token[] = [
    { kind: 'dash', text: '-' },
    { kind: 'role', text: role },
    ...(name === undefined ? [] : [{ kind: 'name' as const, text: name }]),
    ...marks.tokens,
  ];
  return { depth, tokens, role, name: name === undefined ? undefined : unquoted(name), ref: marks.ref, raw };
}

function readMarks(text: string): { tokens: Token[]; ref: string | undefined } {
  const tokens: Token[] = [];
  let ref: string | undefined;
  let rest = text;
  for (let mark = MARK.exec(rest); mark; mark = MARK.exec(rest)) {
    const [all, key = '', value] = mark;
    if (key === 'ref' && value !== undefined) ref = value;
    tokens.push(tokenOf(key, value));
    rest = rest.slice(all.length);
  }
  const tail = rest.replace(/^\s*:?\s*/, '');
  if (tail !== '') tokens.push({ kind: 'text', text: tail });
  return { tokens: refFirst(tokens), ref };
}

function tokenOf(key: string, value: string | undefined): Token {
  if (value === undefined) return { kind: 'state', text: key };
  if (key === 'ref') return { kind: 'ref', text: value };
  if (key === 'value') return { kind: 'value', text: value };
  return key === 'url' ? { kind: 'url', text: value } : { kind: 'state', text: `${key}=${value}` };
}

/** Puts the ref right after the name, where readers look for it. */
function refFirst(tokens: readonly Token[]): Token[] {
  return [...tokens.filter(({ kind }) => kind === 'ref'), ...tokens.filter(({ kind }) => kind !== 'ref')];
}

function unquoted(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'string' ? value : text;
  } catch (cause) {
    if (cause instanceof SyntaxError) return text;
    throw cause;
  }
}
