import { ENGLISH_MESSAGES } from './english';
import { messageSchema, type Message } from './message';

/** A message as data, for translation, and as English text. */
export interface FormattedMessage {
  readonly said: Message;
  readonly text: string;
}

/** Formats a message in English. Cleans and bounds the parameters. */
export function formatMessage(said: Message): FormattedMessage {
  const clean = messageSchema.parse(said);
  return { said: clean, text: fill(ENGLISH_MESSAGES[clean.code], clean) };
}

function fill(template: string, values: Readonly<Record<string, string | number>>): string {
  const given = new Map<string, string | number>(Object.entries(values));
  return template.replace(/\{(\w+)\}/gu, (_, name: string) => String(given.get(name) ?? ''));
}
