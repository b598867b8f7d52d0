import { ACTION_ABOUT } from '@/lib/actions/about';
import { eachAction, runsScript, type Action } from '@/lib/actions/kinds';
import type { Grant } from '@/server/access/grants';

/** `read` kinds need to watch, `write` kinds to drive. */
export function accessOf(action: Action): 'read' | 'write' {
  if (action.kind === 'tab' && action.do === 'list') return 'read';
  if (action.kind === 'wait' && runsScript(action)) return 'write';
  return ACTION_ABOUT[action.kind].access;
}

/** What an action needs; evaluate needs its own grant beside. */
export function grantsFor(action: Action): Grant[] {
  return [accessOf(action) === 'read' ? 'watch' : 'drive', ...(usesScript(action) ? (['evaluate'] as const) : [])];
}

/** Whether it, or an action inside it, runs a script of its sender. */
export function usesScript(action: Action): boolean {
  return [...eachAction([action])].some(runsScript);
}
