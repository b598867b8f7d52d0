import { ACTION_ABOUT, type ActionAbout } from '@/lib/actions/about';
import { eachAction, runsScript, type Action } from '@/lib/actions/kinds';
import type { Grant } from '@/server/access/grants';

/** `read` kinds need to watch, `write` kinds and remedies to drive. */
export function accessOf(action: Action): ActionAbout['access'] {
  if (action.kind === 'tab' && action.do === 'list') return 'read';
  if (
    (action.kind === 'cookies' || action.kind === 'storage' || action.kind === 'emulate' || action.kind === 'trace') &&
    action.do === 'get'
  )
    return 'read';
  if (action.kind === 'wait' && runsScript(action)) return 'write';
  return ACTION_ABOUT[action.kind].access;
}

/** What an action needs; scripts, files and the clipboard need their own grants beside, also inside others. */
export function grantsFor(action: Action): Grant[] {
  const usesFiles = [...eachAction([action])].some(
    (one) => one.kind === 'upload' || one.kind === 'download' || (one.kind === 'trace' && one.do !== 'get'),
  );
  const usesClipboard = [...eachAction([action])].some((one) => one.kind === 'clipboard');
  return [
    accessOf(action) === 'read' ? 'watch' : 'drive',
    ...(usesScript(action) ? (['evaluate'] as const) : []),
    ...(usesFiles ? (['files'] as const) : []),
    ...(usesClipboard ? (['clipboard'] as const) : []),
  ];
}

/** Whether it, or an action inside it, runs a script of its sender. */
export function usesScript(action: Action): boolean {
  return [...eachAction([action])].some(runsScript);
}

/** It changes more than its own tab, and needs that no other participant holds any tab of the session (CO1). */
export function reachesBeyond(action: Action): boolean {
  switch (action.kind) {
    case 'resize':
    case 'cookies':
      return true;
    case 'tab':
      return action.do === 'open';
    case 'navigate':
      return action.newTab === true;
    case 'storage':
      return action.area === 'local';
    case 'emulate':
      // Where the browser is said to be needs a permission, which the whole context has.
      return action.scope === 'session' || action.do === 'reset' || action.set?.geolocation !== undefined;
    default:
      return false;
  }
}

const NOT_OF_THE_PAGE: ReadonlySet<Action['kind']> = new Set(['none', 'stop', 'tab']);

/** It gives something of the page to who asks, and does nothing else. */
export function readsPage(action: Action): boolean {
  return accessOf(action) === 'read' && !NOT_OF_THE_PAGE.has(action.kind);
}

/**
 * From any tab of a session it reaches into others: a script by `opener`, cookies and storage by what a page keeps, the
 * clipboard by what was copied.
 */
export function reachesAcross(action: Action): boolean {
  return usesScript(action) || action.kind === 'cookies' || action.kind === 'storage' || action.kind === 'clipboard';
}
