import { z } from 'zod';
import { readNothing } from '@/lib/steps/codec';
import { count } from '../phrases';
import { inside } from '../rewrites';
import { envelopeFields } from '../shared';
import { defineGroup, type GroupParts, type Inner } from './group';

const schemaOf = <A extends Inner>({ actions }: GroupParts<A>) =>
  z.strictObject({
    kind: z.literal('batch'),
    ...envelopeFields,
    actions,
    /** Default true. */
    stopOnError: z.boolean().optional(),
  });

export const batch = defineGroup(schemaOf, schemaOf<never>, {
  about: 'Do several actions in turn, up to the first that fails.',
  timeoutMs: 60_000,
  access: 'write',
  example: { kind: 'batch', actions: [{ kind: 'click', ref: 'e12' }] },
  quiet: ['batch'],
  verbs: {
    batch:
      '{way, select, doing {{self, select, yes {are} other {is}} doing several things} failed {could not do several things} other {did several things}}',
  },
  sentence: ({ actions }) => `do ${count(actions, 'action')}`,
  steps: {
    verbs: { batch: { usage: 'batch actions=[{"kind":"click","ref":"e12"}]', read: readNothing } },
    print: () => ({ verb: 'batch', args: [], said: [] }),
  },
  older: { batch: inside('actions') },
});
