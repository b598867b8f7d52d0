import { z } from 'zod';
import type { Budget } from '@/lib/budget/budget';
import { popupSchema, type PopupView } from '@/lib/protocol/popup';
import { cleanText } from '@/lib/text/clean';
import { kitCall } from '../target/world';
import type { Worlds } from '../target/worlds';

/** Options that are shown of a select; its other ones are chosen by the select action. */
const MOST_OPTIONS = 1_000;
const MOST_TEXT = 200;

const seenSchema = z
  .object({
    sort: z.string(),
    label: z.string(),
    options: z.array(z.object({ label: z.string(), group: z.string() }).loose()),
  })
  .loose()
  .nullable();

/**
 * What Chrome would draw outside of the page if this point were pressed (DI3): the menu of a select, a date, time or colour picker. Undefined for
 * anything else, also inside frames. Everything in it is page-made.
 */
export async function popupAt(budget: Budget, worlds: Worlds, frameId: string, { x, y }: { readonly x: number; readonly y: number }): Promise<PopupView | undefined> {
  return worlds.use(budget, frameId, async (world) => {
    const objectId = await world.pick(budget, kitCall('popups', 'controlAt', { value: x }, { value: y }));
    if (objectId === undefined) return undefined;
    const [seen, { node }] = await Promise.all([
      world.call(budget, seenSchema, kitCall('popups', 'read', { objectId }, { value: MOST_OPTIONS })),
      budget.race(world.session.send('DOM.describeNode', { objectId })),
    ]);
    world.release(objectId);
    if (!seen) return undefined;
    const options = seen.options.map((option) => ({ ...option, label: shown(option.label), group: shown(option.group) }));
    const popup = popupSchema.safeParse({ ...seen, options, label: shown(seen.label), node: { loaderId: world.loaderId, backendNodeId: node.backendNodeId } });
    return popup.data;
  });
}

function shown(text: string): string {
  return cleanText(text, MOST_TEXT);
}
