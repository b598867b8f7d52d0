import { randomUUID } from 'node:crypto';
import { verbPhraseOf } from '@/lib/actions/verb-phrase';
import { describeAction, type ElementName } from '@/lib/actions/describe';
import { kindOf, type Action } from '@/lib/actions/kinds';
import { soundsSecret } from '@/lib/snapshot/secret';
import { cleanText } from '@/lib/text/clean';
import type { ResolvedTarget } from '@/server/actions/context';
import type { Caller } from './caller';
import { actorOf } from './participants';
import type { SessionTab } from './session-tab';
import type { AuditEntry } from './timeline';

/** What of a call is told. */
interface AuditedCall {
  readonly action: Action;
  readonly asWritten?: Action;
  readonly sessionTab: SessionTab;
  readonly caller: Caller;
  readonly resolved: ResolvedTarget;
}

const MAX_NOTE = 200;

/** What the timeline says of a call before it runs. */
export function auditEntryOf(call: AuditedCall): AuditEntry {
  const { action, asWritten = action, sessionTab, caller } = call;
  const element = knownElement(sessionTab, action);
  const base = {
    id: randomUUID(),
    actor: actorOf(caller.principal),
    door: caller.door,
    tab: sessionTab.tab.id,
    kind: action.kind,
    ...idOf(action),
    ...wordsOf(asWritten, element),
  };
  return element ? { ...base, element } : base;
}

/** What the timeline says of an action that was not begun; the page is not asked for anything. */
export function refusedEntryOf(
  { principal, door }: Caller,
  action: Action,
  sessionTab: SessionTab | undefined,
  code: string,
): AuditEntry {
  const element = sessionTab && knownElement(sessionTab, action);
  const text = `refused: ${describeAction(action, element, true)} (${code})`;
  return {
    actor: actorOf(principal),
    door,
    kind: 'refused',
    ...idOf(action),
    text,
    deed: verbPhraseOf(action, true, element === undefined),
    code,
    ...(sessionTab && { tab: sessionTab.tab.id }),
    ...(element && { element }),
  };
}

/**
 * Two actions may have the same one, ten minutes apart or of two participants, so rows are linked by an id of ours
 * (TL1, CO10).
 */
function idOf({ id }: Action): Pick<AuditEntry, 'actionId'> {
  return id === undefined ? {} : { actionId: id };
}

/** What it was done to, as far as that is known by now. */
export function targetEntryOf({ action, asWritten = action, resolved }: AuditedCall): Partial<AuditEntry> {
  return {
    ...(resolved.element
      ? { element: resolved.element, ...wordsOf(asWritten, resolved.element, resolved.secret) }
      : {}),
    ...(resolved.point ? { point: resolved.point } : {}),
  };
}

/** `secret` is what the page's own attributes say; before they were read everything that is typed is hidden. */
function wordsOf(action: Action, element: ElementName | undefined, secret = true): Pick<AuditEntry, 'text' | 'deed'> {
  const hidden = secret || isSecret(element);
  const text = describeAction(action, element, hidden);
  const note = cleanText(action.note ?? '', MAX_NOTE);
  return { text: note === '' ? text : `${text} — ${note}`, deed: verbPhraseOf(action, hidden, element === undefined) };
}

/** The element's role and name when the ref is already known; the page is not asked for it. */
function knownElement(sessionTab: SessionTab, action: Action): (ElementName & { ref?: string }) | undefined {
  const named = kindOf(action).element?.(action) ?? action;
  if ('ref' in named && named.ref !== undefined) {
    const entry = peek(sessionTab, named.ref);
    return entry && { ref: entry.ref, role: entry.role, name: entry.name };
  }
  return 'role' in named && named.role !== undefined ? { role: named.role, name: named.name ?? '' } : undefined;
}

/** A ref that means nothing any more is the handler's to refuse; the timeline then names it as it was given. */
function peek(sessionTab: SessionTab, ref: string): ReturnType<SessionTab['tab']['refs']['lookup']> | undefined {
  try {
    return sessionTab.tab.refs.lookup(ref);
  } catch {
    return undefined;
  }
}

/** Typed text is shown only where the field is known and does not sound secret (SN6). */
function isSecret(element: ElementName | undefined): boolean {
  return element === undefined || soundsSecret(element.name);
}
