import { Timer, Timers } from '@/lib/async/timers';
import type { Point } from '@/lib/actions/shared';
import { WheelhouseError } from '@/lib/errors/error';
import { CursorBoard } from '@/lib/presence/cursors';
import { Emitter } from '@/server/browser/emitter';
import type { Caller } from '@/server/session/caller';
import type { Feature } from '@/server/session/feature';
import type { SessionKernel } from '@/server/session/kernel';
import { actorOf } from '@/server/session/participants';
import { Slot } from '@/server/session/slot';

/** Who has been away for as long does not mean the raised hand any more. Milliseconds. */
const AWAY_MS = 60_000;

/** Pointers and raised hands of a session's participants (AU5). Nothing of them is stored. */
class Presence {
  /** A pointer moved, or went. */
  readonly onCursors: Emitter<[]>;
  readonly #board = new CursorBoard();
  readonly #fading: Timer;
  /** By participant who left. */
  readonly #away: Timers;
  #over = false;

  constructor(private readonly kernel: SessionKernel) {
    this.onCursors = new Emitter(kernel.fault);
    this.#fading = new Timer(kernel.services.clock);
    this.#away = new Timers(kernel.services.clock);
  }

  /** The number of the last change of a pointer. */
  get change(): number {
    return this.#board.change;
  }

  /** What changed on a tab after `since`, for this viewer. */
  news(tab: string, since: number, viewer: string): ReturnType<CursorBoard['news']> {
    return this.#board.news(tab, since, viewer);
  }

  /**
   * The pointer of a participant is there now; null: not on this tab. Of a privately held tab nobody learns it (CO8).
   */
  point(who: string, tab: string, at: Point | null): void {
    const { participants, visibility, services } = this.kernel;
    const now = services.clock.now();
    if (at === null) this.#board.leftPage(who, tab, now);
    else if (participants.online(who) && !visibility.isHeldPrivately(tab)) this.#board.moved(who, tab, at, now);
    this.#tell();
  }

  /** A participant's last connection ended. */
  left(who: string): void {
    this.#board.gone(who, this.kernel.services.clock.now());
    this.#tell();
    this.#away.plan(who, AWAY_MS, () => {
      if (!this.kernel.participants.online(who)) this.lowerHand(who);
    });
  }

  /** Nobody sees this tab any more. */
  hidden(tab: string): void {
    this.#board.leftTab(tab, this.kernel.services.clock.now());
    this.#tell();
  }

  /** Throws CONFLICT for a caller who is not in the session. */
  raiseHand({ principal }: Caller, up: boolean): void {
    if (!this.kernel.participants.online(principal.id))
      throw new WheelhouseError('CONFLICT', 'Only somebody who is in the session raises a hand.', {
        hint: 'Send session.join first.',
      });
    this.#setHand(principal.id, up);
  }

  lowerHand(who: string): void {
    this.#setHand(who, false);
  }

  /** Those who leave afterwards, as when a session ends, start no timer any more. */
  dispose(): void {
    this.#over = true;
    this.#fading.stop();
    this.#away.dispose();
    this.onCursors.clear();
  }

  #setHand(who: string, up: boolean): void {
    if (this.kernel.participants.raiseHand(who, up, new Date().toISOString())) this.kernel.changed();
  }

  #tell(): void {
    if (this.#over) return;
    this.onCursors.emit();
    if (!this.#fading.running) this.#fade();
  }

  #fade(): void {
    const before = this.#board.change;
    const nextMs = this.#board.fade(this.kernel.services.clock.now());
    if (nextMs !== undefined) this.#fading.start(nextMs, () => this.#fade());
    if (this.#board.change !== before) this.onCursors.emit();
  }
}

export const PRESENCE = new Slot<Presence>('presence');

/** Shows who is here, where they point and who raised a hand (AU5); writes to the timeline who comes and goes (TL1). */
export const presence: Feature = {
  name: 'presence',
  start: (kernel) => {
    const present = new Presence(kernel);
    PRESENCE.fill(kernel, present);
    const { visitRowsPerLink } = kernel.services.limits;
    const tell = async (kind: 'join' | 'leave', { principal, door }: Caller): Promise<void> => {
      // Guests who come and go without end must not fill the timeline.
      if (principal.kind === 'guest' && (await visitRowsPerLink.take(principal.link.id)) > 0) return;
      const said = { code: kind === 'join' ? 'joined' : 'left' } as const;
      await kernel.timeline.tell({ kind, said, actor: actorOf(principal), door });
    };
    kernel.onJoin.on((caller) => void tell('join', caller));
    kernel.onLeave.on((caller) => {
      present.left(caller.principal.id);
      void tell('leave', caller);
    });
    // An agent looks at the tab that it used last.
    kernel.participants.onUse.on(() => kernel.changed());
    kernel.onPointer.on((who, { tab }, at) => present.point(who, tab.id, at));
    kernel.onTabClosed.on(({ tab }) => present.hidden(tab.id));
    kernel.onVisibility.on(({ tab }, visible) => {
      if (!visible) present.hidden(tab.id);
    });
    kernel.leases.onEffect.on((effect) => {
      // Who got the wheel has no more reason to raise a hand.
      if (effect.type === 'changed' && effect.lease.state === 'held') present.lowerHand(effect.lease.holder.id);
    });
    return { dispose: () => present.dispose() };
  },
};
