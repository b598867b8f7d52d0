import { DocumentCheck, type CheckArgs } from './check';
import { DocumentStyles } from './styles';
import { DocumentParts } from './parts';
import { DocumentPlaces } from './places';
import { DocumentRelations } from './relations';
import { DocumentSheets } from './sheets';
import { DocumentWatch } from './watch';

/**
 * An expression that makes the watch of a document in our world, once. The classes are sent as their own source text.
 */
export const WATCH_SOURCE = `(() => {
  if (globalThis.wheelhouseWatch) return;
  const __name = (value) => value;
  const watch = new (${DocumentWatch.toString()})();
  const places = new (${DocumentPlaces.toString()})(watch);
  const looks = new (${DocumentStyles.toString()})(watch);
  const sheets = new (${DocumentSheets.toString()})(watch);
  const relations = new (${DocumentRelations.toString()})(watch);
  const parts = new (${DocumentParts.toString()})(watch, places, looks);
  const covers = () => globalThis.wheelhouseCovers;
  const check = new (${DocumentCheck.toString()})({ watch, places, looks, sheets, relations, parts, covers });
  const begin = () => { const mark = watch.begin(); looks.begin(); sheets.note(); return mark; };
  globalThis.wheelhouseWatch = { begin, run: (args) => check.run(args) };
})()`;

/** Begins anew: returns `{count, print}`. */
export const BEGIN_SOURCE = 'globalThis.wheelhouseWatch.begin()';

/** Returns what `DocumentCheck.run` returns. */
export function checkSource(args: CheckArgs): string {
  return `globalThis.wheelhouseWatch?.run(${JSON.stringify(args)}) ?? []`;
}
