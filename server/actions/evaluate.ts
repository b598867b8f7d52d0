import type { ActionOf } from '@/lib/actions/kinds';
import { WheelhouseError } from '@/lib/errors/error';
import type { FrameTarget } from '@/server/browser/frames/frame-target';
import type { ElementTarget } from '@/server/browser/target/resolve';
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
  const target = optionalElement(action);
  const on = target && (await argument(context, target));
  const { evaluator } = on?.frame ?? tab;
  const value = await evaluator.run(budget, { fn: action.fn, args: action.args ?? [], elementId: on?.objectId, preview: action.returnMode === 'preview' });
  return { value, engine: 'cdp' };
}

/** An element as an object of the evaluate session, and the process of its own that its frame is in, if it is in one. */
interface Argument {
  readonly objectId: string;
  readonly frame: FrameTarget | undefined;
}

/** The element of the action in the page's own world, where its frame's scripts are (EV5). Source: DOM.resolveNode. */
async function argument(context: ActionContext, target: ElementTarget): Promise<Argument> {
  const { tab, budget } = context;
  return lookAt(context, target, async (element) => {
    const frame = tab.frames.targetOf(element.world.frameId);
    const { node } = await budget.race(element.session.send('DOM.describeNode', { objectId: element.objectId }));
    const { object } = await budget.race((frame ?? tab).sessions.evaluate.send('DOM.resolveNode', { backendNodeId: node.backendNodeId }));
    if (object.objectId !== undefined) return { objectId: object.objectId, frame };
    throw new WheelhouseError('NODE_GONE', `${element.title} left the page.`);
  });
}
