import { LATE, within } from '@/lib/async/within';
import type { Clock } from '@/lib/budget/clock';
import type { WheelhouseError } from '@/lib/errors/error';
import { interruptOneOf } from '@/server/cdp/debugger-interrupt';
import type { Tab } from '@/server/browser/tab';
import type { ActionFate, RunningAction } from '@/server/session/action/running-actions';

/**
 * Steps of a takeover, which together take at most 500 ms when the agent's work can be ended (CO3); after `showMs` the
 * tab is shown as hanging. Milliseconds.
 */
const DRAIN = { quietMs: 80, pingMs: 30, answerMs: 150, terminateMs: 100, showMs: 450 } as const;
/**
 * Longest time that a page that cannot be stopped keeps the lease between two holders while its remedies are shown;
 * after it the lease passes anyway. Milliseconds.
 */
const STUCK_MS = 10_000;
/**
 * When a person gives the lease up, their last actions get this long to finish before they are interrupted (`STUCK_MS`
 * during a navigation). Milliseconds.
 */
const PATIENT_MS = 2_000;

/**
 * Ends the loser's running actions and discards the input that Chrome has queued for them (CO3). Settles when the next
 * holder may start: when Chrome has acknowledged everything, or when it is known whether old input can still reach the
 * page.
 */
export class Drain {
  constructor(
    private readonly clock: Clock,
    private readonly tab: Tab | undefined,
    private readonly running: readonly RunningAction[],
    /**
     * True when the loser is a person who gives the lease up: running actions may finish first; no new ones can begin.
     */
    private readonly patient = false,
  ) {}

  async run(error: WheelhouseError): Promise<void> {
    if (this.patient && (await this.#endsByItself())) return;
    const lands = new Map(this.running.map((one) => [one, { any: one.mayLand, paused: one.mayLandPaused }]));
    const shown = this.clock.after(DRAIN.showMs, () => this.tab?.hangMonitor.stuck({ code: 'scriptRuns' }));
    const work = this.#end().finally(shown);
    for (const one of this.running) {
      const { any, paused } = lands.get(one) ?? { any: false, paused: false };
      one.lose(
        error,
        work.then((end): ActionFate => ((end === 'discarded' ? paused : end === 'loose' && any) ? 'unknown' : 'known')),
      );
    }
    if ((await work) === 'loose') await this.#outlast();
  }

  /**
   * Waits for the running actions to finish; longer while the tab navigates. False at once behind a dialog: the action
   * that opened it has taken effect, and Chrome answers it only when the dialog closes.
   */
  async #endsByItself(): Promise<boolean> {
    const { tab } = this;
    if (!tab || tab.dialogs.current || tab.hangMonitor.dialogBeside()) return false;
    return this.#within(
      Promise.all(this.running.map((one) => one.settled())),
      tab.page.awaited === undefined ? PATIENT_MS : STUCK_MS,
    );
  }

  /**
   * Ends the actions. `quiet`: the page answered all of them. `discarded`: queued input never reached the page.
   * `loose`: queued input may have reached the page, or may still reach it.
   */
  async #end(): Promise<'quiet' | 'discarded' | 'loose'> {
    const quiet = Promise.all(this.running.map((one) => one.quiet()));
    const { tab } = this;
    // A pending navigation delays every answer of the page, so waiting here would not help.
    const away = tab?.page.awaited !== undefined;
    if (!away && (await this.#within(quiet, DRAIN.quietMs))) return 'quiet';
    // The action that opened a dialog has taken effect; Chrome answers it only when the dialog closes.
    if (!tab || tab.dialogs.current) return 'quiet';
    // A dialog of another tab in the same renderer blocks this tab; interrupting this tab's script would not help.
    if (tab.hangMonitor.dialogBeside()) return 'loose';
    if (tab.page.awaited !== undefined) await this.#stopLoading(tab, quiet);
    const silent = await tab.hangMonitor.silent(DRAIN.pingMs);
    const landed = Promise.all(this.running.map((one) => one.landed()));
    const ends = await Promise.all(
      silent.map((group) =>
        interruptOneOf(
          group.map(({ interrupt }) => interrupt),
          landed,
          Promise.any(group.map((sentinel) => sentinel.whenAnswers())),
        ),
      ),
    );
    if (ends.every((end) => end === 'needless')) return (await this.#within(quiet, DRAIN.answerMs)) ? 'quiet' : 'loose';
    if (!ends.includes('not-discarded')) return 'discarded';
    await Promise.all(silent.flat().map((sentinel) => sentinel.terminate(DRAIN.terminateMs)));
    return 'loose';
  }

  /** Cancels a navigation that the server does not answer: it delays every other answer. */
  async #stopLoading(tab: Tab, quiet: Promise<unknown>): Promise<void> {
    void tab.sessions.commands.sendMayFail('Page.stopLoading');
    await this.#within(quiet, DRAIN.answerMs);
  }

  /** Waits up to `STUCK_MS` until the page answers, by itself, by a remedy or because it was closed. */
  async #outlast(): Promise<void> {
    const { tab } = this;
    const quiet = Promise.all(this.running.map((one) => one.quiet()));
    if (!tab || tab.hangMonitor.dialogBeside() || (await this.#within(quiet, DRAIN.answerMs))) return;
    const answers = tab.sentinel.whenAnswers().catch(() => undefined);
    await this.#within(Promise.race([quiet, answers]), STUCK_MS);
  }

  /** True when `work` settled within `ms`. */
  async #within(work: Promise<unknown>, ms: number): Promise<boolean> {
    return (await within(this.clock, ms, work)) !== LATE;
  }
}
