const BROWSERS: readonly (readonly [string, RegExp])[] = [
  ['Edge', /\bEdgA?\//],
  ['Opera', /\bOPR\//],
  ['Firefox', /\bFirefox\/|\bFxiOS\//],
  ['Chrome', /\bChrome\/|\bCriOS\/|\bHeadlessChrome\//],
  ['Safari', /\bVersion\/.*\bSafari\//],
];
const SYSTEMS: readonly (readonly [string, RegExp])[] = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
];

/** Browser and system of a User-Agent header, as far as they are known names. */
export function browserOf(agent: string | null): { browser: string | undefined; system: string | undefined } {
  const named = (list: typeof BROWSERS) => list.find(([, sign]) => sign.test(agent ?? ''))?.[0];
  return { browser: named(BROWSERS), system: named(SYSTEMS) };
}
