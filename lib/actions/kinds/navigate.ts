import { z } from 'zod';
import { printBrackets } from '@/lib/steps/brackets';
import { clean } from '../phrases';
import { as } from '../rewrites';
import { envelopeFields, urlSchema } from '../shared';
import { defineKind } from './kind';

export const navigate = defineKind({
  schema: z.strictObject({
    kind: z.literal('navigate'),
    ...envelopeFields,
    url: urlSchema,
    waitUntil: z.enum(['commit', 'domcontentloaded', 'load', 'networkidle']).optional(),
    newTab: z.boolean().optional(),
  }),
  about: 'Open an address in this tab, or in a new one.',
  timeoutMs: 30_000,
  access: 'write',
  example: { kind: 'navigate', url: 'https://example.com/' },
  changesSession: ({ newTab }) => newTab === true,
  withVariables: (action, put) => ({ ...action, url: put(action.url) }),
  verbs: {
    navigate:
      '{way, select, doing {{self, select, yes {are} other {is}} opening} failed {could not open} other {opened}} {place}',
    newTab:
      '{way, select, doing {{self, select, yes {are} other {is}} opening} failed {could not open} other {opened}} {place} in a new tab',
  },
  verb: ({ newTab }) => (newTab === true ? 'newTab' : 'navigate'),
  address: ({ url }) => url,
  sentence: ({ url, newTab }) => `open ${clean(url)}${newTab === true ? ' in a new tab' : ''}`,
  steps: {
    verbs: { goto: { usage: 'goto [https://example.com]', read: (args) => args.text('url', 'the address') } },
    aliases: { navigate: 'goto' },
    print: ({ url }) => ({ verb: 'goto', args: [printBrackets(url)], said: ['url'] }),
  },
  older: { goto: as('navigate'), go_to_url: as('navigate') },
});
