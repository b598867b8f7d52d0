import { ENGLISH_MESSAGES } from './english';
import { messageSchema, type Message } from './message';

/** What is said, as data for those who translate and in English for everybody else. */
export interface FormattedMessage {
  readonly said: Message;
  readonly text: string;
}

/** Puts a sentence into English. What fills it in is cleaned and bounded on the way. */
export function formatMessage(said: Message): FormattedMessage {
  const clean = messageSchema.parse(said);
  return { said: clean, text: fill(ENGLISH_MESSAGES[clean.code], clean) };
}

function fill(template: string, values: Readonly<Record<string, string | number>>): string {
  const given = new Map<string, string | number>(Object.entries(values));
  return template.replace(/\{(\w+)\}/gu, (_, name: string) => String(given.get(name) ?? ''));
}
