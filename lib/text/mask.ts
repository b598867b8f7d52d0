/**
 * Takes secrets out of what a page sends and says, before it is kept (security.md 1.7): names stay, values go. What is kept is
 * for reading only: a masked address is not one to open.
 */
const MASK = '•••';

const SECRET_WORD =
  '(?:access|auth|bearer|csrf|xsrf|id|refresh|security|session)?[-_]?token|api[-_]?key|key|code|ticket|secret|client[-_]?secret|passw(?:or)?d|passwd|pwd|passcode|otp|pin|jwt|sid|session[-_]?id|sig|signature|auth|authorization|credentials?|assertion|saml(?:response|request)|x-amz-(?:signature|security-token|credential)|x-goog-signature';
const SECRET_PARAMETER = new RegExp(`([?&#;](?:${SECRET_WORD})=)[^&#;\\s"'<>]+`, 'giu');
const URL_PASSWORD = /(:\/\/[^/\s:@]*:)[^/\s@]+@/gu;
const SCHEME_AND_SECRET = /\b(Bearer|Basic|Negotiate|Digest)\s+[A-Za-z0-9+/=._~-]{8,}/gu;

/** Passwords and the values of query and fragment parameters that sound secret, replaced. */
export function maskUrl(url: string): string {
  return url.replace(SECRET_PARAMETER, `$1${MASK}`).replace(URL_PASSWORD, `$1${MASK}@`);
}

/** The same in running text, with credentials of HTTP headers. */
export function maskText(text: string): string {
  return maskUrl(text).replace(SCHEME_AND_SECRET, `$1 ${MASK}`);
}

const COOKIE = /^(?:cookie|set-cookie)$/iu;
const SECRET_HEADER = /authorization|authenticate|token|secret|api-?key|password|csrf|xsrf|signature|session/iu;

/** A header value as it may be kept: cookies keep their names, addresses lose their secrets, credentials go whole. */
export function maskHeader(name: string, value: string): string {
  if (COOKIE.test(name)) return maskCookies(value);
  return SECRET_HEADER.test(name) ? MASK : maskUrl(value);
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
