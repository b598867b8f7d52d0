import { WheelhouseError } from '@/lib/errors/error';
import { MODIFIER_BITS } from '@/lib/input/modifiers';
import type { Budget } from '@/lib/budget/budget';
import type { Clock } from '@/lib/budget/clock';
import type { InputEvent } from '@/lib/protocol/input';
import type { PopupView } from '@/lib/protocol/popup';
import { closePopup, popupAt, popupOfFocus } from '@/server/browser/input/native-popup';
import { fencedSession, type FencedSession } from '@/server/browser/write';
import type { Caller } from './caller';
import type { Leases } from './leases';
import { PopupPrefetch } from './popup-prefetch';
import { RunningAction, type RunningActions } from './running-actions';
import { LatePopups } from './late-popups';
import type { Privacy } from './privacy';
import type { SessionTab } from './session-tab';
import { pageLost } from './page-lost';
import type { InputLog } from './input-recorder/input-log';
import { UNRECORDED, type InputPassage } from './input-recorder/tab-input-recorder';

export interface InputGateDeps {
  readonly leases: Leases;
  readonly runningActions: RunningActions;
  readonly privacy: Pick<Privacy, 'moved'>;
  readonly clock: Clock;
  readonly log: InputLog;
  activate(tab: string): void;
  /** This caller is at work. */
  used(caller: Caller): void;
  /** This caller sent input without the wheel. */
  refused(caller: Caller): Promise<void>;
}

/** A person's raw pointer and keys (CO11): the same fence as an action, no row per event but one per span. */
export class InputGate {
  /** By tab: a press that is being looked at; what follows it waits, so that order holds. */
  readonly #looking = new Map<string, Promise<PopupView | undefined>>();
  /** Releases that belong to a press or key that was kept from the page, by tab. */
  readonly #kept = new Set<string>();
  readonly #late = new LatePopups();
  readonly #popupPrefetch: PopupPrefetch;

  constructor(private readonly deps: InputGateDeps) {
    this.#popupPrefetch = new PopupPrefetch(deps.clock);
  }

  /**
   * Sends one event to Chrome, in the order of calls. A press that would open something outside of the page (DI3) is
   * kept from it and answered with what the cockpit is to draw. Throws CONTROL_LOST, CONFLICT for a stale geometry,
   * DIALOG_OPEN.
   */
  async send(
    budget: Budget,
    caller: Caller,
    sessionTab: SessionTab,
    aim: { epoch: number; geometry: number },
    event: InputEvent,
  ): Promise<PopupView | undefined> {
    const actor = caller.principal.id;
    const { leases } = this.deps;
    try {
      leases.fence(sessionTab.tab.id, actor, aim.epoch);
    } catch (lost) {
      await this.deps.refused(caller);
      throw lost;
    }
    this.deps.used(caller);
    const { epoch } = aim;
    const dialog = sessionTab.tab.dialogs.blocking();
    if (dialog) throw dialog;
    if (event.type === 'down') this.#checkAim(sessionTab, aim.geometry);
    this.deps.activate(sessionTab.tab.id);
    if (isDeed(event)) sessionTab.tab.dialogs.acted();
    if (event.type === 'move' && event.buttons === 0) this.#popupPrefetch.moved(sessionTab.tab, event);
    const before = event.type === 'down' ? this.deps.log.begin(caller, sessionTab, event) : undefined;
    const popup = await this.#popup(budget, sessionTab, event);
    const kept = popup !== undefined || (isRelease(event) && this.#kept.delete(releaseOf(sessionTab, event)));
    if (kept) {
      before?.lost();
      return popup;
    }
    const passage = before ?? this.deps.log.begin(caller, sessionTab, event);
    await this.#pass(budget, caller, sessionTab, epoch, event, passage);
    if (event.type === 'up' || event.type === 'keyup') sessionTab.feed.refresh();
    if (event.type !== 'move' && event.type !== 'wheel') this.deps.privacy.moved(sessionTab, 'input');
    return this.#late.after(budget, sessionTab.tab, event, () =>
      this.#during(budget, caller, sessionTab, epoch, (write) => closePopup(budget, write)),
    );
  }

  /** What it goes to is looked at beside its way (CO11). */
  #pass(
    budget: Budget,
    caller: Caller,
    sessionTab: SessionTab,
    epoch: number,
    event: InputEvent,
    passage: InputPassage,
  ): Promise<void> {
    return this.#noted(passage, () =>
      this.#during(budget, caller, sessionTab, epoch, (write) =>
        sessionTab.tab.input.dispatchRaw(write, budget, event),
      ),
    );
  }

  /** What becomes of it is told to its passage. */
  async #noted<T>(passage: InputPassage, work: () => Promise<T>): Promise<T> {
    try {
      const done = await work();
      passage.landed();
      return done;
    } catch (error) {
      passage.lost();
      throw error;
    }
  }

  /** Looks before a plain press, and before a key that opens a list; whatever comes while it looks waits for it. */
  async #popup(budget: Budget, sessionTab: SessionTab, event: InputEvent): Promise<PopupView | undefined> {
    const { id } = sessionTab.tab;
    const before = this.#looking.get(id);
    if (before) await before;
    if (!mayOpen(event)) return undefined;
    const release = releaseOf(sessionTab, event);
    this.#kept.delete(release);
    // Nothing of Chrome's was there a moment ago: the press goes, and whether that still held is looked at afterwards.
    if (event.type === 'down' && this.#popupPrefetch.clear(sessionTab.tab, event)) {
      this.#late.missed(id);
      return undefined;
    }
    const looking = this.#look(budget, sessionTab, event);
    this.#looking.set(id, looking);
    const popup = await looking;
    if (this.#looking.get(id) === looking) this.#looking.delete(id);
    if (popup) this.#kept.add(release);
    return popup;
  }

  /** A page that does not answer in time gets the press as it is, and is asked afterwards. */
  async #look(budget: Budget, { tab }: SessionTab, event: Opening): Promise<PopupView | undefined> {
    const patience = budget.child(this.#popupPrefetch.patienceMs(tab));
    try {
      return await this.#popupPrefetch.timed(tab, () =>
        event.type === 'down' ? popupAt(patience, tab, event) : popupOfFocus(patience, tab),
      );
    } catch {
      this.#late.missed(tab.id);
      return undefined;
    } finally {
      patience.dispose();
    }
  }

  /** The holder's selected text; cut also removes it (SE6), and is told as the key that does the same (CO11). */
  async copy(budget: Budget, caller: Caller, sessionTab: SessionTab, epoch: number, cut: boolean): Promise<string> {
    this.deps.leases.fence(sessionTab.tab.id, caller.principal.id, epoch);
    const passage = cut ? this.deps.log.begin(caller, sessionTab, cutKey(sessionTab.tab.input.mac)) : UNRECORDED;
    return this.#noted(passage, () =>
      this.#during(budget, caller, sessionTab, epoch, (write) => sessionTab.tab.input.copyOut(write, budget, { cut })),
    );
  }

  /** What Chrome has not acknowledged of it is known until then, so that a takeover can throw it away (CO3). */
  async #during<T>(
    budget: Budget,
    { principal }: Caller,
    sessionTab: SessionTab,
    epoch: number,
    work: (write: FencedSession) => Promise<T>,
  ): Promise<T> {
    const running = new RunningAction(sessionTab.tab.id, principal.id, budget);
    const stop = this.deps.runningActions.start(running);
    try {
      return await work(this.#fenced(sessionTab, running, epoch));
    } catch (error) {
      throw pageLost(sessionTab.tab, await running.judged(error));
    } finally {
      stop();
    }
  }

  /** Every write is fenced again: the wheel may change hands between two events of one gesture. */
  #fenced(sessionTab: SessionTab, running: RunningAction, epoch: number): FencedSession {
    return fencedSession(sessionTab.tab.sessions.commands, (session) => (method, ...params) => {
      this.deps.leases.fence(sessionTab.tab.id, running.actor, epoch);
      return running.written(session.send(method, ...params), method);
    });
  }

  /** A click is refused when what it was aimed at is no longer what the page looks like (FR4). */
  #checkAim(sessionTab: SessionTab, geometry: number): void {
    if (sessionTab.streams.geometry === geometry) return;
    throw new WheelhouseError('CONFLICT', { code: 'pictureStale' }, { hint: { code: 'pictureStaleCure' } });
  }
}

type Opening = Extract<InputEvent, { readonly type: 'down' | 'up' | 'keydown' | 'keyup' }>;

const ALT = 1;

/**
 * The left button alone, the space bar, F4, Alt with an arrow: what opens lists and pickers of Chrome on Linux and
 * Windows.
 */
function mayOpen(event: InputEvent): event is Opening {
  if (event.type === 'down') return event.button === 'left' && event.modifiers === 0;
  if (event.type !== 'keydown' || event.repeat) return false;
  if (event.modifiers === ALT) return event.code === 'ArrowDown' || event.code === 'ArrowUp';
  return event.modifiers === 0 && (event.code === 'Space' || event.code === 'F4');
}

/** The key that cuts. */
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

/** What a page may answer with a dialog of its own. */
function isDeed({ type }: InputEvent): boolean {
  return type === 'down' || type === 'keydown' || type === 'text' || type === 'paste';
}

function isRelease(event: InputEvent): event is Opening {
  return event.type === 'up' || event.type === 'keyup';
}

/** Names the release that goes with a press or key. */
function releaseOf({ tab: { id } }: SessionTab, event: Opening): string {
  return 'code' in event ? `${id} ${event.code}` : id;
}
