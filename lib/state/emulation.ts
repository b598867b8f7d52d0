import { z } from 'zod';

/** What emulation can change about the page's surroundings (PS4). null removes a setting. */

const headerName = z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,200}$/u, 'is not the name of a header');
const headerValue = z
  .string()
  .max(4_096)
  .regex(/^[\t\x20-\x7e\x80-\xff]*$/u, 'holds characters that a header cannot');

const credentials = z.strictObject({
  username: z.string().max(1_000),
  password: z.string().max(1_000),
  /** The only origin that gets them, such as `https://intranet.example`; absent: any origin that asks. */
  origin: z.url().max(2_048).optional(),
});

const geolocation = z.strictObject({
  latitude: z.number().min(-90).max(90),
  longitude: z.number().min(-180).max(180),
  accuracy: z.number().min(0).max(1_000_000).optional(),
});

const media = z.strictObject({
  type: z.enum(['screen', 'print']).optional(),
  colorScheme: z.enum(['light', 'dark']).optional(),
  reducedMotion: z.enum(['reduce', 'no-preference']).optional(),
  contrast: z.enum(['more', 'less', 'no-preference']).optional(),
  forcedColors: z.enum(['active', 'none']).optional(),
});

const device = z.strictObject({
  width: z.int().min(100).max(8_192),
  height: z.int().min(100).max(8_192),
  deviceScaleFactor: z.number().min(0.25).max(4).optional(),
  mobile: z.boolean().optional(),
  touch: z.boolean().optional(),
  userAgent: z.string().min(1).max(1_000).optional(),
});

const throttling = z.strictObject({
  /** How many times slower the processor is. */
  cpu: z.number().min(1).max(20).optional(),
  network: z
    .union([
      z.enum(['slow-3g', 'fast-3g', 'slow-4g']),
      z.strictObject({
        latencyMs: z.number().min(0).max(60_000),
        downKbps: z.number().min(1).max(10_000_000),
        upKbps: z.number().min(1).max(10_000_000),
      }),
    ])
    .optional(),
});

export const emulationSchema = z.strictObject({
  offline: z.boolean().nullish(),
  /** Sent with every request. */
  headers: z
    .record(headerName, headerValue)
    .refine((headers) => Object.keys(headers).length <= 50, 'holds more than 50 headers')
    .nullish(),
  credentials: credentials.nullish(),
  geolocation: geolocation.nullish(),
  media: media.nullish(),
  /** Name of the IANA database, such as `Asia/Tokyo`. */
  timezone: z.string().max(100).refine(isTimezone, 'is not a time zone such as "Europe/London"').nullish(),
  /** BCP 47, such as `de-DE`; also sent to the page's server as `Accept-Language`. */
  locale: z.string().max(60).refine(isLocale, 'is not a locale such as "de-DE"').nullish(),
  device: device.nullish(),
  throttling: throttling.nullish(),
});
export type EmulationChange = z.infer<typeof emulationSchema>;
export type EmulationField = keyof EmulationChange;
/** The settings that apply; without nulls. */
export type Emulation = { readonly [K in EmulationField]?: NonNullable<EmulationChange[K]> };

export const EMULATION_FIELDS: readonly EmulationField[] = emulationSchema.keyof().options;

/** Chrome accepts a time zone that does not exist, and shows UTC. */
function isTimezone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

function isLocale(name: string): boolean {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(name).length > 0;
  } catch {
    return false;
  }
}

export const emulationAnswerSchema = z.object({
  /** The effective settings: the tab's override the session's. Passwords and secret headers are masked. */
  inForce: z.record(z.string(), z.unknown()),
  /** Whether each effective setting is the tab's or the session's. */
  scope: z.record(z.string(), z.enum(['tab', 'session'])),
});
export type EmulationAnswer = z.infer<typeof emulationAnswerSchema>;

/** Applies the change to the present settings. */
export function changedBy(before: Emulation, change: EmulationChange): Emulation {
  const after: Record<string, unknown> = { ...before };
  for (const field of EMULATION_FIELDS) {
    const value = change[field];
    if (value === null) Reflect.deleteProperty(after, field);
    else if (value !== undefined) after[field] = value;
  }
  return after;
}
