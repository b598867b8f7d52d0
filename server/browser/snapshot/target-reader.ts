import type { Budget } from '@/lib/budget/budget';
import type { CoveredNode } from '@/lib/snapshot/covered';
import type { DomFacts } from '@/lib/snapshot/facts';
import { READ_AGAIN, readPage, renewed, type PageAccess, type PageReading } from './read-page';

/** The result of reading a target. */
export interface TargetRead {
  /** The same object as before when nothing in it has changed. */
  readonly reading: PageReading;
  /** The covered elements now; undefined when they have to be read separately. */
  readonly covered: readonly CoveredNode[] | undefined;
}

/**
 * Reads one target repeatedly, the tab's own or that of an out-of-process frame: renews the kept reading, and reads the
 * whole page where that is not possible (SN1).
 */
export class TargetReader {
  #last: PageReading | undefined;
  /** How often the kept reading was dropped. */
  #forgotten = 0;

  /** Throws what `readPage` throws. */
  async read(budget: Budget, access: PageAccess, patienceMs: number): Promise<TargetRead> {
    const { before, age } = { before: this.#last, age: this.#forgotten };
    // Cleared before the renewal, so that a half-renewed reading is never used again.
    this.#last = undefined;
    const renewal = before && (await renew(budget, access, before));
    const reading = renewal?.reading ?? saying(await readPage(budget, access, patienceMs), renewal?.lost);
    // A reading that was dropped during this one must not be kept: fields of it may be masked now (CO8).
    if (reading.kept && age === this.#forgotten) this.#last = reading;
    return { reading, covered: renewal?.reading ? renewal.covered : reading.covered };
  }

  /** Drops the kept reading: the next one reads the whole page. */
  forget(): void {
    this.#last = undefined;
    this.#forgotten += 1;
  }
}

interface Renewed {
  readonly reading?: PageReading;
  readonly covered?: readonly CoveredNode[] | undefined;
  readonly lost?: string;
}

/** The previous reading if nothing changed, a renewed one, or why the whole page has to be read. */
async function renew(budget: Budget, access: PageAccess, before: PageReading): Promise<Renewed> {
  const [main] = before.frames;
  if (!before.kept || !main || access.isReplaced(main)) return {};
  const mask = (facts: DomFacts): DomFacts => access.secrets.apply(main.loaderId, facts);
  const renewal = await before.kept.renew(budget, { session: access.session, worlds: access.worlds, mask });
  if (renewal.kind === 'lost') return { lost: renewal.reason };
  const elsewhere = renewal.frames.some((frame, index) => frame.url !== before.frames[index]?.url);
  if (renewal.kind === 'same' && !elsewhere) return { reading: before, covered: renewal.covered };
  const work = renewal.kind === 'same' ? { parts: 0, ms: 0 } : renewal;
  return { reading: renewed(before.kept, renewal.frames, work, before, access), covered: renewal.covered };
}

function saying(reading: PageReading, lost: string | undefined): PageReading {
  const { kind, reason } = reading.source;
  return lost === undefined ? reading : { ...reading, source: { kind, reason: `${reason}${READ_AGAIN}${lost}.` } };
}
