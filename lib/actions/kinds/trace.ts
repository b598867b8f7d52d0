import { z } from 'zod';
import { printDo, readDo } from '@/lib/steps/codec';
import { TRACE_LIMITS } from '@/lib/trace/limits';
import { envelopeFields } from '../shared';
import { defineKind } from './kind';

const WORD = { start: 'traceStart', stop: 'traceStop', get: 'traceGet' } as const;
const SENTENCE = {
  start: 'start a performance trace',
  stop: 'end the performance trace',
  get: 'look for a performance trace',
} as const;

/** A performance trace (PS5). */
export const trace = defineKind({
  schema: z
    .strictObject({
      kind: z.literal('trace'),
      ...envelopeFields,
      do: z.enum(['start', 'stop', 'get']),
      /** For start: record screenshots among the events; true by default. */
      screenshots: z.boolean().optional(),
      /** For start: the trace stops after this many milliseconds by itself, and its file is kept. */
      maxMs: z.int().min(TRACE_LIMITS.minMs).max(TRACE_LIMITS.maxMs).optional(),
      /** For stop: compress the file. The performance panel also opens compressed files. */
      gzip: z.boolean().optional(),
      /** For stop: the name of the file. */
      saveAs: z.string().min(1).max(255).optional(),
    })
    .refine((action) => action.do === 'start' || (action.screenshots === undefined && action.maxMs === undefined), {
      path: ['do'],
      message: '"screenshots" and "maxMs" go with do "start"',
    })
    .refine((action) => action.do === 'stop' || (action.gzip === undefined && action.saveAs === undefined), {
      path: ['do'],
      message: '"gzip" and "saveAs" go with do "stop"',
    }),
  about: 'Record what the page does, and keep it as a file for the performance panel of Chrome.',
  timeoutMs: 60_000,
  access: 'write',
  example: { kind: 'trace', do: 'start', maxMs: 30_000 },
  reads: ['traceGet'],
  grant: () => 'files',
  seesBrowser: ({ do: deed }) => deed === 'start',
  verbs: {
    traceStart:
      '{way, select, doing {{self, select, yes {are} other {is}} starting} failed {could not start} other {started}} a performance trace',
    traceStop:
      '{way, select, doing {{self, select, yes {are} other {is}} ending} failed {could not end} other {ended}} the performance trace',
    traceGet:
      '{way, select, doing {{self, select, yes {are} other {is}} looking} failed {could not look} other {looked}} for a performance trace',
  },
  verb: ({ do: deed }) => WORD[deed],
  sentence: ({ do: deed }) => SENTENCE[deed],
  steps: {
    verbs: {
      trace: {
        usage: 'trace [start|stop|get], with maxMs=30000 screenshots=false for start, gzip=true for stop',
        read: readDo,
      },
    },
    print: (action) => printDo('trace', action),
  },
});
