import { shownRef } from '@/lib/actions/shared';
import type { LexedStep, StepArg } from './lexer';
import { quoted, stepSyntax } from './syntax-error';

export type PlainArg = Exclude<StepArg, { form: 'named' }>;

/** Fields of an action that are read so far, and where in the step each was found. */
export interface ReadFields {
  readonly fields: ReadonlyMap<string, unknown>;
  readonly columns: ReadonlyMap<string, number>;
}

/** Gives the arguments of one step to its verb, first to last; each error names column and usage (ST1). */
export class ArgReader {
  readonly #usage: string;
  readonly #end: number;
  readonly #plain: PlainArg[] = [];
  readonly #named = new Map<string, { readonly value: unknown; readonly at: number }>();
  readonly #fields = new Map<string, unknown>();
  readonly #columns = new Map<string, number>();

  constructor(step: LexedStep, usage: string) {
    this.#usage = usage;
    this.#end = step.end;
    for (const arg of step.args) {
      if (arg.form !== 'named') this.#plain.push(arg);
      else if (this.#named.has(arg.key)) throw this.mistake(arg.at, `"${arg.key}" is given twice`);
      else this.#named.set(arg.key, arg);
    }
  }

  /** How many arguments without a name are still to be read. */
  get left(): number {
    return this.#plain.length;
  }

  isNamed(...keys: readonly string[]): boolean {
    return keys.some((key) => this.#named.has(key));
  }

  /** Is the element named by a field, `role=button`, and not by the first argument? */
  get namesTarget(): boolean {
    return this.isNamed('ref', 'role', 'selector', 'at', 'node');
  }

  /** Reads the next argument; when there is none, the error says what was expected. */
  next(what: string): PlainArg {
    const arg = this.#plain.shift();
    if (arg === undefined) throw this.mistake(this.#end, `${what} is missing`);
    return arg;
  }

  /** Takes a named argument out, for the few whose name is not that of a field. */
  takeNamed(key: string): { readonly value: unknown; readonly at: number } | undefined {
    const found = this.#named.get(key);
    this.#named.delete(key);
    return found;
  }

  set(field: string, value: unknown, at?: number): void {
    if (this.isNamed(field))
      throw this.mistake(
        this.#named.get(field)?.at ?? this.#end,
        `"${field}" is given twice: the step says it already`,
      );
    this.#fields.set(field, value);
    if (at !== undefined) this.#columns.set(field, at);
  }

  /** Reads a text field, unless it is given by name. */
  text(field: string, what: string): void {
    if (this.isNamed(field)) return;
    const { text, at } = this.next(what);
    this.set(field, text, at);
  }

  /** Reads all that is left into a list, one at least, unless it is given by name. */
  rest(field: string, what: string): void {
    if (this.isNamed(field)) return;
    const first = this.next(what);
    const texts = [first.text];
    while (this.left > 0) texts.push(this.next(what).text);
    this.set(field, texts, first.at);
  }

  /** Reads the element, unless it is named by a field. Digits are the snapshot's own numbers. */
  target(): void {
    if (this.namesTarget) return;
    const { ref, at } = this.ref('the number of an element');
    this.set('ref', ref, at);
  }

  /** Reads an element into its own field, unless the step gives it by name. */
  targetIn(field: string, what: string): void {
    if (this.isNamed(field)) return;
    const { ref, at } = this.ref(what);
    this.set(field, { ref }, at);
  }

  /** The next argument as a ref. */
  ref(what: string): { readonly ref: string; readonly at: number } {
    const { text, at } = this.next(what);
    const ref = shownRef(text);
    if (ref === undefined) throw this.mistake(at, refProblem(text));
    return { ref, at };
  }

  /** All fields, the named ones last; throws when an argument is left over. */
  finish(): ReadFields {
    const [extra] = this.#plain;
    if (extra !== undefined) throw this.mistake(extra.at, `${quoted(extra.text)} is one argument too many`);
    for (const [key, { value, at }] of this.#named) {
      if (this.#fields.has(key)) throw this.mistake(at, `"${key}" is given twice: the step says it already`);
      this.#fields.set(key, value);
      this.#columns.set(key, at);
    }
    return { fields: this.#fields, columns: this.#columns };
  }

  mistake(at: number, problem: string): Error {
    return stepSyntax({ at, problem, usage: this.#usage });
  }
}

function refProblem(text: string): string {
  if (/^\s*-\d+\s*$/.test(text))
    return `${quoted(text.trim())} is negative: it names no element that can be used; take a number that the snapshot shows`;
  return `${quoted(text)} is not the number of an element: write it as the snapshot shows it, for example [12]`;
}
