import { z } from 'zod';
import { emulationSchema } from '@/lib/state/emulation';
import { cookieParamSchema } from '@/lib/state/cookies';
import { TRACE_LIMITS } from '@/lib/trace/limits';
import { envelopeFields } from '../shared';

/** What a page is surrounded by: cookies, storage, the clipboard, emulation, traces (PS3-PS5, SE6). */

const name = z.string().min(1).max(4_096);

export const cookies = z
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
  });

export const storage = z
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
  });

/** The session's own clipboard (SE6): what copy and paste keys of this session use. */
export const clipboard = z
  .strictObject({
    kind: z.literal('clipboard'),
    ...envelopeFields,
    do: z.enum(['get', 'set', 'clear']),
    /** For set. */
    text: z.string().max(100_000).optional(),
  })
  .refine((action) => (action.do === 'set') === (action.text !== undefined), {
    path: ['text'],
    message: 'goes with do "set", which needs it',
  });

export const emulate = z
  .strictObject({
    kind: z.literal('emulate'),
    ...envelopeFields,
    do: z.enum(['get', 'set', 'reset']),
    /** `tab`: this tab only. `session`: every tab, new ones too; needs that nobody else holds a tab (CO1). */
    scope: z.enum(['tab', 'session']).optional(),
    /** For set: what is named is replaced, null takes it back. */
    set: emulationSchema.optional(),
  })
  .refine((action) => (action.do === 'set') === (action.set !== undefined), {
    path: ['set'],
    message: 'goes with do "set", which needs it',
  });

export const trace = z
  .strictObject({
    kind: z.literal('trace'),
    ...envelopeFields,
    do: z.enum(['start', 'stop', 'get']),
    /** For start: pictures of the page among the events; true where nothing is said. */
    screenshots: z.boolean().optional(),
    /** For start: it ends by itself after so many milliseconds, and is kept. */
    maxMs: z.int().min(TRACE_LIMITS.minMs).max(TRACE_LIMITS.maxMs).optional(),
    /** For stop: compress the file; the performance panel opens that as well. */
    gzip: z.boolean().optional(),
    /** For stop: what the file is called. */
    saveAs: z.string().min(1).max(255).optional(),
  })
  .refine((action) => action.do === 'start' || (action.screenshots === undefined && action.maxMs === undefined), {
    path: ['do'],
    message: '"screenshots" and "maxMs" go with do "start"',
  })
  .refine((action) => action.do === 'stop' || (action.gzip === undefined && action.saveAs === undefined), {
    path: ['do'],
    message: '"gzip" and "saveAs" go with do "stop"',
  });
