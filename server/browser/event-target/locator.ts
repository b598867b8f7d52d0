import type { Locator } from '@/lib/input-recorder/target-element';
import type { RefEntry, RefTable } from '../refs';
import type { ElementInfo } from '../target/element';
import type { EventTargetFacts } from '../target/page/event-target';
import { nameFrame, type NamingTab } from './frame-name';

export interface LocatorTab extends NamingTab {
  readonly page: { readonly document: { readonly frameId: string } };
  readonly refs: Pick<RefTable, 'lookup' | 'hasNamesake'>;
}

/** Marks a name that was truncated, by which the element would not be found. */
const CUT = '…(+';

/**
 * A locator that finds the element again: by role and name, with the position if a snapshot counted it; by selector
 * when the element has no name, or shares it and was never counted. In a frame both need the frame's name.
 */
export function locatorOf(
  tab: LocatorTab,
  frameId: string,
  { selector, alone }: Pick<EventTargetFacts, 'selector' | 'alone'>,
  { ref, role, name }: ElementInfo,
): Locator | undefined {
  const frame = nameFrame(tab, frameId);
  if (frame === undefined && frameId !== tab.page.document.frameId) return undefined;
  const inside = frame === undefined ? {} : { frame };
  const entry = ref === undefined ? undefined : entryOf(tab, ref);
  // No frame name stands for the page itself, and without one a position counts the elements of all frames.
  const nth = frame === undefined && entry && tab.refs.hasNamesake(entry) ? undefined : entry?.nth;
  const sure = nth !== undefined || (alone && entry === undefined) || selector === '';
  if (name !== '' && !name.includes(CUT) && sure) return { role, name, ...(nth !== undefined && { nth }), ...inside };
  return selector === '' ? undefined : { selector, ...inside };
}

function entryOf({ refs }: LocatorTab, ref: string): RefEntry | undefined {
  try {
    return refs.lookup(ref);
  } catch {
    // The ref's document was replaced meanwhile.
    return undefined;
  }
}
