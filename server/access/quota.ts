import { WheelhouseError } from '@/lib/errors/error';
import type { MessageCode } from '@/lib/messages/message';
import type { LimitName } from '@/server/config/limits';

/** For each cap, the messages that name the full resource and how to free some. */
const QUOTAS = {
  'sockets-name': ['socketsOfName', 'socketsCure'],
  sockets: ['socketsOfKey', 'socketsCure'],
  'sockets-server': ['socketsOfServer', 'socketsCure'],
  sessions: ['sessionsOfKey', 'sessionsCure'],
  'sessions-server': ['sessionsOfServer', 'sessionsCure'],
  tabs: ['tabsOfSession', 'tabsCure'],
  'tabs-server': ['tabsOfServer', 'tabsCure'],
  chromes: ['chromesOfKey', 'chromesCure'],
  'chromes-server': ['chromesOfServer', 'chromesCure'],
  'memory-session': ['memoryOfSession', 'memoryCure'],
  'memory-server': ['memoryOfServer', 'memoryCure'],
} as const satisfies Partial<Record<LimitName, readonly [MessageCode, MessageCode]>>;

export type QuotaName = keyof typeof QUOTAS;

/** The error for one more: the number in use, the cap, and how to make room or raise the cap (BR7). */
export function quotaError(setting: QuotaName, used: number, limit: number): WheelhouseError {
  const [code, cure] = QUOTAS[setting];
  return new WheelhouseError(
    'QUOTA',
    { code, used, limit },
    { hint: { code: cure, setting: `${setting}=${limit * 2}` }, details: { limit, used, setting } },
  );
}
