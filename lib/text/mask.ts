/**
 * Removes secrets from addresses and headers (SN6, PS1): names and order stay, values are replaced. A masked text is
 * only for reading: it cannot be opened as an address.
 */
export const MASK = '•••';

/**
 * In the addresses of a text, replaces the values of query and fragment parameters with secret names, and the user info
 * before a host.
 */
export function maskAddresses(text: string): string {
  if (!MAY_HOLD.test(text)) return text;
  const hide = (whole: string, before: string, name: string, is: string): string =>
    isSecretName(name) ? `${before}${name}${is}${MASK}` : whole;
  return text.replace(USERINFO, `$1${MASK}@`).replace(NESTED, hide).replace(PARAMETER, hide);
}

/** The same in running text, with credentials of HTTP headers. */
export function maskText(text: string): string {
  return maskAddresses(text).replace(SCHEME_AND_SECRET, `$1 ${MASK}`);
}

/** The part of a masked address that can still be opened: everything before the first removed part. */
export function openable(url: string): string {
  return url.includes(MASK) ? url.replace(`//${MASK}@`, '//').replace(/[?#;].*$/su, '') : url;
}

/** Addresses in every text of a value, however deep. */
export function maskedDeep(value: unknown): unknown {
  if (typeof value === 'string') return maskAddresses(value);
  if (Array.isArray(value)) return value.map(maskedDeep);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([field, inner]: [string, unknown]) => [field, maskedDeep(inner)]),
  );
}

const MAY_HOLD = /[=@]|%3D/i;
const PARAMETER = /([?&#;])([\w.%[\]$~-]{1,100})(=)[^&#;?\s"'“”<>]+/g;
/** The same inside the value of another parameter, escaped: where to go after signing in, for example. */
const NESTED = /(%3F|%26|%23)([\w.~-]{1,100})(%3D)(?:(?!%26|%23)[^&#\s"'“”<>])+/gi;
/** Up to the last `@` before the path, as Chrome reads it. */
const USERINFO = /(\/\/)[^/\s?#"'“”<>]{1,2000}@/g;
const SCHEME_AND_SECRET = /\b(Bearer|Basic|Negotiate|Digest)\s+[A-Za-z0-9+/=._~-]{8,}/gu;

/** One of these words in a name makes its value a secret. */
const SECRET_WORDS = new Set([
  'token',
  'key',
  'password',
  'passwd',
  'pwd',
  'pass',
  'passcode',
  'passphrase',
  'secret',
  'session',
  'sessionid',
  'sid',
  'sess',
  'auth',
  'authorization',
  'bearer',
  'ticket',
  'otp',
  'totp',
  'pin',
  'cvv',
  'cvc',
  'signature',
  'sig',
  'credential',
  'credentials',
  'jwt',
  'nonce',
  'assertion',
  'saml',
  'verification',
  'invite',
  'invitation',
  'magic',
  'reset',
]);
/** Secret only as a whole name: a country code or a post code is not one. */
const SECRET_NAMES = new Set(['code', 'state', 'hmac', 'login']);
const SECRET_ENDS =
  /(?:token|apikey|accesskey|password|passwd|secret|sessid|sessionid|authcode|signature|samlresponse|samlrequest)$/;

/** Whether a parameter or variable of this name should be hidden. */
export function isSecretName(written: string): boolean {
  const name = decoded(written);
  const words = name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/);
  const joined = words.join('');
  return SECRET_NAMES.has(joined) || SECRET_ENDS.test(joined) || words.some((word) => SECRET_WORDS.has(word));
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    // Half of an escape, where a long address was cut: it is judged as it stands.
    return name;
  }
}

const COOKIE = /^(?:cookie|set-cookie)$/iu;
const SECRET_HEADER = /authorization|authenticate|token|secret|api-?key|password|csrf|xsrf|signature|session/iu;

/** Whether a header proves an identity or a right, so that its value is a secret. */
export function isSecretHeader(name: string): boolean {
  return COOKIE.test(name) || SECRET_HEADER.test(name);
}

/**
 * A header value that may be kept: cookies keep their names, addresses lose their secrets, credentials are masked as a
 * whole.
 */
export function maskHeader(name: string, value: string): string {
  if (COOKIE.test(name)) return maskCookies(value);
  return SECRET_HEADER.test(name) ? MASK : maskAddresses(value);
}

const COOKIE_ATTRIBUTE = /^(?:path|domain|expires|max-age|samesite|priority)$/iu;

/** `a=1; Path=/` becomes `a=•••; Path=/`. Several `Set-Cookie` stand on lines of their own, as Chrome gives them. */
function maskCookies(value: string): string {
  return value
    .split('\n')
    .map((line) => line.split(/;\s*/u).map(maskPair).join('; '))
    .join('\n');
}

function maskPair(pair: string, index: number): string {
  const at = pair.indexOf('=');
  if (at < 0) return index === 0 && pair !== '' ? MASK : pair;
  const name = pair.slice(0, at);
  return index > 0 && COOKIE_ATTRIBUTE.test(name) ? pair : `${name}=${MASK}`;
}
