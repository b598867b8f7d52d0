import { z } from 'zod';
import { printDo, readDo } from '@/lib/steps/codec';
import { HIDDEN } from '../hidden';
import { clean, GET_SET_CLEAR } from '../phrases';
import { envelopeFields } from '../shared';
import { defineKind } from './kind';

const WORD = { get: 'storageGet', set: 'storageSet', clear: 'storageClear' } as const;

/** Local or session storage of the page (PS3). */
export const storage = defineKind({
  schema: z
    .strictObject({
      kind: z.literal('storage'),
      ...envelopeFields,
      do: z.enum(['get', 'set', 'clear']),
      area: z.enum(['local', 'session']),
      /** For get and clear: this entry only. */
      key: z.string().max(10_000).optional(),
      /** For set. */
      values: z.record(z.string().max(10_000), z.string().max(1_000_000)).optional(),
    })
    .refine((action) => (action.do === 'set') === (action.values !== undefined), {
      path: ['values'],
      message: 'goes with do "set", which needs it',
    }),
  about: 'Read, set or clear local or session storage of the page.',
  timeoutMs: 10_000,
  access: 'write',
  example: { kind: 'storage', do: 'get', area: 'local' },
  reads: ['storageGet'],
  changesSession: ({ area }) => area === 'local',
  reachesOtherTabs: true,
  masked: (action) =>
    action.values
      ? { ...action, values: Object.fromEntries(Object.keys(action.values).map((key) => [key, HIDDEN])) }
      : action,
  verbs: {
    storageGet:
      '{way, select, doing {{self, select, yes {are} other {is}} reading} failed {could not read} other {read}} the storage of the page',
    storageSet:
      '{way, select, doing {{self, select, yes {are} other {is}} writing} failed {could not write} other {wrote}} to the storage of the page',
    storageClear:
      '{way, select, doing {{self, select, yes {are} other {is}} clearing} failed {could not clear} other {cleared}} the storage of the page',
  },
  verb: ({ do: deed }) => WORD[deed],
  sentence: ({ do: deed, area, key, values }) =>
    `${GET_SET_CLEAR[deed]} ${area} storage ${clean(key ?? Object.keys(values ?? {}).join(', '))}`,
  steps: {
    verbs: { storage: { usage: 'storage [get|set|clear] area=local', read: readDo } },
    print: (action) => printDo('storage', action),
  },
});
