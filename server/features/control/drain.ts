import { LATE, within } from '@/lib/async/within';
import type { Clock } from '@/lib/budget/clock';
import type { WheelhouseError } from '@/lib/errors/error';
import { interruptOneOf } from '@/server/cdp/debugger-interrupt';
import type { Tab } from '@/server/browser/tab';
import type { ActionFate, RunningAction } from '@/server/session/running-actions';

/**
 * A takeover is through within 500 ms, whatever the agent was doing (CO3); what takes longer is shown as a page that
 * hangs. Milliseconds.
 */
const DRAIN = { quietMs: 80, pingMs: 30, answerMs: 150, terminateMs: 100, showMs: 450 } as const;
/**
 * A page that cannot be stopped keeps the tab between two holders for so long, with its remedies shown; then the wheel
 * passes all the same. Milliseconds.
 */
const STUCK_MS = 10_000;
/**
 * A wheel that is given up is not waited for as one that is taken: so long what its holder did last may take to reach
 * the page. Milliseconds.
 */
const PATIENT_MS = 2_000;

/**
 * Ends what the loser of a tab has under way, and throws away what Chrome has queued of it (CO3). Settles when the next
 * holder may come in: when Chrome has acknowledged everything, or can be told apart from a page that may still take old
 * input.
 */
export class Drain {
  constructor(
    private readonly clock: Clock,
    private readonly tab: Tab | undefined,
    private readonly running: readonly RunningAction[],
    /** The loser gives the wheel up: what is under way may end by itself first; nothing more can begin. */
    private readonly patient = false,
  ) {}

  async run(error: WheelhouseError): Promise<void> {
    if (this.patient && (await this.#endsByItself())) return;
    const lands = new Map(this.running.map((one) => [one, { any: one.mayLand, paused: one.mayLandPaused }]));
    const shown = this.clock.after(DRAIN.showMs, () => this.tab?.heartbeat.stuck({ code: 'scriptRuns' }));
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

  /** Not behind a dialog: what opened it has taken effect. Another page that is on its way has longer. */
  async #endsByItself(): Promise<boolean> {
    const { tab } = this;
    if (!tab || tab.dialogs.current || tab.heartbeat.dialogBeside()) return false;
    return this.#within(
      Promise.all(this.running.map((one) => one.settled())),
      tab.page.awaited === undefined ? PATIENT_MS : STUCK_MS,
    );
  }

  /**
   * `quiet`: all of it was answered by a page that works. `discarded`: what was queued never reached the page. `loose`:
   * it may have, or still may.
   */
  async #end(): Promise<'quiet' | 'discarded' | 'loose'> {
    const quiet = Promise.all(this.running.map((one) => one.quiet()));
    const { tab } = this;
    // It keeps back whatever is asked of the page: nothing is gained by waiting.
    const away = tab?.page.awaited !== undefined;
    if (!away && (await this.#within(quiet, DRAIN.quietMs))) return 'quiet';
    // Chrome answers what opened a dialog when that is closed: it has taken effect.
    if (!tab || tab.dialogs.current) return 'quiet';
    // That of another tab in the same renderer keeps this one waiting; its script is innocent.
    if (tab.heartbeat.dialogBeside()) return 'loose';
    if (tab.page.awaited !== undefined) await this.#stopLoading(tab, quiet);
    const silent = await tab.heartbeat.silent(DRAIN.pingMs);
    if (silent.length === 0) return (await this.#within(quiet, DRAIN.answerMs)) ? 'quiet' : 'loose';
    const landed = Promise.all(this.running.map((one) => one.landed()));
    const ends = await Promise.all(
      silent.map((group) =>
        interruptOneOf(
          group.map(({ interrupt }) => interrupt),
          landed,
        ),
      ),
    );
    if (ends.every((end) => end === 'discarded')) return 'discarded';
    await Promise.all(silent.flat().map((sentinel) => sentinel.terminate(DRAIN.terminateMs)));
    return 'loose';
  }

  /** Another page that was asked for and did not answer keeps everything else waiting. */
  async #stopLoading(tab: Tab, quiet: Promise<unknown>): Promise<void> {
    void tab.sessions.commands.sendMayFail('Page.stopLoading');
    await this.#within(quiet, DRAIN.answerMs);
  }

  /** The page is told to be stuck; it gives way by itself, by a remedy, or by being closed. */
  async #outlast(): Promise<void> {
    const { tab } = this;
    const quiet = Promise.all(this.running.map((one) => one.quiet()));
    if (!tab || tab.heartbeat.dialogBeside() || (await this.#within(quiet, DRAIN.answerMs))) return;
    const answers = tab.sentinel.whenAnswers().catch(() => undefined);
    await this.#within(Promise.race([quiet, answers]), STUCK_MS);
  }

  /** True when `work` settled within `ms`. */
  async #within(work: Promise<unknown>, ms: number): Promise<boolean> {
    return (await within(this.clock, ms, work)) !== LATE;
  }
}
