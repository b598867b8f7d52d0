/**
 * Takes the secrets out of the addresses in a text: values of query and fragment parameters whose names say so, and passwords before a
 * host. Names, order and everything else stay, so that a row still tells where it was (SN6).
 */
export function maskAddresses(text: string): string {
  const hide = (whole: string, before: string, name: string, is: string): string => (isSecretName(name) ? `${before}${name}${is}${MASK}` : whole);
  return text.replace(PASSWORD, `$1${MASK}@`).replace(NESTED, hide).replace(PARAMETER, hide);
}

/** The same in every text of a value, however deep. */
export function maskedDeep(value: unknown): unknown {
  if (typeof value === 'string') return maskAddresses(value);
  if (Array.isArray(value)) return value.map(maskedDeep);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([field, inner]: [string, unknown]) => [field, maskedDeep(inner)]));
}

const MASK = '•••';
const PARAMETER = /([?&#;])([\w.%[\]$~-]{1,100})(=)[^&#;?\s"'“”<>]+/g;
/** The same inside the value of another parameter, escaped: where to go after signing in, for example. */
const NESTED = /(%3F|%26)([\w.~-]{1,100})(%3D)(?:(?!%26|%23)[^&#\s"'“”<>])+/gi;
const PASSWORD = /(\/\/[^/\s:@?#]*:)[^/\s@?#]+@/g;

/** One of these words in a name makes its value a secret. */
const SECRET_WORDS = new Set([
  'token', 'key', 'password', 'passwd', 'pwd', 'passcode', 'secret', 'session', 'sessionid', 'sid', 'sess', 'auth', 'authorization', 'ticket', 'otp', 'pin',
  'signature', 'sig', 'credential', 'credentials', 'jwt', 'nonce', 'verification', 'invite', 'invitation', 'magic', 'reset',
]);
/** As a whole name only: a country code or a post code is none. */
const SECRET_NAMES = new Set(['code', 'state', 'hmac', 'login']);
const SECRET_ENDS = /(?:token|apikey|accesskey|password|passwd|secret|sessid|sessionid|authcode|signature)$/;

function isSecretName(written: string): boolean {
  const name = decoded(written);
  const words = name.replace(/([a-z\d])([A-Z])/g, '$1 $2').toLowerCase().split(/[^a-z\d]+/);
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
