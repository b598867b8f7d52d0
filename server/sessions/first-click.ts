import { WheelhouseError } from '@/lib/errors/error';
import type { Budget } from '@/lib/budget/budget';
import type { Clock } from '@/lib/budget/clock';
import { whyDropped, type Aim, type Dropped } from '@/lib/input/first-click';
import type { InputEvent, Press } from '@/lib/protocol/input';
import type { PopupView } from '@/lib/protocol/popup';
import { spotAt } from '@/server/browser/target/spot';
import { DocumentGone } from '@/server/browser/target/world';
import type { Caller } from './caller';
import type { ControlDesk } from './control-desk';
import type { TabSeat } from './tab-seat';

/** A press is kept so long; whoever asked for the wheel has the answer by then. Milliseconds. */
const KEPT_MS = 30_000;
/** A page that does not say sooner what is at the point is busy with other things. Milliseconds. */
const READ_MS = 2_000;

interface Kept {
  readonly id: string;
  readonly press: Press;
  readonly aim: Aim;
  readonly until: number;
}

/** Where raw input goes, past the same fence as any other. */
interface Gate {
  send(
    budget: Budget,
    caller: Caller,
    seat: TabSeat,
    aim: { epoch: number; geometry: number },
    event: InputEvent,
  ): Promise<PopupView | undefined>;
}

export interface MadeClick {
  readonly clicked: boolean;
  readonly why?: Dropped;
  readonly popup?: PopupView;
}

/**
 * The first click of somebody who does not drive: kept with what it was aimed at, and made when they have the wheel and
 * it is still there (FR4).
 */
export class FirstClicks {
  /** One for each participant and tab; gone with the tab. */
  readonly #kept = new WeakMap<TabSeat, Map<string, Kept>>();
  #last = 0;

  constructor(
    private readonly desk: ControlDesk,
    private readonly input: Gate,
    private readonly clock: Clock,
  ) {}

  /**
   * Names the press for `make`; it takes the place of an earlier one. Throws CONFLICT (the picture is stale),
   * DIALOG_OPEN, TIMEOUT, NODE_GONE (nothing is there).
   */
  async keep(budget: Budget, caller: Caller, seat: TabSeat, geometry: number, press: Press): Promise<string> {
    const dialog = seat.tab.dialogs.blocking();
    if (dialog) throw dialog;
    if (seat.streams.geometry !== geometry)
      throw new WheelhouseError('CONFLICT', { code: 'pictureStale' }, { hint: { code: 'pictureStaleCure' } });
    const aim = await this.#aim(budget, seat, press);
    if (!aim) throw new WheelhouseError('NODE_GONE', { code: 'nothingAtPoint' });
    this.#last += 1;
    const id = `k${this.#last}`;
    const kept = this.#kept.get(seat) ?? new Map<string, Kept>();
    kept.set(caller.principal.id, { id, press, aim, until: this.clock.now() + KEPT_MS });
    this.#kept.set(seat, kept);
    return id;
  }

  /**
   * Makes a kept press, at most once. Throws CONTROL_LOST when the caller does not have the wheel, or loses it;
   * CONFLICT when the page changes in this very moment.
   */
  async make(budget: Budget, caller: Caller, seat: TabSeat, id: string): Promise<MadeClick> {
    const epoch = seat.epoch();
    this.desk.fence(seat.tab.id, caller.principal.id, epoch);
    const kept = this.#take(seat, caller.principal.id, id);
    if (!kept) return { clicked: false, why: 'late' };
    const why = await this.#whyDropped(budget, seat, kept);
    if (why) return { clicked: false, why };
    const { geometry } = kept.aim;
    let popup: PopupView | undefined;
    for (const event of eventsOf(kept.press))
      popup = (await this.input.send(budget, caller, seat, { epoch, geometry }, event)) ?? popup;
    return popup ? { clicked: true, popup } : { clicked: true };
  }

  async #whyDropped(budget: Budget, seat: TabSeat, { aim, press }: Kept): Promise<Dropped | undefined> {
    if (seat.tab.dialogs.blocking()) return 'silent';
    try {
      return whyDropped(aim, await this.#aim(budget, seat, press));
    } catch (error) {
      budget.signal.throwIfAborted();
      return error instanceof DocumentGone ? 'page' : 'silent';
    }
  }

  #take(seat: TabSeat, participant: string, id: string): Kept | undefined {
    const kept = this.#kept.get(seat)?.get(participant);
    if (kept?.id !== id) return undefined;
    this.#kept.get(seat)?.delete(participant);
    return kept.until > this.clock.now() ? kept : undefined;
  }

  /** The geometry is read last: what changed while the page was asked counts as changed. */
  async #aim(budget: Budget, seat: TabSeat, { x, y }: Press): Promise<Aim | undefined> {
    const patience = budget.child(READ_MS);
    try {
      const spot = await spotAt(patience, seat.tab, { x, y });
      return spot && { ...spot, geometry: seat.streams.geometry };
    } finally {
      patience.dispose();
    }
  }
}

function eventsOf({ x, y, button, modifiers }: Press): InputEvent[] {
  const press = { x, y, button, clickCount: 1, modifiers } as const;
  const held = { left: 1, right: 2, middle: 4 }[button];
  return [
    { type: 'move', x, y, buttons: 0, modifiers },
    { ...press, type: 'down', buttons: held },
    { ...press, type: 'up', buttons: 0 },
  ];
}
