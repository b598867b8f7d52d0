import type { Clock } from '@/lib/budget/clock';
import type { Budget } from '@/lib/budget/budget';
import { WheelhouseError } from '@/lib/errors/error';
import type { Message } from '@/lib/messages/message';
import type { Lanes } from '@/server/cdp/lanes';
import type { Frame, FrameTree as AnsweredFrames } from '@/server/cdp/shapes/objects';
import type { CdpSession } from '@/server/cdp/session';
import { Emitter } from '../emitter';
import type { PageSessions, TabSessions } from '../tab-sessions';
import { ChildTargets } from './child-targets';
import { FrameSessions } from './frame-sessions';
import { FrameTarget, type FrameTargetEvents } from './frame-target';
import { FrameTree, type FrameNode } from './frame-tree';

/** A frame with the sessions that serve it. */
export interface FrameView extends FrameNode {
  /** The sessions of the target that serves the frame; undefined while the frame is changing process. */
  readonly sessions: TabSessions | undefined;
  /**
   * The frame element in its parent's document, as a node id of the parent's target; undefined until known, and for the
   * tab's own frame.
   */
  readonly ownerBackendNodeId: number | undefined;
}

export interface TabFramesInit {
  readonly targetId: string;
  readonly url: string;
  readonly lanes: Lanes;
  readonly sessions: PageSessions;
  readonly clock: Clock;
  readonly events: Omit<FrameTargetEvents, 'changed' | 'stuck'>;
}

/**
 * The frames of one tab in all its processes: which exist, which target serves each, and which hang. Works by events
 * alone and never waits for a page (BR4). CDP: Target.setAutoAttach, Page.frameAttached, frameNavigated, frameDetached,
 * DOM.getFrameOwner.
 */
export class TabFrames {
  /** A frame came, went, or got its sessions. */
  readonly onChange = new Emitter<[]>();
  /** A frame shows another document. */
  readonly onDocument = new Emitter<[FrameNode]>();
  readonly onGone = new Emitter<[frameId: string]>();
  /**
   * A frame moved to a process of its own. From here on its sessions report everything except what happened before we
   * were attached.
   */
  readonly onTarget = new Emitter<[FrameTarget]>();
  /** A frame did not answer the sign of life. */
  readonly onStuck = new Emitter<[FrameTarget]>();
  /** A frame began to hang, or answers again. */
  readonly onHealth = new Emitter<[]>();
  /** The parts of the tab that have sessions of their own on the events lane: out-of-process frames and workers. */
  readonly childTargets = new ChildTargets();
  /**
   * The out-of-process frame that the running action acts in; set by the code that finds its element, for settling
   * (AC5).
   */
  acted: string | undefined;
  readonly #tree: FrameTree;
  readonly #sessions: FrameSessions;
  readonly #targets = new Map<string, FrameTarget>();
  readonly #owners = new Map<string, number>();
  /** Whether frames to come are armed as well. */
  #armed = false;

  constructor(private readonly init: TabFramesInit) {
    this.#tree = new FrameTree(init.targetId, init.url);
    this.#listen(init.targetId, init.sessions.commands);
    this.#sessions = new FrameSessions(
      init.lanes,
      init.sessions,
      {
        complete: ({ targetId, parentFrameId }, sessions) => this.#split(targetId, parentFrameId, sessions),
        gone: (targetId) => this.#merged(targetId),
      },
      this.childTargets,
    );
  }

  /**
   * Reads the frames that exist already. Page must be enabled on the commands session; a page that hangs answers late.
   */
  async start(): Promise<void> {
    await this.#read(this.init.targetId, this.init.sessions.commands);
  }

  /** All frames, each after its parent, the tab's own first. */
  list(): FrameView[] {
    return this.#tree.list().map((node) => this.#view(node));
  }

  of(frameId: string): FrameView | undefined {
    const node = this.#tree.get(frameId);
    return node && this.#view(node);
  }

  /** The target of its own that serves a frame; undefined for frames that the tab's own target serves. */
  targetOf(frameId: string): FrameTarget | undefined {
    const node = this.#tree.get(frameId);
    return node && this.#targets.get(node.targetId);
  }

  targets(): FrameTarget[] {
    return [...this.#targets.values()];
  }

  /** The reason why a frame does not answer, for the first that does not. */
  get hung(): Message | undefined {
    const target = this.targets().find(({ hung }) => hung);
    return target && this.#hangs(target.targetId);
  }

  /**
   * The sessions that serve a frame; waits while the frame changes process. Returns the tab's own for an unknown frame.
   * Throws TAB_UNRESPONSIVE when a script blocks the frame, UNSUPPORTED when the frame is beyond the limit.
   */
  async sessionsOf(budget: Budget, frameId: string): Promise<TabSessions> {
    while (this.#changing(frameId)) {
      if (this.#sessions.full)
        throw new WheelhouseError(
          'UNSUPPORTED',
          'This page has so many frames of other sites that this one is not followed.',
          { details: { frame: frameId } },
        );
      await this.onChange.waitFor(budget, 'the frame to change process', () => true);
    }
    const target = this.targetOf(frameId);
    if (!target) return this.init.sessions;
    if (target.hung && (await target.sentinel.answersAgain(budget))) target.freed();
    if (!target.hung) return target.sessions;
    throw new WheelhouseError('TAB_UNRESPONSIVE', this.#hangs(target.targetId), { details: { frame: frameId } });
  }

  /** The element that holds a frame, as a node id of its parent's target. Throws NODE_GONE when the frame went away. */
  async ownerOf(budget: Budget, frameId: string): Promise<number> {
    const owner = this.#owners.get(frameId) ?? (await budget.race(this.#askOwner(frameId)));
    if (owner !== undefined) return owner;
    if (this.#tree.get(frameId))
      throw new WheelhouseError('ABORTED', 'Chrome did not say which element holds that frame.', {
        hint: 'The frame is just changing: look at the page again.',
        details: { frame: frameId },
      });
    throw new WheelhouseError('NODE_GONE', 'The frame of that element went away.', { details: { frame: frameId } });
  }

  /**
   * Sets whether scripts of frames, including later ones, can be stopped together with the input that waits behind them
   * (CO3).
   */
  arm(armed: boolean): void {
    this.#armed = armed;
    for (const target of this.#targets.values()) target.sentinel.interrupt.arm(armed);
  }

  /** Fails the pending calls after a crash of the tab. */
  failPending(error: WheelhouseError): void {
    this.#sessions.failPending(error);
  }

  dispose(): void {
    this.#sessions.dispose();
    this.childTargets.dispose();
    for (const emitter of [this.onChange, this.onHealth]) emitter.clear();
    this.onStuck.clear();
    this.onDocument.clear();
    this.onTarget.clear();
    this.onGone.clear();
  }

  #changing(frameId: string): boolean {
    const node = this.#tree.get(frameId);
    return node !== undefined && node.targetId !== this.init.targetId && !this.#targets.has(node.targetId);
  }

  /**
   * Whether this target still serves frames: after a frame came back into its parent's process, events of its own
   * process may arrive late, on another lane.
   */
  #serves(targetId: string): boolean {
    return targetId === this.init.targetId || this.#targets.has(targetId);
  }

  #view(node: FrameNode): FrameView {
    const sessions =
      node.targetId === this.init.targetId ? this.init.sessions : this.#targets.get(node.targetId)?.sessions;
    return { ...node, sessions, ownerBackendNodeId: this.#owners.get(node.frameId) };
  }

  #split(targetId: string, parentFrameId: string | undefined, sessions: TabSessions): void {
    const { clock, events } = this.init;
    const target = new FrameTarget(targetId, sessions, clock, {
      ...events,
      changed: () => void this.#tellHealth(target),
      stuck: () => this.onStuck.emit(target),
    });
    this.#targets.set(targetId, target);
    target.sentinel.interrupt.arm(this.#armed);
    this.#listen(targetId, sessions.commands);
    void sessions.commands.sendMayFail('Page.enable');
    void sessions.bulk.sendMayFail('DOM.enable');
    // Like the page, a frame that has the focus keeps it while another tab is in front (SE3).
    void sessions.commands.sendMayFail('Emulation.setFocusEmulationEnabled', { enabled: true });
    this.onTarget.emit(target);
    void this.#read(targetId, sessions.commands);
    this.#gone(this.#tree.split(targetId, parentFrameId));
    void this.#askOwner(targetId);
  }

  #merged(targetId: string): void {
    const target = this.#targets.get(targetId);
    if (!target) return;
    this.#targets.delete(targetId);
    this.#gone(this.#tree.merged(targetId));
    if (target.hung) this.onHealth.emit();
  }

  #hangs(frameId: string): Message {
    const url = this.#tree.get(frameId)?.url || 'about:blank';
    const beside = this.#targets.get(frameId)?.beside;
    return beside?.code === 'scriptBeside'
      ? { code: 'frameHangsWith', url, tab: beside.tab, title: beside.title }
      : { code: 'frameHangs', url };
  }

  /**
   * Reports a change of health. A frame that hangs while it loads never reports its address, but Chrome's target list
   * has it.
   */
  async #tellHealth({ targetId, hung }: FrameTarget): Promise<void> {
    if (hung && this.#tree.get(targetId)?.url === '') {
      const answer = await this.init.lanes.commands.browser.sendMayFail('Target.getTargetInfo', { targetId });
      if (answer && this.#tree.get(targetId)?.url === '') this.#tree.moved(targetId, answer.targetInfo.url);
    }
    this.onHealth.emit();
  }

  #listen(targetId: string, session: CdpSession): void {
    session.on('Page.frameAttached', ({ frameId, parentFrameId }) => {
      if (!this.#serves(targetId)) return;
      this.#tree.attached(targetId, frameId, parentFrameId);
      this.onChange.emit();
    });
    session.on('Page.frameNavigated', ({ frame, type }) => {
      this.#navigated(targetId, frame);
      // The frames of a restored page come back with it, without events of their own.
      if (type === 'BackForwardCacheRestore') void this.#read(targetId, session);
    });
    session.on('Page.navigatedWithinDocument', ({ frameId, url }) => this.#tree.moved(frameId, url));
    session.on('Page.frameDetached', ({ frameId, reason }) =>
      this.#gone(this.#tree.detached(targetId, frameId, reason)),
    );
  }

  async #read(targetId: string, session: CdpSession): Promise<void> {
    const answer = await session.sendMayFail('Page.getFrameTree');
    if (!answer || session.ended) return;
    const adopt = ({ frame, childFrames = [] }: AnsweredFrames): void => {
      // The document is not there yet; an event will report it.
      if (frame.url === '') return;
      this.#navigated(targetId, frame);
      for (const child of childFrames) adopt(child);
    };
    adopt(answer.frameTree);
  }

  /**
   * Reads which element of its parent's document holds a frame. It never changes: a frame that is moved is made anew.
   * Source: DOM.getFrameOwner.
   */
  async #askOwner(frameId: string): Promise<number | undefined> {
    const { parentFrameId } = this.#tree.get(frameId) ?? {};
    const parent = parentFrameId === undefined ? undefined : this.of(parentFrameId)?.sessions;
    const answer = await parent?.commands.sendMayFail('DOM.getFrameOwner', { frameId });
    if (!answer || this.#tree.get(frameId)?.parentFrameId !== parentFrameId) return undefined;
    this.#owners.set(frameId, answer.backendNodeId);
    this.onChange.emit();
    return answer.backendNodeId;
  }

  #navigated(targetId: string, frame: Frame): void {
    if (!this.#serves(targetId)) return;
    if (frame.id === targetId) this.#targets.get(targetId)?.sentinel.interrupt.moved();
    const url = frame.unreachableUrl ?? `${frame.url}${frame.urlFragment ?? ''}`;
    const { replaced, gone } = this.#tree.navigated(targetId, {
      frameId: frame.id,
      parentFrameId: frame.parentId,
      loaderId: frame.loaderId,
      url,
    });
    const node = this.#tree.get(frame.id);
    if (replaced && node) this.onDocument.emit(node);
    this.#gone(gone);
  }

  #gone(frameIds: readonly string[]): void {
    for (const frameId of frameIds) {
      this.#owners.delete(frameId);
      this.onGone.emit(frameId);
    }
    this.onChange.emit();
  }
}
