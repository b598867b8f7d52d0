import { eachAction, usesScript, type Action, type ActionKind, type ActionOf } from '@/lib/actions/kinds';
import { asksForValues } from '@/lib/state/asks-for-values';

/**
 * The actions that a guest may ask for, each still with the grants that it needs. Those are missing that read beside
 * the page (cookies, storage, traces), that see it past its covers (pictures, PDF), that run code, and that change the
 * session.
 */
const OF_GUESTS: ReadonlySet<ActionKind> = new Set<ActionKind>([
  'batch',
  'check',
  'click',
  'clipboard',
  'composite',
  'dialog',
  'download',
  'drag',
  'fill',
  'focus',
  'highlight',
  'history',
  'hover',
  'navigate',
  'none',
  'press',
  'scroll',
  'scrollIntoView',
  'select',
  'snapshot',
  'stop',
  'tab',
  'type',
  'upload',
  'wait',
]);

/**
 * What a guest may not do of an action, as the end of the sentence "A link does not let its guests …"; undefined
 * when they may.
 *
 * @param oneTab the link shows one tab only
 */
export function beyondGuests(action: Action, oneTab: boolean): string | undefined {
  if (usesScript(action)) return 'run scripts';
  // A selector that matches or not tells what a masked or covered field holds.
  if (asksForValues(action)) return 'find elements by what fields hold';
  for (const one of eachAction([action])) {
    if (!OF_GUESTS.has(one.kind)) return `do "${one.kind}"`;
    if (one.kind === 'snapshot' && one.labels === true) return 'take pictures of the page';
    if (one.kind === 'wait' && waitsForResponse(one)) return 'watch the network';
    if (oneTab && leavesTab(one)) return 'open, list and close tabs';
  }
  return undefined;
}

function waitsForResponse(action: ActionOf<'wait'>): boolean {
  return [action, ...(action.all ?? []), ...(action.any ?? [])].some(({ response }) => response !== undefined);
}

function leavesTab(action: Action): boolean {
  if (action.kind === 'navigate') return action.newTab === true;
  if (action.kind !== 'tab') return false;
  return action.index !== undefined || (action.do !== 'focus' && action.do !== 'label');
}
