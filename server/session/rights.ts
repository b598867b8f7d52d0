import { accessOf, eachAction, kindOf, runsScript, usesScript, type Action } from '@/lib/actions/kinds';
import { WheelhouseError } from '@/lib/errors/error';
import { beyondGuests } from '@/lib/links/guest-actions';
import type { Grant } from '@/lib/rights/grants';
import type { Principal } from '@/server/access/principal';

/**
 * The grants that an action needs. Scripts, files and the clipboard need grants of their own, also in nested actions.
 */
export function grantsFor(action: Action): Grant[] {
  const all = [...eachAction([action])];
  const beside = all.flatMap((one): Grant[] => {
    const grant = kindOf(one).grant?.(one);
    return grant !== undefined && accessOf(one) !== 'read' ? [grant] : [];
  });
  return [
    accessOf(action) === 'read' ? 'watch' : 'drive',
    ...(all.some(runsScript) ? (['evaluate'] as const) : []),
    ...new Set(beside),
  ];
}

/** Throws FORBIDDEN for what guests of share links may not ask, also with its grants (AU4). */
export function demandOpenTo(principal: Principal, action: Action): void {
  if (principal.kind !== 'guest') return;
  const beyond = beyondGuests(action, principal.link.tab !== undefined);
  if (beyond === undefined) return;
  throw new WheelhouseError('FORBIDDEN', `A link does not let its guests ${beyond}.`, {
    hint: 'Ask somebody who belongs to the workspace.',
  });
}

/** Whether the action changes more than its tab, so that no other participant may hold a lease in the session (CO1). */
export function changesSession(action: Action): boolean {
  return kindOf(action).changesSession?.(action) ?? false;
}

/** Whether the action only returns content of the page. */
export function readsPage(action: Action): boolean {
  return accessOf(action) === 'read' && kindOf(action).apartFromPage !== true;
}

/**
 * Whether the action can reach other tabs of the session: a script through `opener`, cookies and storage through shared
 * data, the clipboard through copied text.
 */
export function reachesOtherTabs(action: Action): boolean {
  return usesScript(action) || kindOf(action).reachesOtherTabs === true;
}
