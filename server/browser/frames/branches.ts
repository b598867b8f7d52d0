import type { BranchKind } from '@/lib/buffers/branch';
import type { CdpSession } from '@/server/cdp/session';
import { Emitter } from '../emitter';
import type { LaneTargetInfo } from './lane-targets';

/** A part of a tab that Chrome runs as a target of its own: a frame in another process, or a worker. */
export interface Branch {
  readonly kind: BranchKind;
  readonly targetId: string;
  /** As Chrome told when it attached us: empty for a frame that has no document yet. */
  readonly url: string;
  /** Of the events lane. */
  readonly session: CdpSession;
}

/** What Chrome calls them. */
const KINDS: Readonly<Record<string, BranchKind>> = {
  iframe: 'frame',
  worker: 'worker',
  shared_worker: 'shared-worker',
  service_worker: 'service-worker',
};
export const BRANCH_TYPES: readonly string[] = Object.keys(KINDS);

/** A tab keeps sessions for at most this many workers; further ones are not heard. */
const MAX_WORKERS = 50;

/**
 * The branches of one tab as the events lane meets them: for what has to be told to each (emulation) or heard from each
 * (console, requests). Pure of Chrome: `LaneTargets` tells of them.
 */
export class Branches {
  /** A branch came. What is sent on its session right here arrives before its first script and request. */
  readonly onBranch = new Emitter<[Branch]>();
  readonly #all = new Map<string, Branch>();

  list(): Branch[] {
    return [...this.#all.values()];
  }

  /** A service worker is met through each frame that it serves, and followed once. */
  admits(targetId: string): boolean {
    return !this.#all.has(targetId) && this.list().filter(({ kind }) => kind !== 'frame').length < MAX_WORKERS;
  }

  met({ targetId, type, url }: LaneTargetInfo, session: CdpSession): void {
    const kind = KINDS[type];
    if (!kind) return;
    const branch = { kind, targetId, url, session };
    this.#all.set(targetId, branch);
    session.onEnd(() => this.#all.get(targetId) === branch && this.#all.delete(targetId));
    this.onBranch.emit(branch);
  }

  dispose(): void {
    this.onBranch.clear();
  }
}
