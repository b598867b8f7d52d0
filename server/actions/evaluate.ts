import type { ActionOf } from '@/lib/actions/kinds';
import { WheelhouseError } from '@/lib/errors/error';
import type { FrameTarget } from '@/server/browser/frames/frame-target';
import { runInPage, type NamedElement, type PageNode } from '@/server/browser/puppeteer-engine';
import { resolveAgain, resolveTarget, type ElementTarget } from '@/server/browser/target/resolve';
import { CdpError } from '@/server/cdp/protocol';
import { withElement, optionalElement } from './resolved-target';
import { defineAction, type ActionContext, type HandlerResult } from './context';

/** Not queued: a script never waits behind other actions of the tab, nor holds them up (EV1). */
export const evaluate = defineAction({
  kind: 'evaluate',
  settles: false,
  queued: false,
  failsOnDialog: true,
  run: (context, action) => run(context, action),
});

async function run(context: ActionContext, action: ActionOf<'evaluate'>): Promise<HandlerResult> {
  await context.checkLease();
  const { engine = 'auto' } = action;
  if (engine === 'page') return byPuppeteer(context, action, 'it was asked for');
  const refused = context.tab.sessions.evaluate.ended !== undefined;
  try {
    return await byCdp(context, action);
  } catch (error) {
    const reason = engine === 'auto' ? fallbackFor(context, error, refused) : undefined;
    if (reason === undefined) throw error;
    context.tab.evaluator.fellBack(reason);
    return byPuppeteer(context, action, REASONS[reason]);
  }
}

/** The name in Chrome of an agent's script (CO3). */
export function scriptName({ tab, agent }: Pick<ActionContext, 'tab' | 'agent'>): string | undefined {
  return agent && tab.tools.leftScripts.names.use(agent);
}

const SHARED_LANE = 'Ran on the connection of the commands, since Chrome refused one for scripts.';

async function byCdp(context: ActionContext, action: ActionOf<'evaluate'>): Promise<HandlerResult> {
  const outcome = await onOwnSession(context, action);
  return context.tab.scriptsShareLane ? { ...outcome, warnings: [SHARED_LANE] } : outcome;
}

async function onOwnSession(context: ActionContext, action: ActionOf<'evaluate'>): Promise<HandlerResult> {
  const target = optionalElement(action);
  if (!target) return { value: await runOn(context, action), engine: 'cdp' };
  try {
    return { value: await runOn(context, action, await argument(context, target, resolveTarget)), engine: 'cdp' };
  } catch (error) {
    if (!(error instanceof WheelhouseError) || error.code !== 'NODE_GONE' || target.by !== 'ref') throw error;
    // No script has run yet. The page may have rendered the element anew (SN4).
    return {
      value: await runOn(context, action, await argument(context, target, resolveAgain)),
      engine: 'cdp',
      via: 'role',
    };
  }
}

function runOn(
  context: ActionContext,
  { fn, args = [], returnMode }: ActionOf<'evaluate'>,
  on?: Argument,
): Promise<unknown> {
  const { evaluator } = on?.frame ?? context.tab;
  return evaluator.run(context.budget, {
    fn,
    args,
    elementId: on?.objectId,
    name: scriptName(context),
    preview: returnMode === 'preview',
  });
}

type Fallback = 'ref' | 'attach';
const REASONS: Readonly<Record<Fallback, string>> = {
  ref: 'the element could not be mapped',
  attach: 'our own session on the page was refused',
};

/** Why puppeteer may be tried (EV7): never after the script itself began. */
function fallbackFor({ tab, budget }: ActionContext, error: unknown, refused: boolean): Fallback | undefined {
  if (budget.over || tab.health.state === 'closed' || tab.health.state === 'crashed') return undefined;
  if (refused) return 'attach';
  return error instanceof CdpError && error.method === 'DOM.resolveNode' ? 'ref' : undefined;
}

async function byPuppeteer(context: ActionContext, action: ActionOf<'evaluate'>, why: string): Promise<HandlerResult> {
  const { tab, budget, browserUrl } = context;
  const target = optionalElement(action);
  const element = target && (why === REASONS.ref ? named(context, target) : await numbered(context, target));
  const by = (source: string): Promise<unknown> => runInPage(budget, browserUrl, tab, source, element);
  const value = await tab.evaluator.run(budget, {
    fn: action.fn,
    args: action.args ?? [],
    by,
    onElement: element !== undefined,
    name: scriptName(context),
    preview: action.returnMode === 'preview',
  });
  return { value, engine: 'page', warnings: [`Ran by puppeteer, since ${why}.`] };
}

const NOT_THERE = 'Use the engine "cdp" or "auto" for it.';

/**
 * The element that our own engine would take, as a number that puppeteer's session understands as well. Throws
 * UNSUPPORTED in a frame of another process.
 */
function numbered(context: ActionContext, target: ElementTarget): Promise<PageNode> {
  const { tab, budget } = context;
  return withElement(context, target, async ({ world, session, objectId }) => {
    if (tab.frames.targetOf(world.frameId))
      throw new WheelhouseError('UNSUPPORTED', 'The engine "page" does not reach into frames of other sites.', {
        hint: NOT_THERE,
      });
    const { node } = await budget.race(session.send('DOM.describeNode', { objectId }));
    return { backendNodeId: node.backendNodeId };
  });
}

/**
 * The second way to an element (SN4), where its number leads nowhere. Throws UNSUPPORTED for one that has no role and
 * name to go by.
 */
function named({ tab }: ActionContext, target: ElementTarget): NamedElement {
  if (target.by === 'ref') return tab.refs.lookup(target.ref);
  if (target.by === 'role') return { role: target.role, name: target.name ?? '', nth: target.nth ?? 0 };
  throw new WheelhouseError(
    'UNSUPPORTED',
    'The element could not be mapped, and puppeteer would look for it by role and name.',
    { hint: 'Name it by ref, or by role and name.' },
  );
}

/**
 * An element as an object of the evaluate session, and the process of its own that its frame is in, if it is in one.
 */
interface Argument {
  readonly objectId: string;
  readonly frame: FrameTarget | undefined;
}

/** The element of the action in the page's own world, where its frame's scripts are (EV5). Source: DOM.resolveNode. */
async function argument(context: ActionContext, target: ElementTarget, find: typeof resolveTarget): Promise<Argument> {
  const { tab, budget } = context;
  return withElement(
    context,
    target,
    async (element) => {
      const frame = tab.frames.targetOf(element.world.frameId);
      const { node } = await budget.race(element.session.send('DOM.describeNode', { objectId: element.objectId }));
      const { object } = await budget.race(
        (frame ?? tab).sessions.evaluate.send('DOM.resolveNode', { backendNodeId: node.backendNodeId }),
      );
      if (object.objectId !== undefined) return { objectId: object.objectId, frame };
      throw new WheelhouseError('NODE_GONE', `${element.title} left the page.`);
    },
    find,
  );
}
