import type { DoneAction } from '@/lib/actions/done';
import { accessOf, actionSchema, kindOf, verbOf, type Action } from '@/lib/actions/kinds';
import type { Reply } from '@/lib/actions/reply';
import type { Locator } from '@/lib/input-recorder/target-element';
import { doneOf } from '@/lib/input-recorder/done';
import { soundsSecret } from '@/lib/snapshot/secret';
import type { ResolvedTarget } from '@/server/actions/context';
import { locatorOf } from '@/server/browser/event-target/locator';
import type { ActionCall } from '@/server/session/action/call';
import type { SessionTab } from '@/server/session/session-tab';

/**
 * Describes a person's action in the cockpit for a receipt. Undefined for actions that change nothing, and for groups,
 * whose parts are recorded one by one.
 */
export function actedOf(
  { action, asWritten = action, resolved, sessionTab, startedAt }: ActionCall,
  reply: Reply,
): DoneAction | undefined {
  const kind = kindOf(action);
  if (accessOf(action) === 'read' || kind.quiet?.includes(verbOf(action)) === true) return undefined;
  const { element } = resolved;
  const hidden = resolved.secret !== false || element === undefined || soundsSecret(element.name);
  const plain = named(bare(asWritten), resolved, sessionTab);
  const shown = kind.masked?.(plain, hidden) ?? plain;
  return doneOf(
    { at: Date.parse(startedAt), action: shown, element, hidden: shown !== plain, cut: 0 },
    { tab: sessionTab.tab.id, code: reply.error?.code },
  );
}

/** The action without the fields that belong to the call, such as id, epoch and timeout. */
function bare(action: Action): Action {
  const { id: _id, epoch: _epoch, timeoutMs: _timeout, note: _note, expect: _expect, tab, ...rest } = action;
  const kept: Action = rest;
  if ('snapshot' in kept) delete kept.snapshot;
  return kindOf(kept).tabIsObject === true && tab !== undefined ? { ...kept, tab } : kept;
}

/**
 * Replaces a ref or node number, which the receipt's reader cannot resolve, by the element's locator, or else by its
 * role and name.
 */
function named(action: Action, { element, locator }: ResolvedTarget, { tab }: SessionTab): Action {
  const byNumber = ('ref' in action && action.ref !== undefined) || ('node' in action && action.node !== undefined);
  const target =
    locator ??
    (element && element.name !== ''
      ? (counted(tab, element) ?? { role: element.role, name: element.name })
      : undefined);
  if (!target || !byNumber) return action;
  return actionSchema.safeParse({ ...action, ref: undefined, node: undefined, ...target }).data ?? action;
}

/**
 * The element's locator, with its frame and its position among elements of the same name in the snapshot that gave its
 * ref.
 */
function counted(tab: SessionTab['tab'], element: NonNullable<ResolvedTarget['element']>): Locator | undefined {
  try {
    return element.ref === undefined
      ? undefined
      : locatorOf(tab, tab.refs.lookup(element.ref).frameId, { selector: '', alone: true }, element);
  } catch {
    // The action replaced its document.
    return undefined;
  }
}
