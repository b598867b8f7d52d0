import { WheelhouseError } from '@/lib/errors/error';
import type { CdpConnection } from '@/server/cdp/connection';
import type { Lanes } from '@/server/cdp/lanes';
import type { CdpSession } from '@/server/cdp/session';
import type { PageSessions, TabSessions } from '../tab-sessions';
import { CHILD_TARGET_TYPES, type ChildTargets } from './child-targets';
import { LaneTargets, type LaneTargetInfo } from './lane-targets';

type Role = keyof TabSessions;
const FRAME = 'iframe';

export interface FrameSessionsEvents {
  /** The sessions of all lanes exist. */
  complete(info: LaneTargetInfo, sessions: TabSessions): void;
  /** One of the sessions ended: the frame went away, or to another process. */
  gone(targetId: string): void;
}

/** Most out-of-process frames of a tab that get sessions; further ones stay lines without content. */
const MAX_FRAME_TARGETS = 50;

/**
 * Collects the sessions of each out-of-process frame, one for each role, from lanes that report the frame in any order.
 * The events lane also reports them, and workers, to `ChildTargets`; its session is not waited for, since a page that
 * logs much fills that lane. A frame that changes process keeps its target id and gets new sessions, so sessions are
 * compared before their end is believed.
 */
export class FrameSessions {
  readonly #parts = new Map<string, Map<Role, CdpSession>>();

  constructor(
    lanes: Lanes,
    root: PageSessions,
    private readonly events: FrameSessionsEvents,
    private readonly childTargets: ChildTargets,
  ) {
    this.#follow('sentinel', lanes.evaluate, root.sentinel);
    this.#follow('evaluate', lanes.evaluate, root.evaluate);
    this.#follow('commands', lanes.commands, root.commands);
    this.#follow('bulk', lanes.bulk, root.bulk);
    this.#followChildTargets(lanes.events, root.events);
  }

  /** Whether the limit is reached: a further frame gets no sessions. */
  get full(): boolean {
    return this.#parts.size >= MAX_FRAME_TARGETS;
  }

  /** Fails the pending calls of all frames; the sessions stay, as after a crash. */
  failPending(error: WheelhouseError): void {
    for (const parts of this.#parts.values()) for (const session of parts.values()) session.failPending(error);
  }

  dispose(): void {
    const error = new WheelhouseError('TAB_NOT_FOUND', { code: 'tabClosed' });
    for (const parts of [...this.#parts.values()]) for (const session of [...parts.values()]) session.end(error);
  }

  #follow(role: Role, lane: CdpConnection, root: CdpSession): void {
    const targets = new LaneTargets(
      lane,
      { types: [FRAME], held: false },
      {
        admit: ({ targetId }) => this.#parts.has(targetId) || !this.full,
        attached: (info, session) => this.#attached(role, info, session),
        ended: ({ targetId }, session) => this.#ended(role, targetId, session),
      },
    );
    targets.follow(root);
  }

  /**
   * Chrome holds each child target before its first script until the listeners of `onTarget` have sent their commands.
   */
  #followChildTargets(lane: CdpConnection, root: CdpSession): void {
    const targets = new LaneTargets(
      lane,
      { types: CHILD_TARGET_TYPES, held: true },
      {
        admit: ({ type, targetId }) =>
          type === FRAME ? this.#parts.has(targetId) || !this.full : this.childTargets.admits(targetId),
        attached: (info, session) => this.childTargets.met(info, session),
        ended: () => undefined,
      },
    );
    targets.follow(root);
  }

  #attached(role: Role, info: LaneTargetInfo, session: CdpSession): void {
    const { targetId } = info;
    const parts = this.#parts.get(targetId) ?? new Map<Role, CdpSession>();
    if (whole(parts)) this.events.gone(targetId);
    this.#parts.set(targetId, parts.set(role, session));
    const sessions = whole(parts);
    if (sessions) this.events.complete(info, sessions);
  }

  #ended(role: Role, targetId: string, session: CdpSession): void {
    const parts = this.#parts.get(targetId);
    if (parts?.get(role) !== session) return;
    if (whole(parts)) this.events.gone(targetId);
    parts.delete(role);
    if (parts.size === 0) this.#parts.delete(targetId);
  }
}

function whole(parts: ReadonlyMap<Role, CdpSession>): TabSessions | undefined {
  const [sentinel, evaluate, commands, bulk] = [
    parts.get('sentinel'),
    parts.get('evaluate'),
    parts.get('commands'),
    parts.get('bulk'),
  ];
  return sentinel && evaluate && commands && bulk ? { sentinel, evaluate, commands, bulk } : undefined;
}
