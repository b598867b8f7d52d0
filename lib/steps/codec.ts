import type { ArgReader } from './arg-reader';
import { printBrackets } from './brackets';

/** One verb of the step language: the form it is written in, and how its arguments become fields (ST1). */
export interface StepVerb {
  readonly usage: string;
  read(args: ArgReader): void;
}

/** How an action begins as a step. */
export interface Head {
  readonly verb: string;
  readonly args: readonly string[];
  /** Fields that the verb and its arguments contain; the others follow as `field=value`. */
  readonly said: readonly string[];
}

/** The element, as the first argument. */
export const readTarget = (args: ArgReader): void => args.target();

export const readOptionalTarget = (args: ArgReader): void => {
  if (args.left > 0) args.target();
};

export const readNothing = (): void => undefined;

/** What to do, as the first argument. */
export function readDo(args: ArgReader): void {
  if (!args.isNamed('do')) args.text('do', 'what to do');
}

interface MayHaveRef {
  readonly ref?: string | undefined;
}

/** A verb with its element first. */
export function printOnElement(
  verb: string,
  { ref }: MayHaveRef,
  args: readonly string[] = [],
  said: readonly string[] = [],
): Head {
  return { verb, args: [...printRef(ref), ...args], said: ['ref', ...said] };
}

/** A verb with its `do` in brackets; the other fields follow by name. */
export function printDo(verb: string, { do: value }: { readonly do: string }): Head {
  return { verb, args: [`[${value}]`], said: ['do'] };
}

export function printRef(ref: string | undefined): string[] {
  return ref === undefined ? [] : [`[${ref.replace(/^e/, '')}]`];
}

export function printOptional(text: string | undefined): string[] {
  return text === undefined ? [] : [printBrackets(text)];
}
