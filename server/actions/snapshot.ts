import type { ActionOf } from '@/lib/actions/kinds';
import type { TakeOptions } from '@/server/browser/snapshot/take-options';
import { withElement, optionalElement } from './resolved-target';
import { defineAction, type ActionContext } from './context';
import { picture } from './screenshot';

export const snapshot = defineAction({
  kind: 'snapshot',
  settles: false,
  queued: false,
  run: async (context, action) => {
    const { tab, budget, tabs, reader } = context;
    const titles = tabs.list().map(({ title, id }) => ({ title, current: id === tab.id }));
    const view = await tab.snapshots.take(budget, {
      ...action,
      ...(await partOf(context, action)),
      tabs: titles,
      reader,
    });
    if (action.labels !== true) return { value: view };
    return { value: { ...view, picture: (await picture(context, { kind: 'screenshot', labels: true })).value } };
  },
});

/** The requested subtree; a selector or a role is looked up in the page. */
async function partOf(
  context: ActionContext,
  action: ActionOf<'snapshot'>,
): Promise<Pick<TakeOptions, 'rootRef' | 'rootNode'>> {
  const target = optionalElement(action);
  if (!target) return {};
  if (target.by === 'ref') return { rootRef: target.ref };
  const { budget } = context;
  return withElement(context, target, async (element) => {
    const { node } = await budget.race(element.session.send('DOM.describeNode', { objectId: element.objectId }));
    return { rootNode: { frameId: element.world.frameId, backendNodeId: node.backendNodeId } };
  });
}
