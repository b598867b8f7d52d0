import type { Lanes } from '@/server/cdp/lanes';
import type { CdpSession } from '@/server/cdp/session';

/** The sessions a tab keeps, one per lane. Pictures are attached by the capture itself. */
export interface TabSessions {
  /** Input, navigation, page events. Page is enabled on it. */
  readonly commands: CdpSession;
  /** Accessibility, DOM, screenshots, network events: what may be large or slow. */
  readonly bulk: CdpSession;
  /** Runs scripts. */
  readonly evaluate: CdpSession;
  /** Attached before any script could hang, so that it can end one (EV2). */
  readonly sentinel: CdpSession;
}

/** Attaches on every lane. */
export async function attachSessions({ evaluate, commands, bulk }: Lanes, targetId: string): Promise<TabSessions> {
  const [sentinel, scripts, writes, reads] = await Promise.all([evaluate.attach(targetId), evaluate.attach(targetId), commands.attach(targetId), bulk.attach(targetId)]);
  return { sentinel, evaluate: scripts, commands: writes, bulk: reads };
}
