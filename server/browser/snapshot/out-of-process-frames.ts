import type { Budget } from '@/lib/budget/budget';
import type { CoveredNode } from '@/lib/snapshot/covered';
import { graft, type Graft } from '@/lib/snapshot/graft';
import type { Mask } from '@/lib/state/masks';
import type { CdpSession } from '@/server/cdp/session';
import type { FrameTarget } from '../frames/frame-target';
import type { TabFrames } from '../frames/tab-frames';
import { frameTimeMs } from './visible-frame';
import { readCovered, type InnerDocument } from './read-covered';
import { missingFrames, type PageAccess, type PageReading } from './read-page';
import { SecretMemory } from './secret-memory';
import { TargetReader, type TargetRead } from './target-reader';
import { ReaderWorlds } from './reader-worlds';

/** The part of the tab's frames that the reader uses. */
export type OutOfProcessFrames = Pick<TabFrames, 'targets' | 'of'>;

export interface OutOfProcessFrame {
  readonly targetId: string;
  /** The frame element that holds it; undefined while that is not known. */
  readonly place: Pick<Graft, 'frameId' | 'backendNodeId'> | undefined;
  readonly reading: PageReading;
}

interface Known {
  readonly reader: TargetReader;
  readonly access: Pick<PageAccess, 'worlds' | 'secrets'>;
}

/**
 * Reads the frames of a tab that are in other processes, each by its own session and all at once: a frame that hangs
 * delays only its own reading (SN5).
 */
export class OutOfProcessReader {
  /** By session, so that a reader is dropped with its frame's session. */
  readonly #known = new WeakMap<CdpSession, Known>();

  constructor(
    private readonly frames: OutOfProcessFrames,
    private readonly shared: Pick<PageAccess, 'label' | 'isReplaced'>,
  ) {}

  /** The frames that answered in time. Throws what ended the budget. */
  async read(budget: Budget, patienceMs: number): Promise<readonly OutOfProcessFrame[]> {
    const answers = await Promise.all(this.frames.targets().map((target) => this.#readOne(budget, target, patienceMs)));
    budget.check();
    return answers.flatMap((answer) => answer ?? []);
  }

  async #readOne(budget: Budget, target: FrameTarget, patienceMs: number): Promise<OutOfProcessFrame | undefined> {
    if (target.hung) return undefined;
    try {
      const { reading } = await budget.within(frameTimeMs(patienceMs), (inner) =>
        this.#readWith(inner, target.sessions.bulk),
      );
      return { targetId: target.targetId, place: this.#placeOf(target.targetId), reading };
    } catch {
      // The frame hangs, went away or is changing: the page is shown without it, and the reading says so.
      return undefined;
    }
  }

  /**
   * The elements that something of the frame's own documents covers, from the frames that answer in time (SN2). Throws
   * what ended the budget.
   */
  async covered(budget: Budget, read: readonly OutOfProcessFrame[]): Promise<readonly CoveredNode[]> {
    const answers = await Promise.all(read.map((frame) => this.#coveredIn(budget, frame)));
    budget.check();
    return answers.flat();
  }

  async #coveredIn(budget: Budget, frame: OutOfProcessFrame): Promise<readonly CoveredNode[]> {
    const [document] = this.documents([frame]);
    if (!document) return [];
    const { session, worlds } = document;
    const { reading } = frame;
    try {
      return await budget.within(frameTimeMs(budget.remainingMs()), (inner) =>
        readCovered(inner, { session, worlds, frames: reading.frames, nodes: reading.raw.nodes.length }),
      );
    } catch {
      // The frame began to hang, or went away: its elements get no mark.
      return [];
    }
  }

  /** The documents in these frames, with the sessions and worlds to look into them. */
  documents(read: readonly OutOfProcessFrame[]): InnerDocument[] {
    return read.flatMap(({ targetId, reading }) => {
      const session = this.frames.targets().find((target) => target.targetId === targetId && !target.hung)
        ?.sessions.bulk;
      const worlds = session && this.#known.get(session)?.access.worlds;
      return session && worlds ? reading.frames.map((frame) => ({ session, worlds, frame })) : [];
    });
  }

  /** Marks fields of a frame's process as secret, whatever they look like. */
  hide({ sessions }: FrameTarget, { topLoaderId, fields, all }: Mask): void {
    this.#knownOf(sessions.bulk).access.secrets.remember(topLoaderId, fields, all);
  }

  /** Drops the kept readings of all frames. */
  forget(): void {
    for (const { sessions } of this.frames.targets()) this.#known.get(sessions.bulk)?.reader.forget();
  }

  /** Inserts the frames at their places in the page, and notes which could not be read. */
  place(page: PageReading, read: readonly OutOfProcessFrame[]): PageReading {
    const grafts = read.flatMap(({ place, reading }): Graft[] => (place ? [{ ...place, tree: reading.raw }] : []));
    const raw = graft(page.raw, grafts);
    const placed = new Set(raw.documents.map((document) => document.frameId));
    const shown = read.filter(({ targetId }) => placed.has(targetId));
    const foreign = Math.max(0, shown.reduce((sum, { reading }) => sum + reading.foreign, page.foreign) - shown.length);
    const inner = shown.flatMap(({ reading }) => reading.frames);
    const missing =
      page.missing ??
      missingFrames(foreign) ??
      shown.find(({ reading }) => reading.missing !== undefined)?.reading.missing;
    return { ...page, raw, foreign, inner, missing };
  }

  #placeOf(targetId: string): OutOfProcessFrame['place'] {
    const { parentFrameId, ownerBackendNodeId } = this.frames.of(targetId) ?? {};
    return parentFrameId === undefined || ownerBackendNodeId === undefined
      ? undefined
      : { frameId: parentFrameId, backendNodeId: ownerBackendNodeId };
  }

  #knownOf(session: CdpSession): Known {
    const known = this.#known.get(session) ?? {
      reader: new TargetReader(),
      access: { worlds: new ReaderWorlds(session), secrets: new SecretMemory() },
    };
    this.#known.set(session, known);
    return known;
  }

  #readWith(budget: Budget, session: CdpSession): Promise<TargetRead> {
    const known = this.#knownOf(session);
    const access: PageAccess = {
      session,
      ...known.access,
      ...this.shared,
      expected: () => [],
      covered: () => Promise.resolve([]),
    };
    return known.reader.read(budget, access, budget.remainingMs());
  }
}

/** Whether the same frames are at the same places, and nothing changed in any of them. */
export function sameInside(before: readonly OutOfProcessFrame[], now: readonly OutOfProcessFrame[]): boolean {
  return (
    before.length === now.length &&
    now.every(({ reading, place }, index) => {
      const old = before[index];
      return (
        old?.reading === reading &&
        old.place?.frameId === place?.frameId &&
        old.place?.backendNodeId === place?.backendNodeId
      );
    })
  );
}
