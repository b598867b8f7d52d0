import type { Locator } from '@/lib/input-recorder/target-element';
import type { RefEntry, RefTable } from '../refs';
import type { ElementInfo } from '../target/element';
import type { EventTargetFacts } from '../target/page/event-target';
import { nameFrame, type NamingTab } from './frame-name';

export interface LocatorTab extends NamingTab {
  readonly page: { readonly document: { readonly frameId: string } };
  readonly refs: Pick<RefTable, 'lookup' | 'hasNamesake'>;
}

/** In a name that was cut: it would not be found. */
const CUT = '…(+';

/**
 * How an action finds an element again. Role and name say most, with the position where a snapshot counted it; a
 * selector is for what has no name, or shares it and was never counted. In a frame both need the frame's name.
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
  // Nothing names the page itself, and without a frame's name a position counts all frames.
  const nth = frame === undefined && entry && tab.refs.hasNamesake(entry) ? undefined : entry?.nth;
  const sure = nth !== undefined || (alone && entry === undefined) || selector === '';
  if (name !== '' && !name.includes(CUT) && sure) return { role, name, ...(nth !== undefined && { nth }), ...inside };
  return selector === '' ? undefined : { selector, ...inside };
}

function entryOf({ refs }: LocatorTab, ref: string): RefEntry | undefined {
  try {
    return refs.lookup(ref);
  } catch {
    // Its document was replaced meanwhile.
    return undefined;
  }
}
