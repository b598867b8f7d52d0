import {
  FLOOD_KINDS,
  isCounted,
  SLOWED_SHARE,
  type CountedKind,
  type FloodKind,
  type FloodLimits,
  type MeasuredKind,
} from './limits';

/** One sample of a tab. */
export interface FloodLook {
  /** Monotonic milliseconds. */
  readonly now: number;
  /** Counts so far; the gauge compares those of two samples. */
  readonly totals: Readonly<Record<CountedKind, number>>;
  readonly levels: Readonly<Record<MeasuredKind, number>>;
  /** A person holds the lease of the tab and is warned before the page is put aside. */
  readonly person: boolean;
}

export interface FloodStep {
  /** `warn`: the page will be put aside. `release`: the page is no longer slowed. */
  readonly do: 'slow' | 'warn' | 'park' | 'close' | 'release';
  readonly kind: FloodKind;
}

type Stage =
  | { readonly name: 'calm' }
  | {
      readonly name: 'slowed';
      readonly kind: FloodKind;
      readonly calmSince: number | undefined;
      readonly warnedAt: number | undefined;
    }
  | { readonly name: 'parked'; readonly kind: FloodKind; readonly since: number | undefined }
  | { readonly name: 'closed' };

const CALM: Stage = { name: 'calm' };

/**
 * Decides after each sample what to do about a page that uses more of its Chrome than it may (AC6): slow it, put it
 * aside, close it. Pure: it has no clock and no effects.
 */
export class FloodGauge {
  /**
   * The samples of the window, after the last one that is at least as old as the window: on a busy machine two samples
   * may be further apart than the window is long.
   */
  readonly #window: { readonly now: number; readonly totals: FloodLook['totals'] }[] = [];
  /** For each kind: since when it has exceeded the limit for slowing, and the limit for putting the page aside. */
  readonly #slow = new Map<FloodKind, number>();
  readonly #park = new Map<FloodKind, number>();
  #stage: Stage = CALM;

  constructor(private readonly limits: FloodLimits) {}

  /** Starts over because the tab shows another page. */
  anew(): void {
    this.#window.length = 0;
    this.#slow.clear();
    this.#park.clear();
    this.#stage = CALM;
  }

  /** The empty page has replaced the one that was put aside. */
  emptied(now: number): void {
    if (this.#stage.name === 'parked') this.#stage = { ...this.#stage, since: this.#stage.since ?? now };
  }

  look(look: FloodLook): FloodStep | undefined {
    this.#measure(look);
    switch (this.#stage.name) {
      case 'calm':
        return this.#whenCalm(look);
      case 'slowed':
        return this.#whenSlowed(this.#stage, look);
      case 'parked':
        return this.#whenParked(this.#stage, look);
      case 'closed':
        return undefined;
    }
  }

  #whenCalm({ now }: FloodLook): FloodStep | undefined {
    const kind = this.#due(this.#slow, 'slowAfterMs', now);
    if (kind === undefined) return undefined;
    this.#stage = { name: 'slowed', kind, calmSince: undefined, warnedAt: undefined };
    return { do: 'slow', kind };
  }

  #whenSlowed(stage: Extract<Stage, { name: 'slowed' }>, { now, person }: FloodLook): FloodStep | undefined {
    const kind = this.#due(this.#park, 'parkAfterMs', now);
    if (kind !== undefined && (!person || this.#warnedLongAgo(stage.warnedAt, now))) {
      this.#stage = { name: 'parked', kind, since: undefined };
      return { do: 'park', kind };
    }
    if (kind !== undefined && stage.warnedAt === undefined) {
      this.#stage = { ...stage, kind, warnedAt: now };
      return { do: 'warn', kind };
    }
    const calmSince = this.#slow.size > 0 ? undefined : (stage.calmSince ?? now);
    const calm = calmSince !== undefined && now - calmSince >= this.limits.calmMs;
    this.#stage = calm ? CALM : { ...stage, calmSince };
    return calm ? { do: 'release', kind: stage.kind } : undefined;
  }

  /** Whether a person has had the time that the warning named, with the flood going on all the while. */
  #warnedLongAgo(warnedAt: number | undefined, now: number): boolean {
    const { noticeMs } = this.limits;
    if (warnedAt === undefined || now - warnedAt < noticeMs) return false;
    return this.#due(this.#park, 'parkAfterMs', now - noticeMs) !== undefined;
  }

  /** Only the load of its processes counts now, because an empty page produces no counted events. */
  #whenParked({ kind, since }: Extract<Stage, { name: 'parked' }>, { now }: FloodLook): FloodStep | undefined {
    if (since === undefined || now - since < this.limits.closeAfterMs) return undefined;
    const still = [...this.#park.keys()].some((one) => !isCounted(one));
    this.#stage = still ? { name: 'closed' } : this.#stage;
    return still ? { do: 'close', kind } : undefined;
  }

  #due(
    since: ReadonlyMap<FloodKind, number>,
    after: 'slowAfterMs' | 'parkAfterMs',
    now: number,
  ): FloodKind | undefined {
    return FLOOD_KINDS.find(
      (kind) => now - (since.get(kind) ?? Number.POSITIVE_INFINITY) >= this.limits.kinds[kind][after],
    );
  }

  #measure({ now, totals, levels }: FloodLook): void {
    this.#window.push({ now, totals });
    while (now - (this.#window[1]?.now ?? now) >= this.limits.windowMs) this.#window.shift();
    const before = this.#window[0] ?? { now, totals };
    // What came in a longer time counts as if it had come evenly.
    const part = Math.min(1, this.limits.windowMs / (now - before.now));
    for (const kind of FLOOD_KINDS) {
      const value = isCounted(kind) ? (totals[kind] - before.totals[kind]) * part : levels[kind];
      const { over, parkOver = over } = this.limits.kinds[kind];
      const share = this.#shareOf(kind);
      mark(this.#slow, kind, now, value > over * share);
      mark(this.#park, kind, now, value > parkOver * share);
    }
  }

  /** The share of a limit that applies now: a page that is paused most of the time produces less of the same flood. */
  #shareOf(kind: FloodKind): number {
    if (this.#stage.name !== 'slowed' || !this.limits.kinds[this.#stage.kind].pauses) return 1;
    return isCounted(kind) || kind === 'processor' || kind === 'script' ? SLOWED_SHARE : 1;
  }
}

function mark(since: Map<FloodKind, number>, kind: FloodKind, now: number, over: boolean): void {
  if (!over) since.delete(kind);
  else if (!since.has(kind)) since.set(kind, now);
}
