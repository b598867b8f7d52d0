import { WheelhouseError } from '@/lib/errors/error';
import type { CdpConnection } from '@/server/cdp/connection';
import type { Protocol } from '@/server/cdp/protocol';
import type { CdpSession } from '@/server/cdp/session';

export type LaneTargetInfo = Pick<Protocol.Target.TargetInfo, 'targetId' | 'parentFrameId'>;

export interface LaneTargetEvents {
  /** Whether this target may have sessions at all; without it the session is given back at once. */
  admit(targetId: string): boolean;
  attached(info: LaneTargetInfo, session: CdpSession): void;
  ended(targetId: string, session: CdpSession): void;
}

/**
 * Chrome attaches us to every frame in another process as that process is chosen, before the frame's first script: its session can end a loop
 * that begins while it loads (5 of 5 measured on Chromium 156). It is not paused for us, so a stalled server freezes no frame.
 */
const AUTO_ATTACH: Protocol.Target.SetAutoAttachRequest = {
  autoAttach: true,
  waitForDebuggerOnStart: false,
  flatten: true,
  filter: [{ type: 'iframe', exclude: false }, { exclude: true }],
};

/** Follows the frames in other processes below one session of a tab, at any depth, on that session's lane. Source: Target.setAutoAttach. */
export class LaneTargets {
  constructor(
    private readonly lane: CdpConnection,
    private readonly events: LaneTargetEvents,
  ) {}

  /** Answered by Chrome's browser process, also while the page hangs; nobody waits for it (BR4). */
  follow(session: CdpSession): void {
    session.on('Target.attachedToTarget', ({ sessionId, targetInfo }) => this.#attached(session, sessionId, targetInfo));
    void session.sendMayFail('Target.setAutoAttach', AUTO_ATTACH);
  }

  #attached(parent: CdpSession, sessionId: string, info: Protocol.Target.TargetInfo): void {
    const { targetId } = info;
    if (info.type !== 'iframe') return;
    const session = this.lane.adopt(sessionId, targetId, new WheelhouseError('NODE_GONE', 'The frame went away, or another site took its place.'));
    if (!this.events.admit(targetId)) return void this.lane.detach(session);
    // Chrome tells the end of a frame on its parent's session only, and not at all when that one ended first.
    parent.onEnd((error) => session.end(error));
    this.follow(session);
    this.events.attached(info, session);
    session.onEnd(() => this.events.ended(targetId, session));
  }
}
