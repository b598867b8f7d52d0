import type { Message } from './message';
import { formatMessage } from './format';

const NUMBERED = /^Session (\d{1,6})$/u;
const ATTACHED = [{ code: 'sessionAttached' }, { code: 'sessionAttachedOwn' }] as const satisfies readonly Message[];

/** The message for a default session name, recognised in its stored name; undefined for a name that a caller gave. */
export function sessionNameMessage(name: string): Message | undefined {
  const number = NUMBERED.exec(name)?.[1];
  if (number !== undefined) return { code: 'sessionNumbered', number: Number(number) };
  return ATTACHED.find((said) => formatMessage(said).text === name);
}
