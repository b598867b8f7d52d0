import type { Environment } from './config';

const UTF8 = /utf-?8/i;
const ANYWHERE = 'C.UTF-8';

/**
 * What must be set so that Chrome on Linux reads names of files as UTF-8; nothing when it does already. Without it
 * `setFileInputFiles` of a name like "é.pdf" is answered as done and gives the page nothing (Chromium 156, measured):
 * containers and services often have no locale.
 */
export function utf8Locale(
  { LC_ALL = '', LC_CTYPE = '', LANG = '' }: Environment,
  platform: NodeJS.Platform,
): Readonly<Record<string, string>> {
  if (platform !== 'linux' || UTF8.test(LC_ALL || LC_CTYPE || LANG)) return {};
  return LC_ALL === '' ? { LC_CTYPE: ANYWHERE } : { LC_ALL: ANYWHERE };
}
