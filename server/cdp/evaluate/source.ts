import { Script } from 'node:vm';
import { WheelhouseError, messageOf } from '@/lib/errors/error';
import { SERIALIZE_SOURCE } from './serialize';

/** Form of the result: JSON, or a text preview that leaves out the excess. `maxChars` limits both. */
export interface ResultForm {
  readonly preview: boolean;
  readonly maxChars: number;
  /** The script's name in Chrome; undefined for a script without a name. */
  readonly name?: string | undefined;
}

/**
 * Turns what a caller wrote (expression, function, or statement body: EV5) into one expression for Chrome.
 * The text is only parsed here, never run. Throws BAD_REQUEST with the syntax error when it is none of them.
 */
export function pageExpression(fn: string, args: readonly unknown[], form: ResultForm): string {
  return `(async () => { ${PACKER} ${guarded(`await ${callOf(fn, JSON.stringify(args).slice(1, -1))}`, form)} })()${named(form)}`;
}

/**
 * Like `pageExpression`, for Runtime.callFunctionOn in a page that holds the packer already: the packer is the
 * argument, `this` the page's global object.
 */
export function pageFunction(fn: string, args: readonly unknown[], form: ResultForm): string {
  return `async function (__pack) { ${guarded(`await ${callOf(fn, JSON.stringify(args).slice(1, -1))}`, form)} }${named(form)}`;
}

/** Like `pageExpression` with an element as the first argument, for Runtime.callFunctionOn: `this` is the element. */
export function elementFunction(fn: string, args: readonly unknown[], form: ResultForm): string {
  const rest = JSON.stringify(args).slice(1, -1);
  return `async function () { if (this.isConnected === false) return '{"t":"gone"}'; ${PACKER} ${guarded(`await ${callOf(fn, rest === '' ? 'this' : `this, ${rest}`)}`, form)} }${named(form)}`;
}

/**
 * A function that evaluates the caller's condition until it is true, and stops after `withinMs`. An error of the
 * condition ends it. Each evaluation begins in a timer's task: a script that is stopped within a microtask takes the
 * answers of other clients along (docs/chrome-facts.md, Debugger).
 */
export function untilTrue(fn: string, withinMs: number): string {
  return `() => new Promise((__done, __failed) => { const __end = performance.now() + ${withinMs}; const __look = () => { ${callOf(fn, '')}.then((value) => { if (value) __done(true); else if (performance.now() <= __end) setTimeout(__look, ${LOOK_AGAIN_MS}); }).catch(__failed); }; __look(); })`;
}

const LOOK_AGAIN_MS = 50;

/** The last line of the source, so that nothing in the script can give it another name; Chrome appends a bracket. */
function named({ name }: ResultForm): string {
  return name === undefined ? '' : `\n//# sourceURL=${name}\n`;
}

const PACKER = `const __pack = ${SERIALIZE_SOURCE};`;

function guarded(valueSource: string, { preview, maxChars }: ResultForm): string {
  return `try { return ${preview ? '__pack.preview' : '__pack'}(${valueSource}, ${maxChars}); } catch (error) { return __pack.threw(error); }`;
}

/** A source that matches this calls nothing and changes nothing: `document.title`, `() => location.href`. */
const READ = /^(?:\(\s*\)\s*=>\s*)?[^()`=+-]*(?:[+-][^()`=+-]+)*$/;
const CHANGES = /\b(?:new|delete|async|await|yield|import)\b/;

/**
 * Whether the script calls or changes something, so that the page should see a user gesture (popup, full screen,
 * clipboard). Reading a value is no gesture, and reporting one costs about a third of the round trip
 * (docs/chrome-facts.md, Scripts).
 */
export function actsInPage(fn: string): boolean {
  return fn.length > LONGEST_READ || !READ.test(fn) || CHANGES.test(fn);
}

const LONGEST_READ = 200;

function callOf(fn: string, args: string): string {
  const source = withoutEnd(fn);
  if (parses(`(async () => (${source}\n))`))
    return `(async (__v) => typeof __v === 'function' ? __v(${args}) : __v)(\n(${source}\n))`;
  const body = `(async (element, ...rest) => {\n${fn}\n})`;
  const problem = syntaxError(body);
  if (problem === undefined) return `${body}(${args})`;
  throw new WheelhouseError('BAD_REQUEST', `"fn" is not JavaScript: ${problem}.`, {
    hint: 'Send an expression, a function such as () => document.title, or statements with a return.',
  });
}

/**
 * The source without the semicolons at its end. A loop, since a pattern anchored at the end would backtrack over each
 * run of semicolons.
 */
function withoutEnd(fn: string): string {
  let end = fn.trimEnd().length;
  while (fn[end - 1] === ';') end -= 1;
  return fn.slice(0, end).trimStart();
}

function parses(source: string): boolean {
  return syntaxError(source) === undefined;
}

function syntaxError(source: string): string | undefined {
  try {
    new Script(source);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}
