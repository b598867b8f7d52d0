import { SAID_ENGLISH } from './english';
import { saidSchema, type Said } from './said';

/** What is said, as data for those who translate and in English for everybody else. */
export interface Sentence {
  readonly said: Said;
  readonly text: string;
}

/** Puts a sentence into English. What fills it in is cleaned and bounded on the way. */
export function say(said: Said): Sentence {
  const clean = saidSchema.parse(said);
  return { said: clean, text: fill(SAID_ENGLISH[clean.code], clean) };
}

function fill(template: string, values: Readonly<Record<string, string | number>>): string {
  const given = new Map<string, string | number>(Object.entries(values));
  return template.replace(/\{(\w+)\}/gu, (_, name: string) => String(given.get(name) ?? ''));
}
