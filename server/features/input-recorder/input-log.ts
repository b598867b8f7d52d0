import { within } from '@/lib/async/within';
import { randomUUID } from 'node:crypto';
import type { DoneAction } from '@/lib/actions/done';
import type { ControlEffect } from '@/lib/control/lease';
import { driven } from '@/lib/control/rules';
import type { RecordedAction } from '@/lib/input-recorder/recorded-action';
import { messageOf } from '@/lib/errors/error';
import { doneOf } from '@/lib/input-recorder/done';
import type { InputEvent } from '@/lib/protocol/input';
import type { Actor } from '@/lib/protocol/views';
import type { Message } from '@/lib/messages/message';
import type { Caller } from '@/server/session/caller';
import { Timers } from '@/lib/async/timers';
import type { Feature, Hooks } from '@/server/session/feature';
import type { SessionKernel } from '@/server/session/kernel';
import { INPUT_RECORDER, UNRECORDED, type RecordedDelivery } from '@/server/session/feature-slots';
import { actorOf } from '@/server/session/participants';
import type { SessionTab } from '@/server/session/session-tab';
import type { TimelineNote } from '@/server/session/timeline';
import { TypedRun } from './typed-run';
import { TARGET_READ_MS, TabInputRecorder } from './tab-input-recorder';

/** A pause this long between two raw events ends a span; the next event opens another. Milliseconds. */
const SPAN_MS = 2_000;
/** Longest wait for the targets of the last events while a caller waits. Milliseconds. */
const LAST_TARGETS_MS = 600;
/** The same after a pause or a loss of the lease, when no caller waits. Milliseconds. */
const CALM_MS = TARGET_READ_MS + 1_000;
/** Most actions that a span's row lists. */
const MOST_TOLD = 40;

interface InputSpan {
  readonly id: string;
  readonly actor: Actor;
  readonly door: Caller['door'];
  readonly startedAt: number;
  readonly did: DoneAction[];
  /** Number of actions that are not in `did`. */
  more: number;
  /** Raw events so far. */
  events: number;
}

/**
 * Groups raw input into spans on the timeline: one row when a span begins, completed with its actions when it ends
 * (CO11).
 */
class InputLog implements Hooks {
  readonly #spans = new Map<string, InputSpan>();
  readonly #recorders = new Map<string, TabInputRecorder>();
  /** Keyed by tab, participant, and whether the tab is held privately. */
  readonly #runs = new Map<string, TypedRun>();
  readonly #timers: Timers;

  constructor(private readonly kernel: SessionKernel) {
    this.#timers = new Timers(kernel.services.clock);
    kernel.leases.onEffect.on((effect) => this.#leaseMoved(effect));
  }

  /** Records an event that is about to be sent to the tab; the caller reports on the result whether it landed. */
  begin(caller: Caller, sessionTab: SessionTab, event: InputEvent): RecordedDelivery {
    this.#open(caller, sessionTab);
    const hidden = this.kernel.visibility.isHeldPrivately(sessionTab.tab.id);
    const run = this.#runOf(`${sessionTab.tab.id} ${caller.principal.id} ${String(hidden)}`, caller, event);
    if (hidden) {
      run.isSecret();
      this.#recorders.get(sessionTab.tab.id)?.interrupt();
      return UNRECORDED;
    }
    return this.#recorderOf(sessionTab).begin(event, run);
  }

  /** Ends the spans of a participant once their actions are known, after `LAST_TARGETS_MS` at the latest. */
  async finish(actor: string): Promise<void> {
    const mine = [...this.#spans].filter(([, span]) => span.actor.id === actor);
    await Promise.all(mine.map(([tab, span]) => this.#endSoon(tab, span)));
  }

  /** Ends the span of a participant who loses the lease. */
  #leaseMoved(effect: ControlEffect): void {
    if (effect.type !== 'changed' && effect.type !== 'drain') return;
    const span = this.#spans.get(effect.tab);
    if (!span) return;
    const holder = effect.type === 'changed' ? driven(effect.lease)?.holder.id : undefined;
    if (holder !== span.actor.id) void this.#endCalmly(effect.tab);
  }

  /** Ends every span, without waiting. */
  async stopping(): Promise<void> {
    this.#close();
  }

  ending(): void {
    this.#close();
  }

  #close(): void {
    for (const [tab, span] of this.#spans) this.#end(tab, span);
  }

  dispose(): void {
    this.#timers.dispose();
    this.#spans.clear();
    for (const recorder of this.#recorders.values()) recorder.dispose();
    this.#recorders.clear();
  }

  async #endSoon(tab: string, span: InputSpan): Promise<void> {
    await this.#settled(tab, LAST_TARGETS_MS);
    if (this.#spans.get(tab) === span) this.#end(tab, span);
  }

  /** Ends the span after its actions are known, unless more events came: the next pause then ends it. */
  async #endCalmly(tab: string): Promise<void> {
    const span = this.#spans.get(tab);
    const events = span?.events;
    await this.#settled(tab, CALM_MS);
    if (span && this.#spans.get(tab) === span && span.events === events) this.#end(tab, span);
  }

  #settled(tab: string, patienceMs: number): Promise<unknown> {
    return within(this.kernel.services.clock, patienceMs, this.#recorders.get(tab)?.settled() ?? Promise.resolve());
  }

  #open({ principal, door }: Caller, { tab: { id: tab } }: SessionTab): void {
    const open = this.#spans.get(tab);
    const actor = actorOf(principal);
    if (open && open.actor.id !== actor.id) this.#end(tab, open);
    const span =
      this.#spans.get(tab) ??
      this.#begun(
        { id: randomUUID(), actor, door, startedAt: this.kernel.services.clock.now(), did: [], more: 0, events: 0 },
        tab,
      );
    span.events += 1;
    this.#timers.plan(tab, SPAN_MS, () => void this.#endCalmly(tab));
  }

  #begun(span: InputSpan, tab: string): InputSpan {
    const { id, actor, door } = span;
    void this.kernel.timeline.tell({ kind: 'input', id, said: { code: 'inputUsed' }, actor, door, tab });
    this.#spans.set(tab, span);
    return span;
  }

  #runOf(key: string, { principal: { id } }: Caller, event: InputEvent): TypedRun {
    const run = this.#runs.get(key);
    if (run?.takes(event) === true) return run;
    const next = new TypedRun(this.kernel.secrets, id);
    next.takes(event);
    this.#runs.set(key, next);
    return next;
  }

  #recorderOf(sessionTab: SessionTab): TabInputRecorder {
    const { id } = sessionTab.tab;
    const known = this.#recorders.get(id);
    if (known) return known;
    const made = new TabInputRecorder(
      sessionTab.tab,
      this.kernel.services.clock,
      (folded) => this.#folded(id, folded),
      () => this.#missed(id),
    );
    this.#recorders.set(id, made);
    sessionTab.onDispose(() => {
      const span = this.#spans.get(id);
      if (span) this.#end(id, span);
      made.dispose();
      if (this.#recorders.get(id) === made) this.#recorders.delete(id);
    });
    return made;
  }

  #folded(tab: string, folded: RecordedAction): void {
    const span = this.#spans.get(tab);
    if (!span) return;
    const done = doneOf(folded, { tab });
    if (span.did.length < MOST_TOLD) span.did.push(done);
    else span.more += 1;
    this.kernel.onPersonDid.emit(span.actor.id, done);
  }

  #missed(tab: string): void {
    const span = this.#spans.get(tab);
    if (!span) return;
    span.more += 1;
    this.kernel.onPersonDid.emit(span.actor.id, undefined);
  }

  /** Writes a row; logs a failure, because no caller waits for it (F16). */
  #tell(event: TimelineNote): void {
    try {
      void this.kernel.timeline.tell(event);
    } catch (error) {
      this.kernel.services.logger.error({ error: messageOf(error) }, 'what was done by raw input could not be stored');
    }
  }

  #end(tab: string, span: InputSpan): void {
    this.#recorders.get(tab)?.flush();
    this.#spans.delete(tab);
    this.#timers.cancel(tab);
    const { id, actor, door, did, more, startedAt } = span;
    if (did.length === 0) return;
    const what = did.map(({ text }) => text).join(', ');
    const said: Message = more > 0 ? { code: 'inputDidMore', what, more } : { code: 'inputDid', what };
    this.#tell({
      kind: 'input',
      phase: 'outcome',
      id,
      said,
      actor,
      door,
      tab,
      did,
      outcome: 'ok',
      ms: Math.round(this.kernel.services.clock.now() - startedAt),
    });
  }
}

export const inputRecorder: Feature = {
  name: 'input recorder',
  start: (kernel) => {
    const log = new InputLog(kernel);
    INPUT_RECORDER.fill(kernel, log);
    return log;
  },
};
