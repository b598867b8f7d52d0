import { withBudget, type Budget } from '@/lib/budget/budget';
import type { Clock } from '@/lib/budget/clock';
import { hasMoved, type ElementPlace } from '@/lib/comments/anchor';
import { messageOf } from '@/lib/errors/error';
import type { Box } from '@/lib/protocol/catalog';
import { Emitter } from '@/server/browser/emitter';
import { MutationNotifier } from '@/server/browser/mutation-notifier';
import type { Tab } from '@/server/browser/tab';
import type { Logger } from '@/server/telemetry/logger';
import { placesOf } from './anchors';

/** The most elements that are looked for, the newest first. */
const MOST_PLACES = 50;
/** How long one look may take. Milliseconds. */
const LOOK_MS = 2_000;

/**
 * Where the elements of a tab's comments are (TL3): looks when the page has changed and is quiet again, while somebody
 * follows them.
 */
export class ElementPlaces {
  /** Some of them moved, went or came. */
  readonly onMoved = new Emitter<[]>();
  readonly #notifier: MutationNotifier;
  /** By ref: null has no box. */
  #places: ReadonlyMap<string, Box | null> = new Map();
  #refs: readonly string[] = [];
  #looking = false;
  #again = false;

  constructor(
    private readonly tab: Tab,
    private readonly clock: Clock,
    private readonly logger: Logger,
    /** The visibility epoch; undefined during a private hold (CO8). */
    private readonly visibilityEpoch: () => number | undefined,
  ) {
    this.#notifier = new MutationNotifier(tab.frames, () => this.look());
  }

  /** Looks for these from now on; for none, stops. */
  follow(refs: readonly string[]): void {
    const wanted = refs.slice(-MOST_PLACES);
    const isNew = wanted.some((ref) => !this.#refs.includes(ref));
    this.#refs = wanted;
    if (wanted.length === 0) this.#places = new Map();
    this.#notifier.want(wanted.length > 0);
    if (isNew) this.look();
  }

  of(ref: string): ElementPlace {
    return this.#places.get(ref);
  }

  look(): void {
    if (this.#refs.length === 0) return;
    this.#again = true;
    if (!this.#looking) void this.#lookUntilDone();
  }

  dispose(): void {
    this.#refs = [];
    this.#notifier.dispose();
    this.onMoved.clear();
  }

  async #lookUntilDone(): Promise<void> {
    this.#looking = true;
    while (this.#again && this.#refs.length > 0) {
      this.#again = false;
      try {
        await withBudget({ timeoutMs: LOOK_MS, clock: this.clock }, (budget) => this.#lookOnce(budget));
      } catch (error) {
        // The tab hangs or is gone; the next change tries again.
        this.logger.debug({ tab: this.tab.id, reason: messageOf(error) }, 'no places for the comments');
      }
    }
    this.#looking = false;
  }

  async #lookOnce(budget: Budget): Promise<void> {
    const epoch = this.visibilityEpoch();
    if (epoch === undefined || this.tab.dialogs.blocking()) return;
    const refs = this.#refs;
    const found = await placesOf(budget, this.tab, refs);
    if (this.visibilityEpoch() !== epoch) return;
    const places = new Map(refs.flatMap((ref): [string, Box | null][] => this.#placed(ref, found.get(ref))));
    const moved = refs.some((ref) => differ(this.#places.get(ref), places.get(ref)));
    this.#places = places;
    if (moved) this.onMoved.emit();
  }

  /** An element in a frame of another process is not measured while the frame does not show it. */
  #placed(ref: string, box: Box | undefined): [string, Box | null][] {
    if (box) return [[ref, box]];
    if (!this.tab.refs.knows(ref) || this.tab.refs.lookup(ref).targetId !== this.tab.targetId) return [];
    return [[ref, null]];
  }
}

function differ(before: ElementPlace, now: ElementPlace): boolean {
  return before && now ? hasMoved(before, now) : before !== now;
}
