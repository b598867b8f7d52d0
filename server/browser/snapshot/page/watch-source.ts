import { DocumentCheck, type CheckArgs } from './check';
import { DocumentPlaces } from './places';
import { DocumentWatch } from './watch';

/** An expression that makes the watch of a document in our world, once. The classes travel as their own source text. */
export const WATCH_SOURCE = `(() => {
  if (globalThis.wheelhouseWatch) return;
  const __name = (value) => value;
  const watch = new (${DocumentWatch.toString()})();
  const places = new (${DocumentPlaces.toString()})(watch);
  const check = new (${DocumentCheck.toString()})(watch, places);
  globalThis.wheelhouseWatch = { begin: () => watch.begin(), run: (args) => check.run(args) };
})()`;

/** Begins anew: gives `{count, print}`. */
export const BEGIN_SOURCE = 'globalThis.wheelhouseWatch.begin()';

/** Gives what `DocumentCheck.run` gives. */
export function checkSource(args: CheckArgs): string {
  return `globalThis.wheelhouseWatch?.run(${JSON.stringify(args)}) ?? { lost: 'nobody watched it' }`;
}
