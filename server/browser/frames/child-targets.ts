import type { ChildTargetKind } from '@/lib/buffers/child-target';
import type { CdpSession } from '@/server/cdp/session';
import { Emitter } from '../emitter';
import type { LaneTargetInfo } from './lane-targets';

/** A part of a tab that Chrome runs as a target of its own: a frame in another process, or a worker. */
export interface ChildTarget {
  readonly kind: ChildTargetKind;
  readonly targetId: string;
  /** The address at the moment when Chrome attached us: empty for a frame that has no document yet. */
  readonly url: string;
  /** The session on the events lane. */
  readonly session: CdpSession;
}

/** Chrome's names of the target types. */
const KINDS: Readonly<Record<string, ChildTargetKind>> = {
  iframe: 'frame',
  worker: 'worker',
  shared_worker: 'shared-worker',
  service_worker: 'service-worker',
};
export const CHILD_TARGET_TYPES: readonly string[] = Object.keys(KINDS);

/** Most workers of a tab that get sessions; further ones are ignored. */
const MAX_WORKERS = 50;

/**
 * The child targets of one tab, for code that has to set up each (emulation) or listen to each (console, requests).
 * Sends nothing to Chrome: `LaneTargets` reports the child targets.
 */
export class ChildTargets {
  /**
   * A child target was attached. Commands sent on its session by the listener arrive before its first script and
   * request.
   */
  readonly onTarget = new Emitter<[ChildTarget]>();
  readonly #all = new Map<string, ChildTarget>();

  list(): ChildTarget[] {
    return [...this.#all.values()];
  }

  /**
   * Whether a new child target gets a session. Chrome reports a service worker through each frame that it serves; it is
   * followed once.
   */
  admits(targetId: string): boolean {
    return !this.#all.has(targetId) && this.list().filter(({ kind }) => kind !== 'frame').length < MAX_WORKERS;
  }

  met({ targetId, type, url }: LaneTargetInfo, session: CdpSession): void {
    const kind = KINDS[type];
    if (!kind) return;
    const childTarget = { kind, targetId, url, session };
    this.#all.set(targetId, childTarget);
    session.onEnd(() => this.#all.get(targetId) === childTarget && this.#all.delete(targetId));
    this.onTarget.emit(childTarget);
  }

  dispose(): void {
    this.onTarget.clear();
  }
}
