import { z } from 'zod';
import { printBrackets } from '@/lib/steps/brackets';
import { quote } from '../phrases';
import { as } from '../rewrites';
import { envelopeFields } from '../shared';
import { defineKind } from './kind';

/** Searches by an address that the operator has set up (`SEARCH_URL`); without one it is UNSUPPORTED. */
export const search = defineKind({
  schema: z.strictObject({
    kind: z.literal('search'),
    ...envelopeFields,
    query: z.string().min(1).max(1_000),
    engine: z.string().min(1).max(40).optional(),
  }),
  about: 'Search the web by the address that the operator has set up.',
  timeoutMs: 30_000,
  access: 'write',
  example: { kind: 'search', query: 'ferns' },
  withVariables: (action, put) => ({ ...action, query: put(action.query) }),
  verbs: {
    search:
      '{way, select, doing {{self, select, yes {are} other {is}} searching for} failed {could not search for} other {searched for}} “{value}”',
  },
  value: ({ query }) => query,
  sentence: ({ query }) => `search for ${quote(query)}`,
  steps: {
    verbs: {
      search: { usage: 'search [what to look for]', read: (args) => args.text('query', 'what to search for') },
    },
    print: ({ query }) => ({ verb: 'search', args: [printBrackets(query)], said: ['query'] }),
  },
  older: { web_search: as('search') },
});
