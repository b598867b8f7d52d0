/** A control of the page, read from the snapshot of the HTTP API. */

export interface Control {
  readonly ref: string;
  readonly role: string;
  readonly name: string;
  /** The typed or chosen value; empty when the snapshot shows none. */
  readonly value: string;
  readonly checked: boolean;
  readonly invalid: boolean;
}

export interface DemoPage {
  readonly origin: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly controls: readonly Control[];
}

export interface SnapshotAnswer {
  readonly text: string;
  readonly refs: readonly { readonly ref: string; readonly role: string; readonly name: string }[];
  readonly url: string;
}

const HEAD = /^\s*- \S+(?: "(?:[^"\\]|\\.)*")?/;
const VALUE = /\[value=("(?:[^"\\]|\\.)*")/;

/**
 * Joins the list of refs with the states and values of their lines: `- textbox "Email" [required] [ref=e7]
 * [value="lin@example.org"]`.
 */
export function readPage(snapshot: SnapshotAnswer): DemoPage {
  const tails = new Map(snapshot.text.split('\n').flatMap(tailOf));
  const { origin, pathname, searchParams } = parseUrl(snapshot.url);
  const controls = snapshot.refs.map(({ ref, role, name }) => ({ ref, role, name, ...stateIn(tails.get(ref) ?? '') }));
  return { origin, path: pathname, query: searchParams, controls };
}

/** The first control with this name; when `loose`, with a name that contains it. */
export function findControl(
  page: DemoPage,
  roles: readonly string[],
  name: string,
  loose = false,
): Control | undefined {
  return page.controls.find(
    (control) =>
      roles.includes(control.role.toLowerCase()) && (loose ? control.name.includes(name) : control.name === name),
  );
}

function parseUrl(url: string): URL {
  return URL.canParse(url) ? new URL(url) : new URL('about:blank');
}

/** The part of a line after role and name, by ref. The name is cut off, because a page may write anything into it. */
function tailOf(line: string): readonly [string, string][] {
  const head = HEAD.exec(line)?.[0];
  if (head === undefined) return [];
  const tail = line.slice(head.length);
  const ref = /\[ref=(\w+)\]/.exec(tail)?.[1];
  return ref === undefined ? [] : [[ref, tail]];
}

function stateIn(tail: string): Pick<Control, 'value' | 'checked' | 'invalid'> {
  const value = VALUE.exec(tail)?.[1];
  const states = tail.replace(VALUE, '');
  return {
    value: value === undefined ? '' : unquote(value),
    checked: isSet(states, 'checked'),
    invalid: isSet(states, 'invalid'),
  };
}

function isSet(states: string, name: string): boolean {
  return new RegExp(String.raw`\b${name}\b(?!=(?:false|mixed))`).test(states);
}

function unquote(quoted: string): string {
  try {
    return String(JSON.parse(quoted));
  } catch (cause) {
    if (cause instanceof SyntaxError) return quoted.slice(1, -1);
    throw cause;
  }
}
