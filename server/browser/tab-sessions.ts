import type { CdpConnection } from '@/server/cdp/connection';
import type { Lanes } from '@/server/cdp/lanes';
import { CdpError } from '@/server/cdp/protocol';
import type { CdpSession } from '@/server/cdp/session';

/** The sessions of a page or an out-of-process frame, one per lane. Captures attach to the pictures lane themselves. */
export interface TabSessions {
  /** Input, navigation and page events. Page is enabled on it. */
  readonly commands: CdpSession;
  /** Accessibility, DOM and screenshots, whose answers may be large or slow. */
  readonly bulk: CdpSession;
  /** Runs scripts. */
  readonly evaluate: CdpSession;
  /** Attached before any script can hang, so that it can end one (EV2). */
  readonly sentinel: CdpSession;
}

/** The sessions of a page. */
export interface PageSessions extends TabSessions {
  /**
   * Console and network events, which a page can produce without limit; on their own lane, so that no other traffic
   * waits behind them (F25). Network is enabled on it.
   */
  readonly events: CdpSession;
}

/** A page's sessions and their lanes. */
export interface AttachedPage {
  readonly sessions: PageSessions;
  /** `evaluate` is another lane when Chrome refused a session on it. */
  readonly lanes: Lanes;
}

/** Attaches on every lane. Throws CdpError when Chrome refuses the page on all lanes that may run scripts. */
export async function attachSessions(lanes: Lanes, targetId: string): Promise<AttachedPage> {
  const [{ lane, sentinel, evaluate }, commands, bulk, events] = await Promise.all([
    attachForScripts([lanes.evaluate, lanes.commands, lanes.bulk], targetId),
    lanes.commands.attach(targetId),
    lanes.bulk.attach(targetId),
    lanes.events.attach(targetId),
  ]);
  return { sessions: { sentinel, evaluate, commands, bulk, events }, lanes: { ...lanes, evaluate: lane } };
}

interface ForScripts extends Pick<PageSessions, 'sentinel' | 'evaluate'> {
  readonly lane: CdpConnection;
}

/** Attaches on the first of these lanes that Chrome accepts (EV7). */
async function attachForScripts([lane, ...others]: readonly CdpConnection[], targetId: string): Promise<ForScripts> {
  if (!lane) throw new CdpError('Target.attachToTarget', 0, 'no lane is left');
  const made = await Promise.allSettled([lane.attach(targetId), lane.attach(targetId)]);
  const [sentinel, evaluate] = made.map((one) => (one.status === 'fulfilled' ? one.value : undefined));
  if (sentinel && evaluate) return { lane, sentinel, evaluate };
  for (const session of [sentinel, evaluate]) if (session) void lane.detach(session);
  const reason: unknown = made.find((one) => one.status === 'rejected')?.reason;
  if (others.length === 0 || !(reason instanceof CdpError)) throw reason;
  return attachForScripts(others, targetId);
}
