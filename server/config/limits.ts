import { totalmem } from 'node:os';
import { z } from 'zod';

/** One cap that the operator may set. */
interface Cap {
  readonly normal: number;
  readonly least: number;
  readonly most: number;
  /** The counted thing, for the README. */
  readonly about: string;
}

const MB = 1024 * 1024;
/** Share of the computer's memory that all Chromes may take together by default. */
const MEMORY_SHARE = 0.75;

/**
 * The limits that the operator may set by LIMITS (BR7), by their names in LIMITS, in refusals and in the README. "Of
 * one key" counts all agent names of that key together, and likewise all connections of one sign-in of a person. The
 * limits that cannot be set are in `server/access/limits`.
 */
export const SETTABLE = {
  sockets: { normal: 64, least: 1, most: 10_000, about: 'connections of one key' },
  'sockets-name': { normal: 8, least: 1, most: 10_000, about: 'connections of one name of a key, or of one person' },
  'sockets-server': { normal: 400, least: 1, most: 100_000, about: 'connections in all' },
  sessions: { normal: 24, least: 1, most: 10_000, about: 'sessions that one key has made and that have not ended' },
  'sessions-server': { normal: 40, least: 1, most: 10_000, about: 'sessions in all' },
  tabs: { normal: 20, least: 1, most: 1_000, about: 'tabs of one session' },
  'tabs-server': { normal: 200, least: 1, most: 100_000, about: 'tabs in all' },
  popups: { normal: 5, least: 1, most: 1_000, about: 'popups of one session in ten seconds' },
  chromes: { normal: 6, least: 1, most: 1_000, about: 'Chromes that sessions of one key have to themselves' },
  'chromes-server': { normal: 12, least: 1, most: 1_000, about: 'Chromes that the server has started, in all' },
  'memory-session': {
    normal: 2_048,
    least: 128,
    most: 1_048_576,
    about: 'MB for each session of a Chrome; a Chrome that takes more than the sum opens no more tabs',
  },
  'memory-session-hard': {
    normal: 3_072,
    least: 128,
    most: 1_048_576,
    about: 'MB above which the largest page of a session is put aside',
  },
  'memory-server': {
    normal: Math.max(1_024, Math.floor((totalmem() / MB) * MEMORY_SHARE)),
    least: 128,
    most: 16_777_216,
    about: 'MB for all Chromes together; above it no more sessions and tabs are opened',
  },
  requests: {
    normal: 300,
    least: 10,
    most: 100_000,
    about: 'requests and events of one key a second; a burst may have twice as many on top',
  },
} as const satisfies Record<string, Cap>;

export type LimitName = keyof typeof SETTABLE;
/** Every cap with the value in force. */
export type Limits = Readonly<Record<LimitName, number>>;

const capOf = ({ normal, least, most }: Cap): z.ZodType<number, number | undefined> =>
  z.int().min(least).max(most).default(normal);

const limitsSchema = z.strictObject({
  sockets: capOf(SETTABLE.sockets),
  'sockets-name': capOf(SETTABLE['sockets-name']),
  'sockets-server': capOf(SETTABLE['sockets-server']),
  sessions: capOf(SETTABLE.sessions),
  'sessions-server': capOf(SETTABLE['sessions-server']),
  tabs: capOf(SETTABLE.tabs),
  'tabs-server': capOf(SETTABLE['tabs-server']),
  popups: capOf(SETTABLE.popups),
  chromes: capOf(SETTABLE.chromes),
  'chromes-server': capOf(SETTABLE['chromes-server']),
  'memory-session': capOf(SETTABLE['memory-session']),
  'memory-session-hard': capOf(SETTABLE['memory-session-hard']),
  'memory-server': capOf(SETTABLE['memory-server']),
  requests: capOf(SETTABLE.requests),
});

export const NORMAL_LIMITS: Limits = limitsSchema.parse({});

/**
 * The words of LIMITS: `sockets=100 sessions=10`, the others as they are normally. Undefined when a word is no such
 * cap, is there twice, or its number is out of range.
 */
export function readLimits(text: string): Limits | undefined {
  const pairs = text
    .split(/[\s,]+/)
    .filter((word) => word !== '')
    .map((word) => /^([a-z-]+)=(\d{1,9})$/.exec(word));
  const names = new Set(pairs.map((pair) => pair?.[1]));
  if (pairs.includes(null) || names.size < pairs.length) return undefined;
  return limitsSchema.safeParse(Object.fromEntries(pairs.map((pair) => [pair?.[1], Number(pair?.[2])]))).data;
}

/** For the README, as markdown. */
export function limitsTable(): string {
  const shown = (name: string, { normal }: Cap): string =>
    name === 'memory-server' ? 'three quarters of the memory' : String(normal);
  const rows = Object.entries(SETTABLE).map(([name, cap]) => `| \`${name}\` | ${shown(name, cap)} | ${cap.about} |`);
  return ['| limit | normally | what is counted |', '|---|---|---|', ...rows].join('\n');
}
