import type { Lanes } from '@/server/cdp/lanes';
import type { CdpSession } from '@/server/cdp/session';

/**
 * The sessions of a page or of a frame in a process of its own, one per lane. Pictures are attached by the capture
 * itself.
 */
export interface TabSessions {
  /** Input, navigation, page events. Page is enabled on it. */
  readonly commands: CdpSession;
  /** Accessibility, DOM, screenshots: what may be large or slow. */
  readonly bulk: CdpSession;
  /** Runs scripts. */
  readonly evaluate: CdpSession;
  /** Attached before any script could hang, so that it can end one (EV2). */
  readonly sentinel: CdpSession;
}

/** The sessions a tab keeps. */
export interface PageSessions extends TabSessions {
  /**
   * Console and network: what a page may say without end, so that nobody waits behind it (F25). Network is enabled on
   * it.
   */
  readonly events: CdpSession;
}

/** Attaches on every lane. */
export async function attachSessions(
  { evaluate, commands, bulk, events }: Lanes,
  targetId: string,
): Promise<PageSessions> {
  const [sentinel, scripts, writes, reads, told] = await Promise.all([
    evaluate.attach(targetId),
    evaluate.attach(targetId),
    commands.attach(targetId),
    bulk.attach(targetId),
    events.attach(targetId),
  ]);
  return { sentinel, evaluate: scripts, commands: writes, bulk: reads, events: told };
}
