import { MODIFIER_BITS } from '@/lib/input/modifiers';
import type { Budget } from '@/lib/budget/budget';
import type { InputEvent } from '@/lib/protocol/input';
import type { PopupView } from '@/lib/protocol/popup';
import { closePopup, popupAt, popupOfFocus } from '@/server/browser/input/native-popup';
import { fencedSession, type FencedSession } from '@/server/browser/write';
import type { Caller } from '@/server/session/caller';
import type { Feature } from '@/server/session/feature';
import type { SessionKernel } from '@/server/session/kernel';
import { INPUT_RECORDER, PAUSE, REFUSALS, UNRECORDED, type RecordedDelivery } from '@/server/session/feature-slots';
import { Slot } from '@/server/session/slot';
import { demandGeometry } from '@/server/session/picture-geometry';
import { PopupPrefetch } from './popup-prefetch';
import { RunningAction } from '@/server/session/action/running-actions';
import { LatePopups } from './late-popups';
import type { SessionTab } from '@/server/session/session-tab';
import { pageLost } from '@/server/session/page-lost';

/**
 * Sends a person's raw pointer and key events (CO11): fenced like actions, but with one timeline row per span instead
 * of per event.
 */
class InputGate {
  /** By tab: a running check for a popup; later events wait for it, so that their order is kept. */
  readonly #popupChecks = new Map<string, Promise<PopupView | undefined>>();
  /** By tab: settles when Chrome has acknowledged the last event. */
  readonly #acknowledged = new Map<string, Promise<unknown>>();
  /** Releases to withhold from the page, because their press or key was withheld. */
  readonly #withheld = new Set<string>();
  readonly #latePopups = new LatePopups();
  readonly #popupPrefetch: PopupPrefetch;

  constructor(private readonly kernel: SessionKernel) {
    this.#popupPrefetch = new PopupPrefetch(kernel.services.clock);
  }

  /**
   * Sends one event to Chrome, in the order of calls. Withholds a press that would open something outside the page
   * (DI3), and returns what the cockpit draws instead. Throws CONTROL_HELD while agents are paused, CONTROL_LOST,
   * CONFLICT for a stale geometry, DIALOG_OPEN.
   */
  async send(
    budget: Budget,
    caller: Caller,
    sessionTab: SessionTab,
    seenAt: { epoch: number; geometry: number },
    event: InputEvent,
  ): Promise<PopupView | undefined> {
    const { tab } = sessionTab;
    const delivered = this.#deliver(budget, caller, sessionTab, seenAt, event, this.#acknowledged.get(tab.id));
    const acknowledged = delivered.then(nothing, nothing);
    this.#acknowledged.set(tab.id, acknowledged);
    void acknowledged.then(() => {
      if (this.#acknowledged.get(tab.id) === acknowledged) this.#acknowledged.delete(tab.id);
    });
    const { withheld, popup } = await delivered;
    if (withheld) return popup;
    return this.#latePopups.after(budget, tab, event, () =>
      this.#asRunningAction(budget, caller, sessionTab, seenAt.epoch, (write) => closePopup(budget, write)),
    );
  }

  /** Sends one event to Chrome, or withholds it. `before`: settles when Chrome has acknowledged the event before. */
  async #deliver(
    budget: Budget,
    caller: Caller,
    sessionTab: SessionTab,
    seenAt: { epoch: number; geometry: number },
    event: InputEvent,
    before: Promise<unknown> | undefined,
  ): Promise<{ readonly withheld: boolean; readonly popup: PopupView | undefined }> {
    const actor = caller.principal.id;
    const { leases } = this.kernel;
    PAUSE.of(this.kernel).demandRunning(caller.principal);
    const fence = (): void => leases.fence(sessionTab.tab.id, actor, seenAt.epoch);
    await leases.pendingDecision(fence);
    try {
      fence();
    } catch (lost) {
      await REFUSALS.of(this.kernel).count(caller, 'CONTROL_LOST');
      throw lost;
    }
    this.kernel.onUse.emit(caller);
    const { epoch } = seenAt;
    const dialog = sessionTab.tab.dialogs.blocking();
    if (dialog) throw dialog;
    if (event.type === 'down') demandGeometry(sessionTab, seenAt.geometry);
    this.kernel.active.activate(sessionTab.tab.id);
    if (mayOpenDialog(event)) sessionTab.tab.dialogs.acted();
    if ('x' in event) this.#pointed(actor, sessionTab, event);
    const press = event.type === 'down' ? INPUT_RECORDER.of(this.kernel).begin(caller, sessionTab, event) : undefined;
    const popup = await this.#popupOf(budget, sessionTab, event, before);
    const withheld = popup !== undefined || (isRelease(event) && this.#withheld.delete(releaseOf(sessionTab, event)));
    if (withheld) {
      press?.lost();
      return { withheld, popup };
    }
    const delivery = press ?? INPUT_RECORDER.of(this.kernel).begin(caller, sessionTab, event);
    await this.#dispatch(budget, caller, sessionTab, epoch, event, delivery);
    if (event.type !== 'move' && event.type !== 'wheel') this.kernel.onInput.emit(sessionTab, event);
    return { withheld, popup };
  }

  #pointed(actor: string, sessionTab: SessionTab, event: Extract<InputEvent, { x: number }>): void {
    this.kernel.onPointer.emit(actor, sessionTab, { x: event.x, y: event.y });
    if (event.type === 'move' && event.buttons === 0) this.#popupPrefetch.moved(sessionTab.tab, event);
  }

  /** Sends the event; the recorder reads its target in parallel (CO11). */
  #dispatch(
    budget: Budget,
    caller: Caller,
    sessionTab: SessionTab,
    epoch: number,
    event: InputEvent,
    delivery: RecordedDelivery,
  ): Promise<void> {
    return this.#reported(delivery, () =>
      this.#asRunningAction(budget, caller, sessionTab, epoch, (write) =>
        sessionTab.tab.input.dispatchRaw(write, budget, event),
      ),
    );
  }

  /** Reports to the recorder whether the event reached the page. */
  async #reported<T>(delivery: RecordedDelivery, work: () => Promise<T>): Promise<T> {
    try {
      const done = await work();
      delivery.delivered();
      return done;
    } catch (error) {
      delivery.lost();
      throw error;
    }
  }

  /**
   * Checks before a plain press, or a key that opens a list, for a popup that it would open. Later events wait for the
   * check.
   */
  async #popupOf(
    budget: Budget,
    sessionTab: SessionTab,
    event: InputEvent,
    before: Promise<unknown> | undefined,
  ): Promise<PopupView | undefined> {
    const { id } = sessionTab.tab;
    const running = this.#popupChecks.get(id);
    if (running) await running;
    if (!mayOpenPopup(event)) return undefined;
    const release = releaseOf(sessionTab, event);
    this.#withheld.delete(release);
    // The prefetch found no popup at this point: send the press now, and check afterwards whether that was still true.
    if (event.type === 'down' && this.#popupPrefetch.foundNone(sessionTab.tab, event)) {
      this.#latePopups.missed(id);
      return undefined;
    }
    const looking = this.#checkForPopup(budget, sessionTab, event, before);
    this.#popupChecks.set(id, looking);
    const popup = await looking;
    if (this.#popupChecks.get(id) === looking) this.#popupChecks.delete(id);
    if (popup) this.#withheld.add(release);
    return popup;
  }

  /** Runs the check. When the page does not answer in time, the press is sent and the page is checked afterwards. */
  async #checkForPopup(
    budget: Budget,
    { tab }: SessionTab,
    event: PressOrKey,
    before: Promise<unknown> | undefined,
  ): Promise<PopupView | undefined> {
    const patience = budget.child(this.#popupPrefetch.patienceMs(tab));
    try {
      return await this.#popupPrefetch.timed(tab, async () => {
        if (event.type === 'down') return popupAt(patience, tab, event);
        // The key before it may move the focus, and Chrome may answer the check before it handles that key.
        if (before) await patience.race(before);
        return popupOfFocus(patience, tab);
      });
    } catch {
      this.#latePopups.missed(tab.id);
      return undefined;
    } finally {
      patience.dispose();
    }
  }

  /**
   * Returns the selected text for the lease holder; `cut` also removes it (SE6), and is recorded as the cut key (CO11).
   */
  async copy(budget: Budget, caller: Caller, sessionTab: SessionTab, epoch: number, cut: boolean): Promise<string> {
    const fence = (): void => this.kernel.leases.fence(sessionTab.tab.id, caller.principal.id, epoch);
    if (cut) PAUSE.of(this.kernel).demandRunning(caller.principal);
    await this.kernel.leases.pendingDecision(fence);
    fence();
    const delivery = cut
      ? INPUT_RECORDER.of(this.kernel).begin(caller, sessionTab, cutKey(sessionTab.tab.input.mac))
      : UNRECORDED;
    return this.#reported(delivery, () =>
      this.#asRunningAction(budget, caller, sessionTab, epoch, (write) =>
        sessionTab.tab.input.copyOut(write, budget, { cut }),
      ),
    );
  }

  /**
   * Registers the writes of `work` as a running action until Chrome acknowledges them, so that a takeover can discard
   * them (CO3).
   */
  async #asRunningAction<T>(
    budget: Budget,
    { principal }: Caller,
    sessionTab: SessionTab,
    epoch: number,
    work: (write: FencedSession) => Promise<T>,
  ): Promise<T> {
    const running = new RunningAction(sessionTab.tab.id, principal.id, budget);
    const stop = this.kernel.runningActions.start(running);
    try {
      return await work(this.#fencedSession(sessionTab, running, epoch));
    } catch (error) {
      throw pageLost(sessionTab.tab, await running.judged(error));
    } finally {
      stop();
    }
  }

  /** Fences every single write: the lease may pass between two events of one gesture. */
  #fencedSession(sessionTab: SessionTab, running: RunningAction, epoch: number): FencedSession {
    return fencedSession(sessionTab.tab.sessions.commands, (session) => (method, ...params) => {
      const fence = (): void => this.kernel.leases.fence(sessionTab.tab.id, running.actor, epoch);
      const write = (): ReturnType<typeof session.send<typeof method>> => {
        fence();
        return running.written(session.send(method, ...params), method);
      };
      const pending = this.kernel.leases.pendingDecision(fence);
      return pending ? pending.then(write) : write();
    });
  }
}

type PressOrKey = Extract<InputEvent, { readonly type: 'down' | 'up' | 'keydown' | 'keyup' }>;

const ALT = 1;

/**
 * True for events that open lists and pickers of Chrome on Linux and Windows: the left button, the space bar and F4
 * without modifiers, Alt with an up or down arrow.
 */
function mayOpenPopup(event: InputEvent): event is PressOrKey {
  if (event.type === 'down') return event.button === 'left' && event.modifiers === 0;
  if (event.type !== 'keydown' || event.repeat) return false;
  if (event.modifiers === ALT) return event.code === 'ArrowDown' || event.code === 'ArrowUp';
  return event.modifiers === 0 && (event.code === 'Space' || event.code === 'F4');
}

const nothing = (): undefined => undefined;

/** The key press that cuts the selection. */
function cutKey(mac: boolean): InputEvent {
  return {
    type: 'keydown',
    key: 'x',
    code: 'KeyX',
    location: 0,
    repeat: false,
    modifiers: mac ? MODIFIER_BITS.Meta : MODIFIER_BITS.Control,
  };
}

/** True for events to which a page may respond by opening a dialog. */
function mayOpenDialog({ type }: InputEvent): boolean {
  return type === 'down' || type === 'keydown' || type === 'text' || type === 'paste';
}

function isRelease(event: InputEvent): event is PressOrKey {
  return event.type === 'up' || event.type === 'keyup';
}

/** Key in `#withheld` of the release that belongs to a press or key. */
function releaseOf({ tab: { id } }: SessionTab, event: PressOrKey): string {
  return 'code' in event ? `${id} ${event.code}` : id;
}

/** The gate for raw pointer and key events. */
export const RAW_INPUT = new Slot<InputGate>('raw input');

export const rawInput: Feature = {
  name: 'raw input',
  start: (kernel) => {
    RAW_INPUT.fill(kernel, new InputGate(kernel));
    return {};
  },
};
