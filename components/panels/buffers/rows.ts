import type { ConsoleEntry, PageError } from '@/lib/buffers/entries';
import { fitsConsole } from '@/lib/buffers/filter';

/** One row of the console: a written line or an uncaught error. */
export interface ConsoleRow {
  readonly key: string;
  readonly at: string;
  readonly level: ConsoleEntry['level'];
  /** The whole text, with the stack of an error. */
  readonly text: string;
  readonly where: ConsoleEntry['where'];
  /** The frame or worker that the row came from; undefined for the page itself. */
  readonly from: ConsoleEntry['from'];
}

/** Merges lines and errors by time. */
export function consoleRows(lines: readonly ConsoleEntry[], errors: readonly PageError[]): ConsoleRow[] {
  const written = lines.map(({ id, at, level, text, where, from }): ConsoleRow => ({
    key: `line ${id}`,
    at,
    level,
    text,
    where,
    from,
  }));
  const thrown = errors.map(({ id, at, text, stack = '', where, from }): ConsoleRow => ({
    key: `error ${id}`,
    at,
    level: 'error',
    text: stack === '' ? text : `${text}\n${stack}`,
    where,
    from,
  }));
  return [...written, ...thrown].toSorted((one, other) => one.at.localeCompare(other.at));
}

export const LEVEL_CHOICES = ['all', 'warnings', 'errors'] as const;
export type LevelChoice = (typeof LEVEL_CHOICES)[number];

const LEVELS: Readonly<Record<LevelChoice, readonly string[] | undefined>> = {
  all: undefined,
  warnings: ['warning', 'error'],
  errors: ['error'],
};

export function findRows(rows: readonly ConsoleRow[], level: LevelChoice, search: string): ConsoleRow[] {
  return rows.filter(fitsConsole({ levels: LEVELS[level], filter: search === '' ? undefined : search }));
}

/** File name and line, as in `app.js:12`; empty when unknown. */
export function placeOf(where: ConsoleRow['where']): string {
  if (!where) return '';
  const file = where.url.split(/[?#]/)[0]?.split('/').at(-1) ?? '';
  return `${file === '' ? where.url.slice(0, 40) : file}:${where.line}`;
}
