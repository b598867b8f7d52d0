import type { Budget } from '@/lib/budget/budget';
import { isSecretField } from '@/lib/snapshot/secret';
import { inFocusedWorld } from './focused-world';
import { kitCall } from './world';
import type { IsolatedWorlds } from './isolated-worlds';

/** The field that keys go to. */
export interface FocusedField {
  /** The same as long as it is the same element. */
  readonly id: string;
  /**
   * Where a code goes on by itself: one of several boxes for a single character, or a field that is secret by its
   * nature.
   */
  readonly goesOn: boolean;
}

/** Where typed text goes; undefined when it goes into no field. Source: DOM.describeNode. */
export function focusedField(
  budget: Budget,
  worlds: IsolatedWorlds,
  mainFrameId: string,
): Promise<FocusedField | undefined> {
  return inFocusedWorld(budget, worlds, mainFrameId, async (world) => {
    const objectId = await world.pick(budget, kitCall('focus', 'element'));
    if (objectId === undefined) return undefined;
    const node = await world.node(budget, objectId);
    world.release(objectId);
    const attributes = new Map(
      (node.attributes ?? []).flatMap((name, at, all): [string, string][] =>
        at % 2 === 0 ? [[name, all[at + 1] ?? '']] : [],
      ),
    );
    const given = (name: string): string => attributes.get(name) ?? '';
    const editable = node.localName === 'input' || node.localName === 'textarea' || attributes.has('contenteditable');
    return editable
      ? { id: `${world.frameId} ${node.backendNodeId}`, goesOn: given('maxlength') === '1' || isSecretField(given) }
      : undefined;
  });
}
