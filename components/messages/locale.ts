export const LOCALES = ['en', 'zh'] as const;
export type Locale = (typeof LOCALES)[number];

/** Name of the cookie with the chosen language. */
export const LOCALE_COOKIE = 'wh_locale';

/** BCP 47 tags for the `lang` attribute and for number and date formats. */
export const LANGUAGE_TAGS: Readonly<Record<Locale, string>> = { en: 'en', zh: 'zh-CN' };

export function isLocale(value: string): value is Locale {
  return LOCALES.some((locale) => locale === value);
}

/**
 * Chooses a page's language: the chosen one, else the best of the browser's list, else English.
 * @param cookie value of `wh_locale`, if any
 * @param acceptLanguage the header as sent, such as `zh-CN,zh;q=0.9,en;q=0.8` (RFC 9110, 12.5.4)
 */
export function pickLocale(cookie: string | undefined, acceptLanguage: string | null): Locale {
  if (cookie !== undefined && isLocale(cookie)) return cookie;
  const wanted = (acceptLanguage ?? '').split(',').map(readRange);
  wanted.sort((a, b) => b.weight - a.weight);
  return wanted.find((range) => range.weight > 0 && range.locale)?.locale ?? 'en';
}

function readRange(range: string): { locale: Locale | undefined; weight: number } {
  const [tag = '', ...parameters] = range.split(';').map((part) => part.trim());
  const quality = parameters.find((parameter) => parameter.startsWith('q='));
  const weight = quality === undefined ? 1 : Number(quality.slice(2));
  const primary = tag.toLowerCase().split('-')[0] ?? '';
  return { locale: isLocale(primary) ? primary : undefined, weight: Number.isFinite(weight) ? weight : 0 };
}
