import { z } from 'zod';
import { as } from '../rewrites';
import { envelopeFields } from '../shared';
import { defineKind } from './kind';

const VERB = { back: 'go_back', forward: 'go_forward', reload: 'reload' } as const;

export const history = defineKind({
  schema: z.strictObject({
    kind: z.literal('history'),
    ...envelopeFields,
    go: z.enum(['back', 'forward', 'reload']),
    ignoreCache: z.boolean().optional(),
  }),
  about: 'Go back or forward, or reload.',
  timeoutMs: 30_000,
  access: 'write',
  example: { kind: 'history', go: 'back' },
  verbs: {
    back: '{way, select, doing {{self, select, yes {are} other {is}} going} failed {could not go} other {went}} back',
    forward:
      '{way, select, doing {{self, select, yes {are} other {is}} going} failed {could not go} other {went}} forward',
    reload:
      '{way, select, doing {{self, select, yes {are} other {is}} reloading} failed {could not reload} other {reloaded}} the page',
  },
  verb: ({ go }) => go,
  sentence: ({ go }) => (go === 'reload' ? 'reload the page' : `go ${go}`),
  steps: {
    verbs: {
      go_back: { usage: 'go_back', read: (args) => args.set('go', 'back') },
      go_forward: { usage: 'go_forward', read: (args) => args.set('go', 'forward') },
      reload: { usage: 'reload', read: (args) => args.set('go', 'reload') },
    },
    aliases: { back: 'go_back', forward: 'go_forward' },
    print: ({ go }) => ({ verb: VERB[go], args: [], said: ['go'] }),
  },
  older: { go_back: as('history', { go: 'back' }), go_forward: as('history', { go: 'forward' }) },
});
