import type { Environment } from './config';

const UTF8 = /utf-?8/i;
const ANYWHERE = 'C.UTF-8';

/**
 * The variable to set so that Chrome on Linux reads file names as UTF-8; none when it already does. Without it
 * `setFileInputFiles` of a name like "é.pdf" is answered as done, but the page gets no file (measured on Chromium 156).
 * Containers and services often have no locale.
 */
export function utf8Locale(
  { LC_ALL = '', LC_CTYPE = '', LANG = '' }: Environment,
  platform: NodeJS.Platform,
): Readonly<Record<string, string>> {
  if (platform !== 'linux' || UTF8.test(LC_ALL || LC_CTYPE || LANG)) return {};
  return LC_ALL === '' ? { LC_CTYPE: ANYWHERE } : { LC_ALL: ANYWHERE };
}
