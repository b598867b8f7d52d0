import { z } from 'zod';
import { emulationSchema } from '@/lib/state/emulation';
import { printDo, readDo } from '@/lib/steps/codec';
import { envelopeFields } from '../shared';
import { defineKind } from './kind';

const WORD = { get: 'emulateGet', set: 'emulateSet', reset: 'emulateReset' } as const;
const VERB = { get: 'read', set: 'emulate', reset: 'reset' } as const;

/** Changes what the page sees of its surroundings: locale, device, network and so on (PS4). */
export const emulate = defineKind({
  schema: z
    .strictObject({
      kind: z.literal('emulate'),
      ...envelopeFields,
      do: z.enum(['get', 'set', 'reset']),
      /** `tab`: this tab only. `session`: every tab, new ones too; needs that nobody else holds a tab (CO1). */
      scope: z.enum(['tab', 'session']).optional(),
      /** For set: replaces the settings that are named; null removes one. */
      set: emulationSchema.optional(),
    })
    .refine((action) => (action.do === 'set') === (action.set !== undefined), {
      path: ['set'],
      message: 'goes with do "set", which needs it',
    }),
  about: 'Offline, headers, sign-in, place, media, time zone, locale, device, throttling: for this tab or the session.',
  timeoutMs: 10_000,
  access: 'write',
  example: { kind: 'emulate', do: 'set', set: { timezone: 'Asia/Tokyo' } },
  reads: ['emulateGet'],
  // Geolocation also needs a permission, which Chrome grants to the whole context.
  changesSession: ({ scope, do: deed, set }) =>
    scope === 'session' || deed === 'reset' || set?.geolocation !== undefined,
  masked: (action) =>
    action.set ? { ...action, set: { ...action.set, headers: undefined, credentials: undefined } } : action,
  verbs: {
    emulateGet:
      '{way, select, doing {{self, select, yes {are} other {is}} reading} failed {could not read} other {read}} what is emulated',
    emulateSet:
      '{way, select, doing {{self, select, yes {are} other {is}} changing} failed {could not change} other {changed}} what the page is told of its surroundings',
    emulateReset:
      '{way, select, doing {{self, select, yes {are} other {is}} taking back} failed {could not take back} other {took back}} what was emulated',
  },
  verb: ({ do: deed }) => WORD[deed],
  sentence: ({ do: deed, set, scope }) => {
    const what = deed === 'set' ? Object.keys(set ?? {}).join(', ') : 'emulation';
    return `${VERB[deed]} ${what}${scope === 'session' ? ' for the session' : ''}`;
  },
  steps: {
    verbs: { emulate: { usage: 'emulate [get|set|reset] set={"timezone":"Asia/Tokyo"}', read: readDo } },
    print: (action) => printDo('emulate', action),
  },
});
