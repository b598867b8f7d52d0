import { WheelhouseError } from '@/lib/errors/error';
import type { CdpConnection } from '@/server/cdp/connection';
import type { Protocol } from '@/server/cdp/protocol';
import type { CdpSession } from '@/server/cdp/session';

export type LaneTargetInfo = Pick<Protocol.Target.TargetInfo, 'targetId' | 'parentFrameId' | 'type' | 'url'>;

export interface LaneTargetEvents {
  /** Whether this target may have sessions at all; without it the session is given back at once. */
  admit(info: LaneTargetInfo): boolean;
  attached(info: LaneTargetInfo, session: CdpSession): void;
  ended(info: LaneTargetInfo, session: CdpSession): void;
}

/**
 * Follows the frames in other processes, and where wanted the workers, below one session of a tab, at any depth, on
 * that session's lane. Chrome attaches us to each frame as its process is chosen, before the frame's first script: its
 * session can end a loop that begins while it loads (5 of 5 measured on Chromium 156). Source: Target.setAutoAttach.
 */
export class LaneTargets {
  /**
   * `types`: of the targets that are followed, in Chrome's words. `held`: each waits with its first script and request
   * until `attached` has sent what it has to say.
   */
  constructor(
    private readonly lane: CdpConnection,
    private readonly wish: { readonly types: readonly string[]; readonly held: boolean },
    private readonly events: LaneTargetEvents,
  ) {}

  /** Answered by Chrome's browser process, also while the page hangs; nobody waits for it (BR4). */
  follow(session: CdpSession): void {
    session.on('Target.attachedToTarget', (event) => this.#attached(session, event));
    const filter = [...this.wish.types.map((type) => ({ type, exclude: false })), { exclude: true }];
    void session.sendMayFail('Target.setAutoAttach', {
      autoAttach: true,
      waitForDebuggerOnStart: this.wish.held,
      flatten: true,
      filter,
    });
  }

  #attached(
    parent: CdpSession,
    { sessionId, targetInfo: info, waitingForDebugger }: Protocol.Target.AttachedToTargetEvent,
  ): void {
    if (!this.wish.types.includes(info.type)) return;
    const session = this.lane.adopt(
      sessionId,
      info.targetId,
      new WheelhouseError('NODE_GONE', 'The frame went away, or another site took its place.'),
    );
    // Chromium 156 goes on waiting for a session that was given back.
    const go = (): void => void (waitingForDebugger && session.sendMayFail('Runtime.runIfWaitingForDebugger'));
    if (!this.events.admit(info)) {
      go();
      return void this.lane.detach(session);
    }
    // Chrome tells the end of a frame on its parent's session only, and not at all when that one ended first.
    parent.onEnd((error) => session.end(error));
    this.follow(session);
    this.events.attached(info, session);
    session.onEnd(() => this.events.ended(info, session));
    go();
  }
}
