import { randomUUID } from 'node:crypto';
import { verbPhraseOf } from '@/lib/actions/verb-phrase';
import { describeAction, type ElementName } from '@/lib/actions/describe';
import { kindOf, type Action } from '@/lib/actions/kinds';
import { soundsSecret } from '@/lib/snapshot/secret';
import { cleanText } from '@/lib/text/clean';
import type { ResolvedTarget } from '@/server/actions/context';
import type { Caller } from '../caller';
import { actorOf } from '../participants';
import type { SessionTab } from '../session-tab';
import type { AuditEntry } from '../timeline';

/** The parts of a call that the timeline records. */
interface AuditedCall {
  readonly action: Action;
  readonly asWritten?: Action;
  readonly sessionTab: SessionTab;
  readonly caller: Caller;
  readonly resolved: ResolvedTarget;
}

const MAX_NOTE = 200;

/** The timeline entry of a call before it runs. */
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

/** The timeline entry of an action that was refused; sends nothing to the page. */
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
 * The action's id. It is not unique: ids may repeat after ten minutes or between participants, so the server's own id
 * links rows (TL1, CO10).
 */
function idOf({ id }: Action): Pick<AuditEntry, 'actionId'> {
  return id === undefined ? {} : { actionId: id };
}

/** The element and point the action acted on, as far as known. */
export function targetEntryOf({ action, asWritten = action, resolved }: AuditedCall): Partial<AuditEntry> {
  return {
    ...(resolved.element
      ? { element: resolved.element, ...wordsOf(asWritten, resolved.element, resolved.secret) }
      : {}),
    ...(resolved.point ? { point: resolved.point } : {}),
  };
}

/**
 * @param secret whether the page's attributes mark the field as secret; true, which hides typed text, until they were
 * read
 */
function wordsOf(action: Action, element: ElementName | undefined, secret = true): Pick<AuditEntry, 'text' | 'deed'> {
  const hidden = secret || isSecret(element);
  const text = describeAction(action, element, hidden);
  const note = cleanText(action.note ?? '', MAX_NOTE);
  return { text: note === '' ? text : `${text} — ${note}`, deed: verbPhraseOf(action, hidden, element === undefined) };
}

/** The element's role and name when the ref is known; sends nothing to the page. */
function knownElement(sessionTab: SessionTab, action: Action): (ElementName & { ref?: string }) | undefined {
  const named = kindOf(action).element?.(action) ?? action;
  if ('ref' in named && named.ref !== undefined) {
    const entry = peek(sessionTab, named.ref);
    return entry && { ref: entry.ref, role: entry.role, name: entry.name };
  }
  return 'role' in named && named.role !== undefined ? { role: named.role, name: named.name ?? '' } : undefined;
}

/**
 * Looks up a ref; undefined for an outdated one, which the handler refuses. The timeline then shows the ref as given.
 */
function peek(sessionTab: SessionTab, ref: string): ReturnType<SessionTab['tab']['refs']['lookup']> | undefined {
  try {
    return sessionTab.tab.refs.lookup(ref);
  } catch {
    return undefined;
  }
}

/** Typed text is shown only when the field is known and its name does not sound secret (SN6). */
function isSecret(element: ElementName | undefined): boolean {
  return element === undefined || soundsSecret(element.name);
}
