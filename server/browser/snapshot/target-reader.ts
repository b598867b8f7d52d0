import type { Budget } from '@/lib/budget/budget';
import type { CoveredNode } from '@/lib/snapshot/covered';
import type { DomFacts } from '@/lib/snapshot/facts';
import { READ_AGAIN, readPage, renewed, type PageAccess, type PageReading } from './read-page';

/** What came of reading a target. */
export interface TargetRead {
  /** The very same object as before when nothing in it has changed. */
  readonly reading: PageReading;
  /** What other things lie over now; undefined when that has to be asked for. */
  readonly covered: readonly CoveredNode[] | undefined;
}

/**
 * Reads one target again and again, the tab's own or a frame of another process: what was kept of it is renewed, and
 * all is read where that cannot be (SN1).
 */
export class TargetReader {
  #last: PageReading | undefined;
  /** How often what was read was let go. */
  #forgotten = 0;

  /** Throws as `readPage`. */
  async read(budget: Budget, access: PageAccess, patienceMs: number): Promise<TargetRead> {
    const { before, age } = { before: this.#last, age: this.#forgotten };
    // Whatever goes wrong in the middle, nothing half renewed is used again.
    this.#last = undefined;
    const renewal = before && (await renew(budget, access, before));
    const reading = renewal?.reading ?? saying(await readPage(budget, access, patienceMs), renewal?.lost);
    // What was let go meanwhile may be masked now (CO8).
    if (reading.kept && age === this.#forgotten) this.#last = reading;
    return { reading, covered: renewal?.reading ? renewal.covered : reading.covered };
  }

  /** The next time all is read. */
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

/** What was read before when nothing has changed, that with what has changed, or why all has to be read. */
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
