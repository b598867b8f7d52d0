import type { Budget } from '@/lib/budget/budget';
import { isSecretField } from '@/lib/snapshot/secret';
import { inFocusedWorld } from './focused-world';
import { injectedCall } from './world';
import type { IsolatedWorlds } from './isolated-worlds';

/** The field that receives keys. */
export interface FocusedField {
  /** Equal for the same element. */
  readonly id: string;
  /**
   * Whether a code may continue in the next field by itself: this is one of several boxes for one character, or a
   * secret field.
   */
  readonly goesOn: boolean;
}

/** The field that receives typed text; undefined when the focus is on no field. Source: DOM.describeNode. */
export function focusedField(
  budget: Budget,
  worlds: IsolatedWorlds,
  mainFrameId: string,
): Promise<FocusedField | undefined> {
  return inFocusedWorld(budget, worlds, mainFrameId, async (world) => {
    const objectId = await world.pick(budget, injectedCall('focus', 'element'));
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
