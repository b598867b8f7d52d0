import { z } from 'zod';
import { CSV_HEADER, csvLine } from '@/lib/people/log-csv';
import { logRowSchema, type LogRow } from '@/lib/people/log-row';
import { FEW_ROWS, JSON_LINES, rowFilter } from '../fields';
import { defineRoute, noBody, nothing, type Answer, type Route } from '../route';

const CSV = 'text/csv';

export const logRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: '/api/v1/log',
    about:
      'The log of the workspace: sign-ins, refusals, and changes of people, keys, rights and policies. The newest rows, those before `before`, or those after `since`; `q` finds words in texts, names, ids and addresses. As `format=jsonl` without filters it is the whole log with the proof that wheelhouse-verify checks; `format=csv` without `limit` has all rows that fit.',
    grant: 'manage',
    thing: 'workspace',
    params: nothing,
    query: z.strictObject({
      ...rowFilter,
      format: z.enum(['json', 'jsonl', 'csv']).optional(),
    }),
    body: noBody,
    answer: z.array(logRowSchema),
    run: async ({ services, caller, budget, query }) => {
      const { log } = services.store;
      const { workspace } = caller.principal;
      const { format = 'json', limit, q: search = '', ...filter } = query;
      if (format === 'csv' && limit === undefined)
        return { status: 200, lines: csvLines(log.pages(workspace, { ...filter, search })), type: CSV };
      const filtered = limit !== undefined || search !== '' || Object.keys(filter).length > 0;
      if (format === 'jsonl' && !filtered) return { status: 200, lines: log.exportLines(workspace), type: JSON_LINES };
      if (format === 'jsonl' && limit === undefined)
        return { status: 200, lines: jsonLines(log.pages(workspace, { ...filter, search })), type: JSON_LINES };
      const wanted = { ...filter, limit: limit ?? FEW_ROWS };
      const rows = await (search === ''
        ? log.list(workspace, wanted)
        : log.search(budget, workspace, { ...wanted, search }));
      return written(rows, format);
    },
  }),
];

function written(rows: readonly LogRow[], format: 'json' | 'jsonl' | 'csv'): Answer {
  if (format === 'json') return { status: 200, json: rows };
  if (format === 'csv') return { status: 200, text: CSV_HEADER + rows.map(csvLine).join(''), type: CSV };
  return { status: 200, text: rows.map(jsonLine).join(''), type: JSON_LINES };
}

async function* csvLines(pages: AsyncGenerator<LogRow[], void>): AsyncGenerator<string, void> {
  yield CSV_HEADER;
  for await (const rows of pages) yield rows.map(csvLine).join('');
}

async function* jsonLines(pages: AsyncGenerator<LogRow[], void>): AsyncGenerator<string, void> {
  for await (const rows of pages) yield rows.map(jsonLine).join('');
}

function jsonLine(row: LogRow): string {
  return `${JSON.stringify(row)}\n`;
}
