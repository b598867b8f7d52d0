import { accessOf, eachAction, kindOf, runsScript, usesScript, type Action } from '@/lib/actions/kinds';
import type { Grant } from '@/server/access/grants';

/** What an action needs; scripts, files and the clipboard need their own grants beside, also inside others. */
export function grantsFor(action: Action): Grant[] {
  const all = [...eachAction([action])];
  const beside = all.flatMap((one): Grant[] => {
    const { grant } = kindOf(one);
    return grant !== undefined && accessOf(one) !== 'read' ? [grant] : [];
  });
  return [
    accessOf(action) === 'read' ? 'watch' : 'drive',
    ...(all.some(runsScript) ? (['evaluate'] as const) : []),
    ...new Set(beside),
  ];
}

/** It changes more than its own tab, and needs that no other participant holds any tab of the session (CO1). */
export function changesSession(action: Action): boolean {
  return kindOf(action).changesSession?.(action) ?? false;
}

/** It gives something of the page to who asks, and does nothing else. */
export function readsPage(action: Action): boolean {
  return accessOf(action) === 'read' && kindOf(action).apartFromPage !== true;
}

/**
 * From any tab of a session it reaches into others: a script by `opener`, cookies and storage by what a page keeps, the
 * clipboard by what was copied.
 */
export function reachesOtherTabs(action: Action): boolean {
  return usesScript(action) || kindOf(action).reachesOtherTabs === true;
}
