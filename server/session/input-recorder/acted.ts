import type { DoneAction } from '@/lib/actions/done';
import { actionSchema, type Action } from '@/lib/actions/kinds';
import type { Reply } from '@/lib/actions/reply';
import { HIDDEN } from '@/lib/input-recorder/recorded-action';
import type { Locator } from '@/lib/input-recorder/target-element';
import { doneOf } from '@/lib/input-recorder/done';
import { soundsSecret } from '@/lib/snapshot/secret';
import type { ResolvedTarget } from '@/server/actions/context';
import { locatorOf } from '@/server/browser/event-target/locator';
import type { ActionCall } from '../funnel';
import { accessOf } from '../rights';
import type { SessionTab } from '../session-tab';

/**
 * An action of a person by the cockpit, as it is told to the agent; undefined for what changes nothing, and for groups,
 * whose parts are told.
 */
export function actedOf(
  { action, asWritten = action, resolved, sessionTab, startedAt }: ActionCall,
  reply: Reply,
): DoneAction | undefined {
  const nothing =
    accessOf(action) === 'read' || action.kind === 'highlight' || (action.kind === 'download' && action.do === 'wait');
  if (nothing || action.kind === 'batch' || action.kind === 'composite') return undefined;
  const { element } = resolved;
  const hidden = resolved.secret !== false || element === undefined || soundsSecret(element.name);
  const shown = withoutSecrets(named(bare(asWritten), resolved, sessionTab), hidden);
  return doneOf(
    { at: Date.parse(startedAt), action: shown, element, hidden: hidden && hides(shown), cut: 0 },
    { tab: sessionTab.tab.id, code: reply.error?.code },
  );
}

/** Without what belongs to the call rather than to what was done. */
function bare(action: Action): Action {
  const { id: _id, epoch: _epoch, timeoutMs: _timeout, note: _note, expect: _expect, tab, ...rest } = action;
  const kept: Action = rest;
  if ('snapshot' in kept) delete kept.snapshot;
  return kept.kind === 'tab' && tab !== undefined ? { ...kept, tab } : kept;
}

/**
 * Numbers of nodes and refs mean little to others: what was found out about it says which element it was, else its role
 * and name.
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

/** Its frame and its position among those of its name, as the snapshot that gave its ref had them. */
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

const hides = ({ kind }: Action): boolean =>
  kind === 'type' ||
  kind === 'select' ||
  kind === 'fill' ||
  kind === 'dialog' ||
  kind === 'cookies' ||
  kind === 'storage' ||
  kind === 'emulate';

/** What may be a secret is a variable, which whoever does it again must give (SN6). */
function withoutSecrets(action: Action, hidden: boolean): Action {
  switch (action.kind) {
    case 'type':
      return hidden ? { ...action, text: HIDDEN } : action;
    case 'select':
      return hidden ? { ...action, values: [HIDDEN] } : action;
    case 'press':
      return hidden && [...(action.key ?? '')].length === 1 ? { ...action, key: '•' } : action;
    case 'fill':
      return {
        ...action,
        fields: action.fields.map((field) => (typeof field.value === 'string' ? { ...field, value: HIDDEN } : field)),
      };
    case 'dialog':
      return action.promptText === undefined ? action : { ...action, promptText: HIDDEN };
    case 'cookies':
      return action.cookies
        ? { ...action, cookies: action.cookies.map((cookie) => ({ ...cookie, value: HIDDEN })) }
        : action;
    case 'storage':
      return action.values
        ? { ...action, values: Object.fromEntries(Object.keys(action.values).map((key) => [key, HIDDEN])) }
        : action;
    case 'emulate':
      return {
        kind: 'emulate',
        do: action.do,
        ...(action.set && { set: { ...action.set, headers: undefined, credentials: undefined } }),
      };
    default:
      return action;
  }
}
