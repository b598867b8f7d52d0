import { UNRECORDED, type RecordedDelivery } from '@/server/session/feature-slots';
import { withBudget, type Budget } from '@/lib/budget/budget';
import type { Clock } from '@/lib/budget/clock';
import { InputRecorder } from '@/lib/input-recorder/input-recorder';
import type { RecordedAction } from '@/lib/input-recorder/recorded-action';
import type { TargetElement } from '@/lib/input-recorder/target-element';
import type { InputEvent } from '@/lib/protocol/input';
import type { Tab } from '@/server/browser/tab';
import { EventTargets } from '@/server/browser/event-target/event-targets';
import { PendingInput } from './pending-input';
import { FocusReads } from './focus-reads';
import type { TypedRun } from './typed-run';

/**
 * Deadline for reading the target of an event; after it only the point is known, or nothing. No caller waits for it.
 * Milliseconds.
 */
export const TARGET_READ_MS = 4_000;
/** Most events that wait for their target; further ones are only counted. */
const MOST_WAITING = 200;
/** A press that is released farther away than this is a drag. CSS pixels. */
const STILL = 5;

/**
 * Folds the raw input of one tab into actions (CO11). Reads the targets of events in parallel, delays no event, and
 * keeps their order.
 */
export class TabInputRecorder {
  readonly #recorder = new InputRecorder();
  readonly #focus: FocusReads;
  readonly #eventTargets: EventTargets;
  #entries: PendingInput[] = [];
  /** The typed run of each entry's text. */
  readonly #runs = new WeakMap<PendingInput, TypedRun>();
  #idle: (() => void)[] = [];
  #down: { readonly x: number; readonly y: number } | undefined;
  readonly #stop: () => void;

  /**
   * @param folded called with every action, in order
   * @param missed called for every event that could not be recorded
   */
  constructor(
    tab: Tab,
    private readonly clock: Clock,
    private readonly folded: (done: RecordedAction) => void,
    private readonly missed: () => void,
  ) {
    this.#eventTargets = new EventTargets(tab);
    this.#focus = new FocusReads(() => this.#look((budget) => this.#eventTargets.focus(budget)));
    const offs = [
      this.#focus.onRead.on((read) => {
        for (const entry of this.#entries) {
          entry.read(read);
          this.#judge(entry);
        }
        if (!read.seen && this.#entries.some(({ unsure }) => unsure)) this.#focus.want();
        this.#drain();
      }),
      tab.page.onDocument.on(() => this.#focus.forget()),
    ];
    this.#stop = () => {
      for (const off of offs) off();
    };
  }

  /**
   * Records an event that is about to be sent; the caller reports on the result whether it landed.
   * @param run the typed run that its text belongs to
   */
  begin(event: InputEvent, run?: TypedRun): RecordedDelivery {
    if (event.type === 'move' || event.type === 'keyup') return UNRECORDED;
    if (this.#entries.length >= MOST_WAITING) {
      this.missed();
      return UNRECORDED;
    }
    const entry = new PendingInput(event);
    if (run) this.#runs.set(entry, run);
    this.#entries.push(entry);
    this.#readTarget(entry, event);
    this.#judge(entry);
    const settle = (how: () => void): void => {
      how();
      this.#drain();
    };
    return {
      delivered: () => settle(() => entry.land(this.#after(entry, event))),
      lost: () => settle(() => entry.lose()),
    };
  }

  /** Settles when all events so far are folded or lost. */
  settled(): Promise<void> {
    return this.#entries.length === 0 ? Promise.resolve() : new Promise((resolve) => this.#idle.push(resolve));
  }

  /** Folds all waiting events and ends the unfinished action. Text whose target is not certain is not shown. */
  flush(): void {
    const waiting = this.#entries;
    this.#entries = [];
    for (const entry of waiting) {
      if (entry.lost) continue;
      if (entry.landed) this.#push(entry);
      else this.missed();
    }
    this.#give(this.#recorder.flush());
    this.#wake();
  }

  /**
   * Stops recording before input that must not be recorded: flushes earlier events, and forgets the focus, which may
   * have moved by the next recorded event.
   */
  interrupt(): void {
    this.flush();
    this.#focus.forget();
    this.#down = undefined;
  }

  dispose(): void {
    this.#stop();
    this.#entries = [];
    this.#wake();
  }

  #judge(entry: PendingInput): void {
    if (entry.secret) this.#runs.get(entry)?.isSecret();
  }

  /** Starts reading the event's target. */
  #readTarget(entry: PendingInput, event: InputEvent): void {
    if (entry.typed) {
      entry.startAt(this.#focus.last, this.#focus.floor);
      if (!this.#focus.last) this.#focus.want();
    }
    // The Tab key moves the focus: earlier reads do not tell where the next text goes.
    if (event.type === 'keydown' && event.key === 'Tab') this.#focus.forget();
    if (event.type !== 'down' && event.type !== 'up') return;
    if (event.type === 'down') this.#down = event;
    else this.#focus.forget();
    const far = this.#down && Math.max(Math.abs(event.x - this.#down.x), Math.abs(event.y - this.#down.y)) > STILL;
    if (event.type === 'up' && far !== true) return;
    void entry
      .lookAt(this.#look((budget) => this.#eventTargets.at(budget, { x: event.x, y: event.y })))
      .then(() => this.#drain());
  }

  /** Requests a focus read after the event, and returns its number. */
  #after(entry: PendingInput, event: InputEvent): number | undefined {
    return entry.typed || event.type === 'up' ? this.#focus.want() : undefined;
  }

  #drain(): void {
    for (let first = this.#entries[0]; first?.ready === true; first = this.#entries[0]) {
      this.#entries.shift();
      if (!first.lost) this.#push(first);
    }
    if (this.#entries.length === 0) this.#wake();
  }

  #push(entry: PendingInput): void {
    this.#give(this.#recorder.push(entry.item()));
  }

  #give(done: RecordedAction | undefined): void {
    if (done) this.folded(done);
  }

  #wake(): void {
    for (const resolve of this.#idle.splice(0)) resolve();
  }

  /** Reads a target; undefined when the page does not answer, because recording must not stop input. */
  async #look(work: (budget: Budget) => Promise<TargetElement | undefined>): Promise<TargetElement | undefined> {
    try {
      return await withBudget({ timeoutMs: TARGET_READ_MS, clock: this.clock }, work);
    } catch {
      return undefined;
    }
  }
}
