/** `autocomplete` tokens whose fields hold secrets: passwords, one-time codes, payment cards (SN6). */
const SECRET_TOKEN = /^(?:current-password|new-password|one-time-code|cc-.+)$/;

/**
 * Names and ids of the same fields, and of keys and tokens, where the page gives no `autocomplete`. Kept narrow: a
 * wrong hit hides a harmless value.
 */
const SECRET_NAME =
  /(?:^|[^a-z])(?:passw(?:or)?d|passcode|passphrase|pwd|otp|totp|one[-_]?time[-_]?(?:code|password)|pin(?:[-_]?code)?|cvv2?|cvc2?|csc|card[-_]?(?:num(?:ber)?|no)|cc[-_]?(?:num(?:ber)?|csc|cvc|exp)|security[-_]?code|(?:api|access|auth|secret|private|recovery|license)[-_]?key|(?:(?:api|access|auth|bearer|secret|session|refresh|id)[-_]?)?token|(?:client[-_]?)?secret|mima|yanzhengma)(?:[^a-z]|$)|密码|口令|验证码|校验码|动态码|密钥|私钥|令牌|安全码|卡号/i;

/**
 * Whether a text field holds a password, a one-time code or a card. `attribute` gives attributes by lower-case name, ''
 * when absent.
 */
export function isSecretField(attribute: (name: string) => string): boolean {
  if (attribute('type').trim().toLowerCase() === 'password') return true;
  const tokens = attribute('autocomplete').toLowerCase().split(/\s+/);
  if (tokens.some((token) => SECRET_TOKEN.test(token))) return true;
  return (
    ['name', 'id'].some((name) => SECRET_NAME.test(wordsOf(attribute(name)))) ||
    ['aria-label', 'placeholder'].some((name) => soundsSecret(attribute(name)))
  );
}

/** `cardNumber` reads as `card-number`. */
function wordsOf(identifier: string): string {
  return identifier.slice(0, 200).replace(/([a-z])([A-Z])/g, '$1-$2');
}

const SECRET_LABEL =
  /passw|passcode|passphrase|\bpin\b|one.?time.?(?:code|password)|\botp\b|verification code|card.?number|\bcvc|\bcvv|security code|secret|\b(?:api|access|private|recovery).?key\b|\b(?:access|api|auth|bearer|refresh|session).?token\b|^token$|密码|口令|验证码|校验码|动态码|密钥|私钥|令牌|安全码|卡号/i;

/** The same as texts, for the program that runs inside a page. */
export const SECRET_PATTERNS = {
  token: SECRET_TOKEN.source,
  name: SECRET_NAME.source,
  label: SECRET_LABEL.source,
} as const;

/** Whether the name of a field suggests that its content is secret (SN6), in English or Chinese. */
export function soundsSecret(name: string): boolean {
  return SECRET_LABEL.test(name.slice(0, 200));
}
