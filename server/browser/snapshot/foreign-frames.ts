import type { Budget } from '@/lib/budget/budget';
import { graft, type Graft } from '@/lib/snapshot/graft';
import type { CdpSession } from '@/server/cdp/session';
import type { FrameTarget } from '../frames/frame-target';
import type { TabFrames } from '../frames/tab-frames';
import { missingFrames, readPage, type PageAccess, type PageReading } from './read-page';
import { SecretMemory } from './secret-memory';
import { Worlds } from './worlds';

/** What one frame may take of the time of those who wait for the page: a part of it, and never more than this many milliseconds. */
export const PATIENCE = { share: 0.25, mostMs: 2_000 } as const;

/** What is asked of the tab's frames. */
export type FramesOfOthers = Pick<TabFrames, 'targets' | 'of'>;

export interface ForeignFrame {
  readonly targetId: string;
  readonly reading: PageReading;
}

/** Reads the frames of a tab that other processes hold, each by its own session, all at once: one that hangs costs only itself (SN5). */
export class ForeignFrames {
  /** What is known of a frame's process goes with its session. */
  readonly #known = new WeakMap<CdpSession, Pick<PageAccess, 'worlds' | 'secrets'>>();

  constructor(
    private readonly frames: FramesOfOthers,
    private readonly shared: Pick<PageAccess, 'label' | 'isReplaced'>,
  ) {}

  /** Those that answered in time. Throws what ended the budget. */
  async read(budget: Budget, patienceMs: number): Promise<readonly ForeignFrame[]> {
    const answers = await Promise.all(this.frames.targets().map((target) => this.#readOne(budget, target, patienceMs)));
    budget.check();
    return answers.flatMap((answer) => answer ?? []);
  }

  async #readOne(budget: Budget, target: FrameTarget, patienceMs: number): Promise<ForeignFrame | undefined> {
    if (target.hung) return undefined;
    const patience = budget.child(Math.min(PATIENCE.mostMs, patienceMs * PATIENCE.share));
    try {
      return { targetId: target.targetId, reading: await readPage(patience, this.#access(target.sessions.bulk), patience.remainingMs()) };
    } catch {
      // It hangs, went away or is changing: the page is shown without it, and says so.
      return undefined;
    } finally {
      patience.dispose();
    }
  }

  /** Puts them where they belong in the page; what could not be read is told. */
  place(page: PageReading, read: readonly ForeignFrame[]): PageReading {
    const grafts = read.flatMap((frame): Graft[] => {
      const { parentFrameId, ownerBackendNodeId } = this.frames.of(frame.targetId) ?? {};
      return parentFrameId === undefined || ownerBackendNodeId === undefined ? [] : [{ frameId: parentFrameId, backendNodeId: ownerBackendNodeId, tree: frame.reading.raw }];
    });
    const raw = graft(page.raw, grafts);
    const placed = new Set(raw.documents.map((document) => document.frameId));
    const shown = read.filter(({ targetId }) => placed.has(targetId));
    const foreign = Math.max(0, shown.reduce((sum, { reading }) => sum + reading.foreign, page.foreign) - shown.length);
    const inner = shown.flatMap(({ reading }) => reading.frames);
    const missing = page.missing ?? missingFrames(foreign) ?? shown.find(({ reading }) => reading.missing !== undefined)?.reading.missing;
    // Nothing tells yet whether a frame of another process is as it was.
    return { ...page, raw, foreign, inner, missing, kept: inner.length === 0 ? page.kept : undefined };
  }

  #access(session: CdpSession): PageAccess {
    const known = this.#known.get(session) ?? { worlds: new Worlds(session), secrets: new SecretMemory() };
    this.#known.set(session, known);
    return { session, ...known, ...this.shared, expected: () => [], covered: () => Promise.resolve([]) };
  }
}
