import type { LogRow } from './log-row';

const COLUMNS = {
  seq: ({ seq }) => String(seq),
  at: ({ at }) => at,
  kind: ({ kind }) => kind,
  outcome: ({ outcome }) => outcome,
  actor: ({ actor }) => actor.name,
  actorId: ({ actor }) => actor.id,
  actorKind: ({ actor }) => actor.kind,
  text: ({ text }) => text,
  about: ({ about }) => about?.name ?? '',
  aboutId: ({ about }) => about?.id ?? '',
  door: ({ door }) => door,
  address: ({ address }) => address ?? '',
} as const satisfies Readonly<Record<string, (row: LogRow) => string>>;

/** The first line. It begins with a byte order mark, by which spreadsheet programs know UTF-8. */
export const CSV_HEADER = `\uFEFF${Object.keys(COLUMNS).join(',')}\r\n`;

/** One row as a line of CSV (RFC 4180), for spreadsheet programs: no cell is a formula. */
export function csvLine(row: LogRow): string {
  return `${Object.values(COLUMNS)
    .map((cell) => quoted(inert(cell(row))))
    .join(',')}\r\n`;
}

/** Spreadsheet programs run a cell that begins with one of these; some also know them as full-width characters. */
const FORMULA = /^[\s]*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/u;

function inert(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
