import { z } from 'zod';
import type { ArgReader } from '@/lib/steps/arg-reader';
import { printOptional } from '@/lib/steps/codec';
import { quote } from '../phrases';
import { envelopeFields } from '../shared';
import { defineKind } from './kind';

export const stop = defineKind({
  schema: z.strictObject({
    kind: z.literal('stop'),
    ...envelopeFields,
    answer: z.string().max(100_000).optional(),
  }),
  about: 'End the task, with an answer.',
  timeoutMs: 5_000,
  access: 'read',
  example: { kind: 'stop', answer: 'The parcel arrives on Friday.' },
  apartFromPage: true,
  verbs: {
    stop: '{way, select, doing {{self, select, yes {are} other {is}} ending} failed {could not end} other {ended}} the task',
  },
  verbsWithValue: {
    stop: '{way, select, doing {{self, select, yes {are} other {is}} ending} failed {could not end} other {ended}} the task: “{value}”',
  },
  value: ({ answer }) => answer,
  sentence: ({ answer }) => (answer === undefined ? 'stop' : `stop: ${quote(answer)}`),
  steps: {
    verbs: { stop: { usage: 'stop [answer]', read } },
    print: ({ answer }) => ({ verb: 'stop', args: printOptional(answer), said: ['answer'] }),
  },
});

function read(args: ArgReader): void {
  if (args.left > 0) args.text('answer', 'the answer');
}
