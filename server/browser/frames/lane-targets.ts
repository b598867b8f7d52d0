import { WheelhouseError } from '@/lib/errors/error';
import type { CdpConnection } from '@/server/cdp/connection';
import type { TargetInfo } from '@/server/cdp/shapes/objects';
import type { EventParams } from '@/server/cdp/shapes/read';
import type { CdpSession } from '@/server/cdp/session';

export type LaneTargetInfo = Pick<TargetInfo, 'targetId' | 'parentFrameId' | 'type' | 'url'>;

export interface LaneTargetEvents {
  /** Whether this target may have sessions; if not, its session is detached at once. */
  admit(info: LaneTargetInfo): boolean;
  attached(info: LaneTargetInfo, session: CdpSession): void;
  ended(info: LaneTargetInfo, session: CdpSession): void;
}

/**
 * Follows the out-of-process frames, and where wanted the workers, below one session of a tab, at any depth, on that
 * session's lane. Chrome attaches us to each frame when its process is chosen, before the frame's first script: our
 * session can end a loop that begins while the frame loads (docs/chrome-facts.md, Frames and workers). Source:
 * Target.setAutoAttach.
 */
export class LaneTargets {
  /**
   * `types`: Chrome's names of the target types to follow. `held`: Chrome holds each target before its first script and
   * request until `attached` has sent its commands.
   */
  constructor(
    private readonly lane: CdpConnection,
    private readonly wanted: { readonly types: readonly string[]; readonly held: boolean },
    private readonly events: LaneTargetEvents,
  ) {}

  /** Chrome's browser process answers, also while the page hangs; the answer is not awaited (BR4). */
  follow(session: CdpSession): void {
    session.on('Target.attachedToTarget', (event) => this.#attached(session, event));
    const filter = [...this.wanted.types.map((type) => ({ type, exclude: false })), { exclude: true }];
    void session.sendMayFail('Target.setAutoAttach', {
      autoAttach: true,
      waitForDebuggerOnStart: this.wanted.held,
      flatten: true,
      filter,
    });
  }

  #attached(
    parent: CdpSession,
    { sessionId, targetInfo: info, waitingForDebugger }: EventParams<'Target.attachedToTarget'>,
  ): void {
    if (!this.wanted.types.includes(info.type)) return;
    const session = this.lane.adopt(
      sessionId,
      info.targetId,
      new WheelhouseError('NODE_GONE', 'The frame went away, or another site took its place.'),
    );
    // Chromium 156 keeps a target waiting for a session that was detached.
    const go = (): void => void (waitingForDebugger && session.sendMayFail('Runtime.runIfWaitingForDebugger'));
    if (!this.events.admit(info)) {
      go();
      return void this.lane.detach(session);
    }
    // Chrome reports the end of a frame on its parent's session only, and not at all when that one ended first.
    parent.onEnd((error) => session.end(error));
    this.follow(session);
    this.events.attached(info, session);
    session.onEnd(() => this.events.ended(info, session));
    go();
  }
}
