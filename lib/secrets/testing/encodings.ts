const utf8 = (text: string): string => Buffer.from(text).toString('latin1');
const percent = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');

/** Encodings that pages and protocols apply to a text, by name. */
export const ENCODINGS: Readonly<Record<string, (text: string) => string>> = {
  plain: (text) => text,
  json: (text) => JSON.stringify(text),
  'json in json': (text) => JSON.stringify(JSON.stringify({ a: text })),
  'json, all escaped': (text) =>
    text.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}`),
  html: (text) => text.replace(/[&<>"']/g, (char) => `&#${char.codePointAt(0) ?? 0};`),
  'html by names': (text) =>
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
  url: encodeURIComponent,
  'url of a url': (text) => encodeURIComponent(encodeURIComponent(text)),
  form: (text) => new URLSearchParams({ q: text }).toString(),
  'percent, all': percent,
  'percent, upper case': (text) => percent(text).toUpperCase(),
  base64: (text) => btoa(utf8(text)),
  'base64 after one': (text) => btoa(`x${utf8(text)}yz`),
  'base64 after two': (text) => btoa(`xy${utf8(text)}`),
  'base64 in an address': (text) => encodeURIComponent(btoa(`xy${utf8(text)}`)),
  base64url: (text) => Buffer.from(`u:${text}`).toString('base64url'),
  hex: (text) => Buffer.from(text).toString('hex'),
  'hex, upper case': (text) => Buffer.from(text).toString('hex').toUpperCase(),
  reversed: (text) => [...text].toReversed().join(''),
};

/** The spellings of a secret that a leak would show, whatever stands around them. */
export function tracesOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const base64 = [0, 1, 2].map((before) =>
    Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .slice(before === 0 ? 0 : before + 1, Math.floor(((before + bytes.length) * 8) / 6)),
  );
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    [...secret].toReversed().join(''),
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase(),
    percent(secret),
    percent(secret).toUpperCase(),
    ...base64,
  ];
}
