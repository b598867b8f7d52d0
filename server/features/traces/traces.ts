import { messageOf, WheelhouseError } from '@/lib/errors/error';
import { Budget } from '@/lib/budget/budget';
import { BUDGET_LIMITS } from '@/lib/budget/limits';
import type { ControlEffect, Holder } from '@/lib/control/lease';
import { freeName, nameProblem } from '@/lib/files/file-name';
import { TRACE_LIMITS } from '@/lib/trace/limits';
import type { TraceEnd, TraceKept, TraceState } from '@/lib/trace/schema';
import type { StartTrace, StopTrace, TraceApi } from '@/server/actions/context';
import type { SessionFiles } from '@/server/browser/files/session-files';
import type { TraceRecording } from '@/server/browser/trace/recording';
import { TraceFile } from '@/server/browser/trace/trace-file';
import type { FencedSession } from '@/server/browser/write';
import type { Feature } from '@/server/session/feature';
import type { SessionKernel } from '@/server/session/kernel';
import { ACTION_FILES, TRACES } from '@/server/session/feature-slots';
import type { SessionTab } from '@/server/session/session-tab';

/** A trace that is running or being saved. */
interface RunningTrace {
  readonly recording: TraceRecording;
  /** Who started it. */
  readonly by: Holder;
  readonly startedAt: string;
  /** Monotonic milliseconds. */
  readonly since: number;
  readonly endsAt: number;
  readonly screenshots: boolean;
  readonly stopTimer: () => void;
  saving?: Promise<TraceKept>;
  /** The tab is closed; failures are not reported any more. */
  over?: boolean;
}

/**
 * The traces of a session, at most one per tab (PS5). A trace ends on request, when its time or size limit is reached,
 * and when somebody else gets the lease, who has not agreed to be recorded; what was recorded is then saved among the
 * session's files. If its page or Chrome is lost, it is dropped.
 */
class Traces {
  readonly #running = new Map<string, RunningTrace>();
  readonly #lastTraces = new Map<string, TraceKept>();

  constructor(private readonly kernel: SessionKernel) {
    kernel.leases.onEffect.on((effect) => this.#leaseMoved(effect));
  }

  /** The session's files, where traces are saved. */
  get #files(): SessionFiles {
    return ACTION_FILES.of(this.kernel).sessionFiles;
  }

  /** The trace functions for an action of `by` on the tab. */
  forAction(sessionTab: SessionTab, by: Holder): TraceApi {
    return {
      start: (budget, write, options) => this.#start(budget, sessionTab, by, write, options),
      stop: (budget, options) => this.#stop(budget, sessionTab, options),
      state: () => this.#state(sessionTab.tab.id),
    };
  }

  /** Ends a trace when somebody else gets the tab's lease: their work must not be recorded. */
  #leaseMoved(effect: ControlEffect): void {
    if (effect.type !== 'changed' || effect.lease.state !== 'held') return;
    const running = this.#running.get(effect.tab);
    if (running && running.by.id !== effect.lease.holder.id) void this.#endItself(effect.tab, running, 'wheel');
  }

  /**
   * Ends and saves all traces of the session when one of its tabs becomes private: tabs may share a renderer, so any
   * trace could record that tab.
   */
  async endAll(budget: Budget): Promise<void> {
    const ends = [...this.#running].map(([tab, running]) => this.#endItself(tab, running, 'private'));
    await budget.race(Promise.all(ends));
  }

  #state(tab: string): TraceState {
    const running = this.#running.get(tab);
    const kept = this.#lastTraces.get(tab);
    const last = kept ? { kept } : {};
    if (!running) return { running: false, ...last };
    return {
      running: true,
      leftMs: Math.max(0, Math.round(running.endsAt - this.kernel.services.clock.now())),
      screenshots: running.screenshots,
      ...last,
    };
  }

  async #start(
    budget: Budget,
    sessionTab: SessionTab,
    by: Holder,
    write: FencedSession,
    { screenshots = true, maxMs = TRACE_LIMITS.defaultMs }: StartTrace,
  ): Promise<TraceState> {
    const { tab } = sessionTab;
    const { clock } = this.kernel.services;
    if (this.#running.has(tab.id))
      throw new WheelhouseError('CONFLICT', 'This tab is being traced already.', {
        hint: 'End that trace first: {"kind":"trace","do":"stop"}.',
      });
    const recording = await tab.tools.tracer.start(budget, write, { screenshots });
    const since = clock.now();
    const stopTimer = clock.after(maxMs, () => void this.#endItself(tab.id, running, 'time'));
    const running: RunningTrace = {
      recording,
      by,
      startedAt: new Date().toISOString(),
      since,
      endsAt: since + maxMs,
      screenshots,
      stopTimer,
    };
    this.#running.set(tab.id, running);
    this.#lastTraces.delete(tab.id);
    recording.onFull.on(() => void this.#endItself(tab.id, running, 'full'));
    recording.onLost.on(() => this.#lost(tab.id, running));
    sessionTab.onDispose(() => {
      running.over = true;
      this.#drop(tab.id, running);
    });
    return this.#state(tab.id);
  }

  /** Ends the tab's trace and returns it; returns one that ended by itself before. Throws CONFLICT, PATH_DENIED. */
  async #stop(budget: Budget, { tab }: SessionTab, options: StopTrace): Promise<TraceKept> {
    const running = this.#running.get(tab.id);
    const name = this.#nameFor(tab.id, options);
    if (running)
      return budget.during('the trace to be kept', () =>
        this.#keep(tab.id, running, 'stop', name, options.gzip ?? false),
      );
    const kept = this.#lastTraces.get(tab.id);
    if (!kept)
      throw new WheelhouseError('CONFLICT', 'This tab is not being traced.', {
        hint: 'Start a trace first: {"kind":"trace","do":"start"}.',
      });
    this.#lastTraces.delete(tab.id);
    if (options.saveAs === undefined) return kept;
    return { ...kept, file: await this.#files.rename(kept.file.name, name) };
  }

  /** Ends a trace without a request. Settles when it is saved or could not be. */
  async #endItself(tab: string, running: RunningTrace, why: TraceEnd): Promise<void> {
    if (running.saving) return;
    await this.#keep(tab, running, why, this.#nameFor(tab, {}), false).then(
      (kept) => {
        this.#lastTraces.set(tab, kept);
        void this.kernel.timeline.tell({ kind: 'files', said: { code: SAID[why], name: kept.file.name }, tab });
      },
      (error: unknown) => {
        if (running.over !== true)
          void this.kernel.timeline.tell({
            kind: 'files',
            said: { code: 'traceNotKept', reason: messageOf(error) },
            tab,
          });
      },
    );
  }

  /** Saves a trace once; a second call waits for the first. Goes on when the caller gives up. */
  #keep(tab: string, running: RunningTrace, why: TraceEnd, name: string, gzip: boolean): Promise<TraceKept> {
    running.stopTimer();
    running.saving ??= this.#save(running, why, name, gzip).finally(() => this.#drop(tab, running));
    return running.saving;
  }

  async #save(
    { recording, by, startedAt, since }: RunningTrace,
    ended: TraceEnd,
    name: string,
    gzip: boolean,
  ): Promise<TraceKept> {
    const { clock } = this.kernel.services;
    const sessionFiles = this.#files;
    const ms = Math.round(clock.now() - since);
    const budget = new Budget({ timeoutMs: BUDGET_LIMITS.transferMs, clock });
    try {
      const content = new TraceFile(await recording.end(budget), startedAt, undefined, (event) =>
        this.kernel.secrets.redactor.text(event),
      );
      const file = await sessionFiles.put(name, content.content(budget, gzip), by, 'trace');
      const { events, leftOut, cut } = content;
      return { file, ended, ms, events, leftOut, cut };
    } finally {
      budget.dispose();
    }
  }

  #lost(tab: string, running: RunningTrace): void {
    // A trace that is being saved fails by itself and reports the reason.
    if (running.saving || this.#running.get(tab) !== running) return;
    this.#drop(tab, running);
    void this.kernel.timeline.tell({ kind: 'files', said: { code: 'traceLost' }, tab });
  }

  #drop(tab: string, running: RunningTrace): void {
    running.stopTimer();
    running.recording.dispose();
    if (this.#running.get(tab) === running) this.#running.delete(tab);
  }

  /**
   * The name of the trace's file. Throws PATH_DENIED or CONFLICT before the trace is stopped, so that a bad name loses
   * nothing.
   */
  #nameFor(tab: string, { saveAs, gzip = false }: StopTrace): string {
    const taken = new Set(this.#files.list().map(({ name }) => name));
    if (saveAs === undefined)
      return freeName(
        `trace-${tab}-${new Date().toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-')}${gzip ? '.json.gz' : '.json'}`,
        (name) => taken.has(name),
      );
    const problem = nameProblem(saveAs);
    if (problem !== undefined)
      throw new WheelhouseError('PATH_DENIED', `"saveAs" ${problem}.`, {
        details: { fields: [{ field: 'saveAs', problem }] },
      });
    if (taken.has(saveAs))
      throw new WheelhouseError('CONFLICT', `This session has a file "${saveAs}" already.`, {
        hint: 'Use another name; the trace still runs.',
      });
    return saveAs;
  }
}

const SAID = {
  stop: 'traceKept',
  time: 'traceTimeUp',
  full: 'traceFull',
  wheel: 'traceWheel',
  private: 'tracePrivate',
} as const satisfies Record<TraceEnd, string>;

export const traces: Feature = {
  name: 'traces',
  start: (kernel) => {
    TRACES.fill(kernel, new Traces(kernel));
    return {};
  },
};
