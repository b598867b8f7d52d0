import { z } from 'zod';
import { readNothing } from '@/lib/steps/codec';
import { as } from '../rewrites';
import { envelopeFields } from '../shared';
import { defineKind } from './kind';

export const none = defineKind({
  schema: z.strictObject({ kind: z.literal('none'), ...envelopeFields }),
  about: 'Do nothing.',
  timeoutMs: 5_000,
  access: 'read',
  example: { kind: 'none' },
  apartFromPage: true,
  verbs: {
    none: '{way, select, doing {{self, select, yes {are} other {is}} doing} failed {did} other {did}} nothing',
  },
  steps: {
    verbs: { none: { usage: 'None', read: readNothing } },
    print: () => ({ verb: 'None', args: [], said: [] }),
  },
  older: { None: as('none') },
});
