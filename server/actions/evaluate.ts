import type { ActionOf } from '@/lib/actions/kinds';
import { WheelhouseError } from '@/lib/errors/error';
import { lookAt, optionalElement } from './aim';
import { defineAction, type ActionContext, type Outcome } from './context';

/** Not queued: a script never waits behind other actions of the tab, nor holds them up (EV1). */
export const evaluate = defineAction({
  kind: 'evaluate',
  settles: false,
  queued: false,
  run: (context, action) => run(context, action),
});

async function run(context: ActionContext, action: ActionOf<'evaluate'>): Promise<Outcome> {
  const { tab, budget } = context;
  context.checkWheel();
  const elementId = await argument(context, action);
  const value = await tab.evaluator.run(budget, { fn: action.fn, args: action.args ?? [], elementId });
  return { value: action.returnMode === 'preview' ? preview(value) : value, engine: 'cdp' };
}

/** The element of the action as an object of the evaluate session, in the page's own world (EV5). Source: DOM.resolveNode. */
async function argument(context: ActionContext, action: ActionOf<'evaluate'>): Promise<string | undefined> {
  const target = optionalElement(action);
  if (!target) return undefined;
  const { tab, budget } = context;
  return lookAt(context, target, async (element) => {
    const { node } = await budget.race(tab.sessions.commands.send('DOM.describeNode', { objectId: element.objectId }));
    const { object } = await budget.race(tab.sessions.evaluate.send('DOM.resolveNode', { backendNodeId: node.backendNodeId }));
    if (object.objectId !== undefined) return object.objectId;
    throw new WheelhouseError('NODE_GONE', `${element.title} left the page.`);
  });
}

const PREVIEW_CHARS = 2_000;

function preview(value: unknown): string {
  const text = JSON.stringify(value, null, 1) ?? 'undefined';
  return text.length > PREVIEW_CHARS ? `${text.slice(0, PREVIEW_CHARS)}…(+${text.length - PREVIEW_CHARS})` : text;
}
