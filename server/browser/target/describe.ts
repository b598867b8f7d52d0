import { z } from 'zod';
import type { Budget } from '@/lib/budget/budget';
import { cleanText } from '@/lib/text/clean';
import type { RefEntry } from '../refs';
import type { ElementInfo } from './element';
import type { RefLookup } from './ports';
import { injectedCall, type PageWorld } from './world';

const MAX_NAME = 200;

interface NodeView {
  readonly backendNodeId: number;
  /** The element's tag name, such as `div`. */
  readonly tag: string;
  readonly known: RefEntry | undefined;
}

/** The backend id of a held element and the ref it has, if any. Source: DOM.describeNode. */
export async function identify(budget: Budget, world: PageWorld, refs: RefLookup, objectId: string): Promise<NodeView> {
  const { backendNodeId, localName } = await world.node(budget, objectId);
  return { backendNodeId, tag: localName || 'generic', known: refs.byNode(world.frameId, backendNodeId) };
}

/** Role and name of a held element from the accessibility tree. Source: Accessibility.getPartialAXTree, about 1 ms. */
export async function describeElement(
  budget: Budget,
  world: PageWorld,
  refs: RefLookup,
  objectId: string,
): Promise<ElementInfo> {
  const { backendNodeId, tag, known } = await identify(budget, world, refs, objectId);
  if (known) return { ref: known.ref, role: known.role, name: known.name };
  const { nodes } = await budget.race(
    world.session.send('Accessibility.getPartialAXTree', { backendNodeId, fetchRelatives: false }),
  );
  const [node] = nodes;
  const role = textOf(node?.role?.value);
  // Elements that accessibility leaves out, hidden ones for example, get their tag as role.
  const name = textOf(node?.name?.value);
  const tells =
    name !== '' &&
    world.hides &&
    (await world.call(budget, z.boolean(), injectedCall('hidden', 'tells', { objectId })));
  return { role: role === '' || role === 'none' ? tag : role, name: tells ? '' : name };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? cleanText(value, MAX_NAME) : '';
}
