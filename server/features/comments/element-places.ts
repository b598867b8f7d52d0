import { Timer } from '@/lib/async/timers';
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
/** Elements that Chrome is asked for at a time: a page that computes its layout anew for each soon ends the look. */
const AT_ONCE = 10;
/** How long one look may take; the next one begins with what it left out. Milliseconds. */
const LOOK_MS = 1_000;
/** After a look the page has this many times as long for itself. */
const REST = 9;

/**
 * Where the elements of a tab's comments are (TL3): looks when the page has changed and is quiet again, while somebody
 * follows them, for a tenth of the time at most.
 */
export class ElementPlaces {
  /** Some of them moved, went or came. */
  readonly onMoved = new Emitter<[]>();
  readonly #notifier: MutationNotifier;
  /** By ref: null has no box. */
  readonly #places = new Map<string, Box | null>();
  #refs: readonly string[] = [];
  /** Those to look for, in this order. */
  readonly #due = new Set<string>();
  /** Runs while the page rests. */
  readonly #rest: Timer;
  #looking = false;
  #disposed = false;

  constructor(
    private readonly tab: Tab,
    private readonly clock: Clock,
    private readonly logger: Logger,
    /** The visibility epoch; undefined during a private hold (CO8). */
    private readonly visibilityEpoch: () => number | undefined,
  ) {
    this.#rest = new Timer(clock);
    this.#notifier = new MutationNotifier(tab.frames, () => this.look());
  }

  /** Looks for these from now on; for none, stops. */
  follow(refs: readonly string[]): void {
    const wanted = refs.slice(-MOST_PLACES);
    const isNew = wanted.some((ref) => !this.#refs.includes(ref));
    this.#refs = wanted;
    for (const ref of [...this.#places.keys()]) if (!wanted.includes(ref)) this.#places.delete(ref);
    this.#notifier.want(wanted.length > 0);
    if (isNew) this.look();
  }

  of(ref: string): ElementPlace {
    return this.#places.get(ref);
  }

  look(): void {
    for (const ref of this.#refs) this.#due.add(ref);
    if (!this.#looking && !this.#rest.running) void this.#look();
  }

  dispose(): void {
    this.#disposed = true;
    this.#refs = [];
    this.#rest.stop();
    this.#notifier.dispose();
    this.onMoved.clear();
  }

  async #look(): Promise<void> {
    this.#looking = true;
    const began = this.clock.now();
    try {
      await withBudget({ timeoutMs: LOOK_MS, clock: this.clock }, (budget) => this.#lookForDue(budget));
    } catch (error) {
      // The tab hangs or is gone; the next change tries again.
      this.logger.debug({ tab: this.tab.id, reason: messageOf(error) }, 'no places for the comments');
    }
    this.#looking = false;
    if (this.#disposed) return;
    this.#rest.start((this.clock.now() - began) * REST, () => {
      if (this.#due.size > 0) void this.#look();
    });
  }

  async #lookForDue(budget: Budget): Promise<void> {
    while (this.#due.size > 0 && !budget.over) {
      const asked = [...this.#due].slice(0, AT_ONCE);
      for (const ref of asked) this.#due.delete(ref);
      await this.#lookFor(
        budget,
        asked.filter((ref) => this.#refs.includes(ref)),
      );
    }
  }

  async #lookFor(budget: Budget, refs: readonly string[]): Promise<void> {
    const epoch = this.visibilityEpoch();
    if (epoch === undefined || this.tab.dialogs.blocking()) return;
    const found = await placesOf(budget, this.tab, refs);
    if (this.visibilityEpoch() !== epoch) return;
    const before = new Map(this.#places);
    for (const ref of refs) this.#note(ref, found.get(ref));
    if (refs.some((ref) => differ(before.get(ref), this.#places.get(ref)))) this.onMoved.emit();
  }

  /** An element in a frame of another process is not measured while the frame does not show it. */
  #note(ref: string, box: Box | undefined): void {
    const isHere = this.tab.refs.knows(ref) && this.tab.refs.lookup(ref).targetId === this.tab.targetId;
    if (box) this.#places.set(ref, box);
    else if (isHere) this.#places.set(ref, null);
    else this.#places.delete(ref);
  }
}

function differ(before: ElementPlace, now: ElementPlace): boolean {
  return before && now ? hasMoved(before, now) : before !== now;
}
