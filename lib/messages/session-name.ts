import type { Message } from './message';
import { formatMessage } from './format';

const NUMBERED = /^Session (\d{1,6})$/u;
const ATTACHED = [{ code: 'sessionAttached' }, { code: 'sessionAttachedOwn' }] as const satisfies readonly Message[];

/**
 * What the server called a session that nobody named, found in its stored name; undefined for a name that somebody
 * gave.
 */
export function sessionNameMessage(name: string): Message | undefined {
  const number = NUMBERED.exec(name)?.[1];
  if (number !== undefined) return { code: 'sessionNumbered', number: Number(number) };
  return ATTACHED.find((said) => formatMessage(said).text === name);
}
