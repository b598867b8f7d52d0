import { z } from 'zod';

/** A cookie as it is set. Without `url` and `domain` it is for the address of the tab. */
export const cookieParamSchema = z.strictObject({
  name: z.string().min(1).max(4_096),
  value: z.string().max(4_096),
  url: z.string().min(1).max(2_048).optional(),
  domain: z.string().min(1).max(253).optional(),
  path: z.string().min(1).max(2_048).optional(),
  secure: z.boolean().optional(),
  httpOnly: z.boolean().optional(),
  sameSite: z.enum(['Strict', 'Lax', 'None']).optional(),
  /** Seconds since 1970; absent for a session cookie. */
  expires: z.number().min(0).max(100_000_000_000).optional(),
});
export type CookieParam = z.infer<typeof cookieParamSchema>;

export const cookieViewSchema = z.object({
  name: z.string(),
  /** Left out for callers who may not run scripts: a cookie value is worth a sign-in. */
  value: z.string().optional(),
  domain: z.string(),
  path: z.string(),
  expires: z.number().optional(),
  size: z.int(),
  httpOnly: z.boolean(),
  secure: z.boolean(),
  sameSite: z.enum(['Strict', 'Lax', 'None']).optional(),
});
export type CookieView = z.infer<typeof cookieViewSchema>;

/** `context`: all tabs of the session share them (PS3). */
export const cookiesAnswerSchema = z.object({ scope: z.literal('context'), cookies: z.array(cookieViewSchema) });
export const cookiesChangeSchema = z.object({ scope: z.literal('context'), changed: z.int() });

export const storageAnswerSchema = z.object({
  /** `origin`: all tabs of the session with pages of this origin share it; `tab`: this tab's own. */
  scope: z.enum(['origin', 'tab']),
  origin: z.string(),
  entries: z.array(z.object({ key: z.string(), value: z.string().optional(), size: z.int() })),
});
export const storageChangeSchema = z.object({ scope: z.enum(['origin', 'tab']), origin: z.string(), changed: z.int() });
