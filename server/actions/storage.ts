import type { ActionOf } from '@/lib/actions/kinds';
import { cleanText } from '@/lib/text/clean';
import { clearStorage, originOf, placeOf, readStorage, writeStorage } from '@/server/browser/state/storage';
import { defineAction, type ActionContext, type HandlerResult } from './context';

/** Local and session storage of the page (PS3). */
export const storage = defineAction({
  kind: 'storage',
  settles: false,
  queued: true,
  run: (context, action) => run(context, action),
});

const MOST_KEY = 10_000;

async function run(
  { tab, budget, write, showsValues }: ActionContext,
  action: ActionOf<'storage'>,
): Promise<HandlerResult> {
  const { bulk } = tab.sessions;
  const place = await placeOf(budget, bulk, tab.page.document.frameId, action.area);
  const where = {
    scope: place.isLocalStorage ? 'origin' : 'tab',
    origin: originOf(place),
  };
  if (action.do === 'set')
    return { value: { ...where, changed: await writeStorage(write, place, action.values ?? {}) } };
  const present = await readStorage(budget, bulk, place);
  if (action.do === 'clear')
    return { value: { ...where, changed: await clearStorage(write, place, present, action.key) } };
  const entries = present
    .filter(([key]) => action.key === undefined || key === action.key)
    .map(([key, value]) => ({ key: cleanText(key, MOST_KEY), ...(showsValues ? { value } : {}), size: value.length }));
  return {
    value: { ...where, entries },
    ...(showsValues ? {} : { warnings: ['Values are shown only to who may run scripts.'] }),
  };
}
