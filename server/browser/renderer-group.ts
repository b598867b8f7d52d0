import { LATE, sleep, within } from '@/lib/async/within';
import type { DialogView } from '@/lib/actions/reply';
import type { Clock } from '@/lib/budget/clock';
import { WheelhouseError } from '@/lib/errors/error';
import type { Message } from '@/lib/messages/message';
import type { Sentinel } from '@/server/cdp/sentinel';

/** One tab, or a frame of it in another process, as far as those that share its renderer have to know it. */
export interface RendererMember {
  /** Of the tab. */
  readonly id: string;
  /** It is a frame. */
  readonly frame?: true;
  /** Short id of the tab that opened it. */
  readonly opener: string | undefined;
  readonly sentinel: Sentinel;
  name(): string;
  dialog(): DialogView | undefined;
  /** A script that we sent runs in it. */
  runs(): boolean;
  /** Shown until it answers again. */
  hangs(said: Message): void;
}

/** Times in milliseconds. */
const NEIGHBOURS = {
  /** One of a pair is known not to answer; the other then does not answer either within this. */
  silenceMs: 300,
  /** Script time is read twice, so long apart: it grows where the script runs. */
  measureMs: 100,
  /** Chrome tells script time while a loop runs, within 60 on a quiet machine (decision 59). */
  metricsMs: 500,
  /** So often it is measured before nobody is named: a busy machine answers late. */
  tries: 5,
  /** A takeover waits so long at most for whose script it is (CO3): then all that hang are braked. */
  holderMs: 250,
  /** Asked once more before anything is shown. */
  lastMs: 30,
} as const;

/**
 * The tabs of one session, and their frames in other processes, that share a renderer, mostly a page and the popups it
 * opened: when one hangs, all do (AC6). Who shares is asked of Chrome (Runtime.getIsolateId) for every document; who
 * holds up the others is measured. No page is waited for.
 */
export class RendererGroup {
  /** The engine that serves each tab; undefined while a document has not said. */
  readonly #isolates = new Map<RendererMember, string | undefined>();
  /** Who holds whom up. */
  readonly #culprits = new Map<RendererMember, RendererMember>();

  constructor(private readonly clock: Clock) {}

  join(tab: RendererMember): void {
    this.#isolates.set(tab, undefined);
    tab.sentinel.measureScripts();
  }

  /** The tab is gone. A script of it that still holds up others has lost its page, and is ended by them. */
  leave(tab: RendererMember): void {
    this.#isolates.delete(tab);
    for (const [victim, culprit] of this.#culprits) {
      if (victim === tab || culprit === tab) this.#culprits.delete(victim);
      if (victim === tab || culprit !== tab) continue;
      victim.hangs({ code: 'scriptRuns' });
      void victim.sentinel.terminate(0);
    }
  }

  /** The tab shows another document, and may have another renderer. */
  async moved(tab: RendererMember): Promise<void> {
    this.#isolates.set(tab, undefined);
    const isolate = await tab.sentinel.isolate();
    if (isolate !== undefined && this.#isolates.has(tab)) this.#isolates.set(tab, isolate);
  }

  /** The dialog of another tab that holds up this one, as DIALOG_OPEN. */
  dialogBeside(tab: RendererMember): WheelhouseError | undefined {
    const other = this.#sharing(tab).find((one) => one.dialog());
    const dialog = other?.dialog();
    if (!other || !dialog) return undefined;
    const hint = `Answer it there: {"kind":"dialog","do":"answer","accept":true,"tab":"${other.id}"}.`;
    return new WheelhouseError(
      'DIALOG_OPEN',
      { code: 'dialogBeside', tab: other.id, title: other.name() },
      { hint, details: { dialog, tab: other.id } },
    );
  }

  /** Those that hang with the tab, which does not answer itself. */
  async silentWith(tab: RendererMember, withinMs: number): Promise<RendererMember[]> {
    return this.#silent(this.#perhaps(tab), withinMs);
  }

  /**
   * Whose script holds up the tab, which does not answer itself: one of those that share its renderer, or, where nobody
   * can tell in time, all that hang with it. Of one group a single script runs; those that are not known to share are
   * groups of their own.
   */
  async holders(tab: RendererMember, withinMs: number): Promise<RendererMember[][]> {
    const all = [tab, ...(await this.silentWith(tab, withinMs))];
    if (all.length === 1) return [all];
    const culprit = await within(this.clock, NEIGHBOURS.holderMs, this.#culprit(all));
    if (culprit && culprit !== LATE) return [[culprit]];
    const sharing = new Set([tab, ...this.#sharing(tab)]);
    return all.every((one) => sharing.has(one)) ? [all] : all.map((one) => [one]);
  }

  /**
   * The tab does not answer: finds those that hang with it, and names the one whose script or dialog it is. `ending`:
   * that script is to be ended, and the tab's own sentinel came too late for it.
   */
  async stuck(tab: RendererMember, ending = false): Promise<void> {
    let all = [tab, ...(await this.silentWith(tab, NEIGHBOURS.silenceMs))];
    let culprit: RendererMember | undefined;
    for (let tries = 0; tries < NEIGHBOURS.tries && !culprit && all.length > 1; tries += 1) {
      culprit = await this.#culprit(all);
      all = await this.#silent(all, NEIGHBOURS.lastMs);
    }
    if (all.some((one) => one !== tab)) this.#tell(tab, all, culprit);
    if (ending && culprit?.dialog() === undefined)
      for (const one of all) if (one !== tab) void one.sentinel.terminate(0);
  }

  #tell(noticed: RendererMember, all: readonly RendererMember[], culprit: RendererMember | undefined): void {
    for (const one of all) {
      this.#culprits.delete(one);
      if (culprit && one !== culprit) {
        this.#culprits.set(one, culprit);
        one.hangs(becauseOf(culprit));
      } else if (one !== noticed && !one.dialog()) one.hangs({ code: 'scriptRuns' });
    }
  }

  /** Those with the same engine, for certain. */
  #sharing(tab: RendererMember): RendererMember[] {
    const isolate = this.#isolates.get(tab);
    return isolate === undefined ? [] : this.#others(tab).filter((one) => this.#isolates.get(one) === isolate);
  }

  /** And those that may have it: one that hung before it could say, and the page that opened it. */
  #perhaps(tab: RendererMember): RendererMember[] {
    const unknown = (one: RendererMember): boolean =>
      this.#isolates.get(one) === undefined || this.#isolates.get(tab) === undefined;
    const family = this.#others(tab).filter((one) => unknown(one) && (one.opener === tab.id || tab.opener === one.id));
    return [...this.#sharing(tab), ...family];
  }

  #others(tab: RendererMember): RendererMember[] {
    return [...this.#isolates.keys()].filter((one) => one !== tab);
  }

  async #silent(tabs: readonly RendererMember[], withinMs: number): Promise<RendererMember[]> {
    const answers = await Promise.all(tabs.map((one) => one.sentinel.answers(withinMs)));
    return tabs.filter((one, index) => answers[index] === false && this.#isolates.has(one));
  }

  /**
   * Measured where Chrome can tell; else the one that is known to be busy, or that alone cannot be measured. Undefined
   * when nobody knows.
   */
  async #culprit(tabs: readonly RendererMember[]): Promise<RendererMember | undefined> {
    const asking = tabs.find((one) => one.dialog());
    if (asking) return asking;
    const before = await this.#scriptTimes(tabs);
    await sleep(this.clock, NEIGHBOURS.measureMs);
    const after = await this.#scriptTimes(tabs);
    const grown = tabs.filter((_, index) => (after[index] ?? 0) > (before[index] ?? Number.POSITIVE_INFINITY));
    return (
      only(grown) ??
      only(tabs.filter((one) => one.runs())) ??
      only(tabs.filter((_, index) => after[index] === undefined))
    );
  }

  #scriptTimes(tabs: readonly RendererMember[]): Promise<(number | undefined)[]> {
    return Promise.all(tabs.map((one) => one.sentinel.scriptTime(NEIGHBOURS.metricsMs)));
  }
}

function becauseOf(culprit: RendererMember): Message {
  if (culprit.dialog()) return { code: 'dialogBeside', tab: culprit.id, title: culprit.name() };
  return culprit.frame
    ? { code: 'frameBeside', tab: culprit.id, url: culprit.name() }
    : { code: 'scriptBeside', tab: culprit.id, title: culprit.name() };
}

function only<T>(list: readonly T[]): T | undefined {
  return list.length === 1 ? list[0] : undefined;
}
