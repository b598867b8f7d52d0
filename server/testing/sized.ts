/** Set by `npm run proof`: tests then use every variant, and sizes that occur in the world. */
const WHOLE = process.env['WHEELHOUSE_PROOF'] === '1';

/** A size or a list of variants: a small one in `npm test`, the whole one in `npm run proof`. */
export function sized<T>(small: T, whole: T): T {
  return WHOLE ? whole : small;
}
