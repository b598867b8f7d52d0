import { readBrackets } from './brackets';
import { quoted, stepSyntax } from './syntax-error';

/** The result of reading JSON inside a step: its value and where it ends. */

type JsonRead =
  | { readonly ok: true; readonly value: unknown; readonly end: number }
  | { readonly ok: false; readonly problem: string };

const SPELLING: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** One argument of a step. `at` is its index in the source. */
export type StepArg =
  | { readonly form: 'bracket' | 'string' | 'word'; readonly text: string; readonly at: number }
  | { readonly form: 'named'; readonly key: string; readonly value: unknown; readonly at: number };

export interface LexedStep {
  /** As written. */
  readonly verb: string;
  readonly at: number;
  readonly args: readonly StepArg[];
  /** Index just after the step. */
  readonly end: number;
}

export interface LexOptions {
  /** The step ends with its line; text in brackets or quotes may still run over several. */
  readonly oneLine?: boolean;
  /** The usage of a verb, for errors about its arguments. */
  readonly usageOf?: (verb: string) => string | undefined;
}

/**
 * Splits `verb [text] "JSON string" word key=value`, or the same as a call, `verb("text", 1)`, into its parts
 * (ST1). Throws STEP_SYNTAX with the column.
 */
export function lexStep(source: string, options: LexOptions = {}): LexedStep {
  const at = skip(source, 0, WHITE);
  const verb = matchAt(VERB, source, at)?.[0];
  if (verb === undefined) {
    const found = source.slice(at, at + 1);
    throw stepSyntax({
      at,
      problem: found === '' ? 'the step is empty' : `a step begins with a verb, not with ${quoted(found)}`,
    });
  }
  const lexer = new ArgLexer(source, at + verb.length, options.usageOf?.(verb));
  const args =
    source.charAt(at + verb.length) === '(' ? lexer.call() : lexer.list(options.oneLine === true ? BLANK : WHITE);
  return { verb, at, args, end: lexer.at };
}

const VERB = /[A-Za-z][\w-]*/y;
const KEY = /([A-Za-z_]\w*)=/y;
const WHITE = /\s*/y;
const BLANK = /[^\S\n\r]*/y;
const WORD = /\S*/y;
const WORD_IN_CALL = /[^\s,)]*/y;

class ArgLexer {
  readonly #source: string;
  readonly #usage: string | undefined;
  /** Index of the next character. */
  at: number;

  constructor(source: string, at: number, usage: string | undefined) {
    this.#source = source;
    this.#usage = usage;
    this.at = at;
  }

  /** Arguments one after the other, up to the end or, if `gap` stops there, the end of the line. */
  list(gap: RegExp): StepArg[] {
    const args: StepArg[] = [];
    for (;;) {
      const before = this.at;
      const next = skip(this.#source, before, gap);
      if (next >= this.#source.length || (gap === BLANK && '\n\r'.includes(this.#source.charAt(next)))) return args;
      if (next === before && !this.#is('["]'))
        throw this.#mistake(next, `leave a space before ${quoted(this.#source.slice(next))}`);
      this.at = next;
      args.push(this.#arg(WORD));
    }
  }

  /** `(argument, argument)`. */
  call(): StepArg[] {
    const args: StepArg[] = [];
    this.#skip(1);
    while (!this.#is(')')) {
      args.push(this.#arg(WORD_IN_CALL));
      this.#skip(0);
      if (this.#is(',')) this.#skip(1);
      else if (!this.#is(')')) throw this.#mistake(this.at, 'a , or ) is missing here');
    }
    this.at += 1;
    return args;
  }

  #arg(word: RegExp): StepArg {
    const { at } = this;
    if (this.#is('[')) return { form: 'bracket', text: this.#brackets(), at };
    if (this.#is('"')) return { form: 'string', text: String(this.#json()), at };
    const key = matchAt(KEY, this.#source, at)?.[1];
    if (key !== undefined) return this.#named(key, word);
    const text = this.#word(word);
    if (text === '') throw this.#mistake(at, 'an argument is missing here');
    if (text.startsWith(']')) throw this.#mistake(at, 'this ] closes nothing; inside a text write it as \\]');
    return { form: 'word', text, at };
  }

  /** `key=value`: the value is JSON, or one bare word that is taken as text. */
  #named(key: string, word: RegExp): StepArg {
    const { at } = this;
    this.at += key.length + 1;
    if (this.#is('"[{')) return { form: 'named', key, value: this.#json(), at };
    const text = this.#word(word);
    if (text === '') throw this.#mistake(this.at, `"${key}=" has no value`);
    return { form: 'named', key, value: plainValue(text), at };
  }

  #brackets(): string {
    const read = readBrackets(this.#source, this.at);
    if (read === undefined)
      throw this.#mistake(this.at, 'this [ is never closed; inside a text write a lone [ or ] as \\[ or \\]');
    this.at = read.end;
    return read.text;
  }

  #json(): unknown {
    const read = readJson(this.#source, this.at);
    if (!read.ok) throw this.#mistake(this.at, read.problem);
    this.at = read.end;
    return read.value;
  }

  #word(word: RegExp): string {
    const text = matchAt(word, this.#source, this.at)?.[0] ?? '';
    this.at += text.length;
    return text;
  }

  #skip(first: number): void {
    this.at = skip(this.#source, this.at + first, WHITE);
  }

  #is(characters: string): boolean {
    return this.at < this.#source.length && characters.includes(this.#source.charAt(this.at));
  }

  #mistake(at: number, problem: string): Error {
    return stepSyntax({ at, problem, usage: this.#usage });
  }
}

function plainValue(text: string): unknown {
  if (text === 'true' || text === 'false') return text === 'true';
  // At most as long as JavaScript prints a number: 21 digits before the point, 6 zeros and 17 digits after it.
  const number = /^-?\d{1,21}(?:\.\d{1,23})?(?:e[+-]?\d{1,3})?$/i.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(number) ? number : text;
}

function matchAt(sticky: RegExp, source: string, at: number): RegExpExecArray | null {
  sticky.lastIndex = at;
  return sticky.exec(source);
}

function skip(source: string, at: number, gap: RegExp): number {
  return at + (matchAt(gap, source, at)?.[0].length ?? 0);
}

/** Reads the string, list or object that begins at `start`. Line breaks and tabs may stand in a string as they are. */
function readJson(source: string, start: number): JsonRead {
  const end = source.charAt(start) === '"' ? stringEnd(source, start) : nestedEnd(source, start);
  if (end === undefined)
    return {
      ok: false,
      problem: source.charAt(start) === '"' ? 'this quoted text is never closed' : 'this value is never closed',
    };
  const value = parseLenient(source.slice(start, end));
  return value === undefined
    ? { ok: false, problem: 'this is not JSON: check quotes, commas and backslashes' }
    : { ok: true, value: value.json, end };
}

/** @returns the index just after the closing quote, undefined when there is none */
function stringEnd(source: string, start: number): number | undefined {
  for (let at = start + 1; at < source.length; at += 1) {
    const character = source.charAt(at);
    if (character === '\\') at += 1;
    else if (character === '"') return at + 1;
  }
  return undefined;
}

function nestedEnd(source: string, start: number): number | undefined {
  let depth = 0;
  for (let at = start; at < source.length; at += 1) {
    const character = source.charAt(at);
    if (character === '"') {
      const end = stringEnd(source, at);
      if (end === undefined) return undefined;
      at = end - 1;
    } else if (character === '[' || character === '{') {
      depth += 1;
    } else if (character === ']' || character === '}') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return undefined;
}

function parseLenient(text: string): { readonly json: unknown } | undefined {
  const strict = text.replace(/[\n\r\t]/g, (character) =>
    text.startsWith('"') ? (SPELLING[character] ?? character) : ' ',
  );
  try {
    const json: unknown = JSON.parse(strict);
    return { json };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
