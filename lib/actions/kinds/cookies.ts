import { z } from 'zod';
import { cookieParamSchema } from '@/lib/state/cookies';
import { printDo, readDo } from '@/lib/steps/codec';
import { HIDDEN } from '../hidden';
import { clean, GET_SET_CLEAR } from '../phrases';
import { envelopeFields } from '../shared';
import { defineKind } from './kind';

const name = z.string().min(1).max(4_096);
const WORD = { get: 'cookiesGet', set: 'cookiesSet', clear: 'cookiesClear' } as const;

/** Cookies of the session's context (PS3). */
export const cookies = defineKind({
  schema: z
    .strictObject({
      kind: z.literal('cookies'),
      ...envelopeFields,
      do: z.enum(['get', 'set', 'clear']),
      /** For get: only those that would be sent to these addresses. */
      urls: z.array(z.string().min(1).max(2_048)).min(1).max(20).optional(),
      /** For set. */
      cookies: z.array(cookieParamSchema).min(1).max(100).optional(),
      /** For clear: only those with this name, domain, path; all of the context without. */
      name: name.optional(),
      domain: name.optional(),
      path: name.optional(),
    })
    .refine((action) => (action.do === 'set') === (action.cookies !== undefined), {
      path: ['cookies'],
      message: 'goes with do "set", which needs it',
    }),
  about: 'Read, set or clear cookies of the session.',
  timeoutMs: 10_000,
  access: 'write',
  example: { kind: 'cookies', do: 'get' },
  reads: ['cookiesGet'],
  changesSession: () => true,
  reachesOtherTabs: true,
  masked: (action) =>
    action.cookies ? { ...action, cookies: action.cookies.map((cookie) => ({ ...cookie, value: HIDDEN })) } : action,
  verbs: {
    cookiesGet:
      '{way, select, doing {{self, select, yes {are} other {is}} reading} failed {could not read} other {read}} the cookies',
    cookiesSet:
      '{way, select, doing {{self, select, yes {are} other {is}} setting} failed {could not set} other {set}} cookies',
    cookiesClear:
      '{way, select, doing {{self, select, yes {are} other {is}} clearing} failed {could not clear} other {cleared}} cookies',
  },
  verb: ({ do: deed }) => WORD[deed],
  sentence: ({ do: deed, cookies: given, name: one, domain }) => {
    const names = given?.map((cookie) => cookie.name) ?? [one, domain].filter((part) => part !== undefined);
    return `${GET_SET_CLEAR[deed]} cookies ${clean(names.join(', '))}`;
  },
  steps: {
    verbs: {
      cookies: { usage: 'cookies [get|set|clear] with its fields, cookies=[{"name":"a","value":"b"}]', read: readDo },
    },
    print: (action) => printDo('cookies', action),
  },
});
