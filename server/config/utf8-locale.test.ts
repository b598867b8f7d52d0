import { expect, it } from 'vitest';
import { utf8Locale } from './utf8-locale';

it.each([
  [{}, { LC_CTYPE: 'C.UTF-8' }],
  [{ LANG: 'C' }, { LC_CTYPE: 'C.UTF-8' }],
  [{ LC_ALL: 'POSIX', LANG: 'de_DE.UTF-8' }, { LC_ALL: 'C.UTF-8' }],
  [{ LANG: 'de_DE.utf8' }, {}],
  [{ LC_CTYPE: 'C', LANG: 'en_GB.UTF-8' }, { LC_CTYPE: 'C.UTF-8' }],
  [{ LC_ALL: 'C.UTF-8', LANG: 'C' }, {}],
])('[DI2] Chrome reads file names as UTF-8 under any locale: %j', (env, set) => {
  expect([utf8Locale(env, 'linux'), utf8Locale(env, 'darwin')]).toEqual([set, {}]);
});
