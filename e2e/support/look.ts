import { LANGUAGE_TAGS, LOCALES, type Locale } from '@/components/messages/locale';

/** Windows by CSS pixels; the smallest is a phone's, with touch. */
const SIZES = {
  desk: { width: 1440, height: 900 },
  tablet: { width: 1024, height: 768 },
  phone: { width: 390, height: 844 },
} as const;
const THEMES = ['light', 'dark'] as const;

export type Size = keyof typeof SIZES;

/** How a story sees the interface. */
export interface Look {
  readonly size: Size;
  readonly theme: (typeof THEMES)[number];
  readonly locale: Locale;
}

const sizes: readonly Size[] = ['desk', 'tablet', 'phone'];

/** Every combination. */
export const LOOKS: readonly Look[] = sizes.flatMap((size) =>
  THEMES.flatMap((theme) => LOCALES.map((locale) => ({ size, theme, locale }))),
);

/** `phone dark zh`. */
export function nameOf({ size, theme, locale }: Look): string {
  return `${size} ${theme} ${locale}`;
}

/**
 * The combination in which `npm test` plays the story with this title, out of those of the sizes that it knows: the
 * same at every run, and spread over all stories.
 */
export function lookOf(title: string, known: readonly Size[] = sizes): Look {
  const looks = LOOKS.filter(({ size }) => known.includes(size));
  const look = looks[hashOf(title) % looks.length];
  if (!look) throw new Error('A story needs a size.');
  return look;
}

/** FNV-1a, 32 bits, and a last mix, since the remainder takes its lowest bits. */
function hashOf(text: string): number {
  let hash = 0x81_1c_9d_c5;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01_00_01_93);
  return (hash ^ (hash >>> 15)) >>> 0;
}

/** Options of a browser in which the interface looks so from its first page on. */
export function windowOf({ size, theme, locale }: Look) {
  const phone = size === 'phone';
  return { viewport: SIZES[size], hasTouch: phone, isMobile: phone, colorScheme: theme, locale: LANGUAGE_TAGS[locale] };
}
