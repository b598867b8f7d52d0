import { Timer } from '@/lib/async/timers';
import { FloodGauge, type FloodLook, type FloodStep } from '@/lib/flood/gauge';
import type { FloodKind, FloodLimits } from '@/lib/flood/limits';
import type { TabView } from '@/lib/protocol/views';
import type { Message } from '@/lib/messages/message';
import { formatMessage } from '@/lib/messages/format';
import { maskAddresses } from '@/lib/text/mask';
import type { ChromeBrowser } from '@/server/browser/chrome-browser';
import { BUSY_CORES, Processes } from '@/server/browser/flood/processes';
import { Slowdown } from '@/server/browser/flood/slowdown';
import { TabCounts } from '@/server/browser/flood/tab-counts';
import type { Sentinel } from '@/server/cdp/sentinel';
import type { Feature, Hooks } from '@/server/session/feature';
import type { SessionKernel } from '@/server/session/kernel';
import { parkedEarlier, parkPage } from './park-page';
import type { SessionTab } from '@/server/session/session-tab';

type Shown = NonNullable<TabView['stuck']>;

interface Watched {
  readonly counts: TabCounts;
  readonly gauge: FloodGauge;
  /** The kind of flood while the page is slowed. */
  slowed: FloodKind | undefined;
  readonly slowdowns: Map<number, Slowdown>;
  /** Number of unsuccessful searches for its processes since its document loaded. */
  looks: number;
}

/**
 * A renderer above this use is judged by its demand, because on a busy machine even a flood gets little processor time.
 * Cores.
 */
const SOME_CORES = 0.02;
/**
 * After a lease change the page runs at full speed for this long: its script may have to be interrupted within that
 * (CO3). Milliseconds.
 */
const SPARED_MS = 1_500;

/** One `Processes` for each Chrome, shared by its sessions. */
const processesOf = new WeakMap<ChromeBrowser, Processes>();

/**
 * Detects pages of one session that flood their Chrome, and slows, parks or closes them, with a timeline row for each
 * step, so that their neighbours do not suffer (AC6).
 */
class FloodWatch implements Hooks {
  readonly #watched = new Map<SessionTab, Watched>();
  readonly #timer: Timer;
  #looking = false;

  /** By tab: the flood message that its view shows. */
  readonly #shown = new WeakMap<SessionTab, Shown>();
  readonly #limits: FloodLimits;
  /** False where the policy only reports floods and changes no page. */
  readonly #on: boolean;

  constructor(private readonly kernel: SessionKernel) {
    this.#timer = new Timer(kernel.services.clock);
    this.#limits = kernel.services.floods;
    this.#on = kernel.init.policy.limitFloods !== false;
    kernel.registry.onAdded.on((sessionTab) => this.#onTabAdded(sessionTab));
    kernel.leases.onEffect.on(({ type, tab }) => {
      const sessionTab = type === 'changed' ? kernel.registry.get(tab) : undefined;
      if (sessionTab) this.#spare(sessionTab);
    });
  }

  tabView(view: TabView, sessionTab: SessionTab): TabView {
    const shown = this.#shown.get(sessionTab);
    return shown ? { ...view, stuck: shown } : view;
  }

  #onTabAdded(sessionTab: SessionTab): void {
    const { tab } = sessionTab;
    const watched: Watched = {
      counts: new TabCounts(tab),
      gauge: new FloodGauge(this.#limits),
      slowed: undefined,
      slowdowns: new Map(),
      looks: 0,
    };
    this.#watched.set(sessionTab, watched);
    tab.page.onDocument.on(({ url }, main) => {
      if (!main) return;
      const { present } = this.kernel.init.contextRef;
      if (present) this.#processes(present).forget(tab.sentinel);
      watched.looks = 0;
      if (!isBlank(url)) this.#moved(sessionTab, watched);
    });
    sessionTab.onDispose(() => this.#left(sessionTab, watched));
    if (isBlank(tab.url)) void this.#recall(sessionTab);
    this.#plan();
  }

  /** Finds out whether an earlier server parked the tab's page. */
  async #recall(sessionTab: SessionTab): Promise<void> {
    const { tab } = sessionTab;
    const earlier = await parkedEarlier(tab, this.kernel.timeline).catch(() => undefined);
    if (!earlier || !this.#watched.has(sessionTab) || tab.page.parked !== undefined || !isBlank(tab.url)) return;
    tab.page.parked = earlier.url;
    const { said, at, text } = earlier.row;
    if (said) this.#shown.set(sessionTab, { since: at, said, reason: text });
    this.kernel.changed();
  }

  /** The tab's lease changes: runs its page at full speed for `SPARED_MS`. */
  #spare(sessionTab: SessionTab): void {
    for (const slowdown of this.#watched.get(sessionTab)?.slowdowns.values() ?? []) slowdown.spare(SPARED_MS);
  }

  #left(sessionTab: SessionTab, watched: Watched): void {
    release(sessionTab, watched);
    this.#watched.delete(sessionTab);
    if (this.#watched.size === 0) this.#timer.stop();
  }

  /** The tab shows another document: clears the flood state that belonged to a parked page. */
  #moved(sessionTab: SessionTab, watched: Watched): void {
    sessionTab.tab.page.parked = undefined;
    const shown = this.#shown.get(sessionTab);
    if (!shown) return;
    // A page that navigates during a flood stays judged by it; only leaving a parked page clears the state.
    if (shown.said?.code !== 'floodParked') return;
    watched.gauge.anew();
    this.#show(sessionTab, undefined);
  }

  #plan(): void {
    if (!this.#looking) this.#timer.ensure(this.#limits.everyMs, () => void this.#turn());
  }

  async #turn(): Promise<void> {
    this.#looking = true;
    await this.#lookAtAll().finally(() => (this.#looking = false));
    if (this.#watched.size > 0) this.#plan();
  }

  async #lookAtAll(): Promise<void> {
    const {
      init: { contextRef },
      services: { clock },
    } = this.kernel;
    const processes = contextRef.present && this.#processes(contextRef.present);
    const cores = (await processes?.cores()) ?? new Map<number, number>();
    if (processes) await processes.learn(this, this.#unknown(processes));
    const memory = processes?.ours === true ? memories(processes, [...this.#watched.keys()]) : undefined;
    for (const [sessionTab, watched] of this.#watched) {
      const pids = processes ? pidsOf(processes, sessionTab.tab) : [];
      const used = await this.#levels(sessionTab, pids, cores, processes);
      if (!this.#watched.has(sessionTab)) continue;
      const levels = { ...used, memory: memory?.get(sessionTab) ?? 0 };
      const look = {
        now: clock.now(),
        totals: watched.counts.totals,
        levels,
        person: this.kernel.personHolds(sessionTab.tab.id),
      };
      const step = watched.gauge.look(look);
      if (step) this.#take(sessionTab, watched, step);
      if (processes?.ours === true) this.#slow(processes, watched, pids);
    }
  }

  /**
   * The sentinels whose process must be found now. All of them when a renderer is busy, because a page that floods may
   * soon be unable to answer; otherwise unknown ones ever more seldom, because idle pages stay unknown.
   */
  #unknown(processes: Processes): Sentinel[] {
    const watched = [...this.#watched];
    if (processes.busy || watched.some(([, { slowed }]) => slowed !== undefined))
      return watched.flatMap(([{ tab }]) => sentinelsOf(tab));
    return watched.flatMap(([{ tab }, known]) => {
      const unknown = sentinelsOf(tab).filter((one) => processes.of(one) === undefined);
      known.looks += unknown.length > 0 ? 1 : 0;
      return isPowerOfTwo(known.looks) ? unknown : [];
    });
  }

  /**
   * Slows the page's processes, at each look again: processes may become known, change, or start threads while the page
   * is slowed.
   */
  #slow(processes: Processes, { slowed, slowdowns }: Watched, pids: readonly number[]): void {
    const { clock } = this.kernel.services;
    if (slowed === undefined) return;
    for (const [pid, slowdown] of slowdowns) {
      if (slowdown.renderer.there && pids.includes(pid)) continue;
      // The page has moved to another process, or this process was attributed to it by mistake.
      slowdown.end();
      slowdowns.delete(pid);
    }
    for (const pid of pids) {
      const known = slowdowns.get(pid);
      const renderer = known ? undefined : processes.renderer(pid);
      known?.renew();
      if (renderer) slowdowns.set(pid, new Slowdown(renderer, clock, this.#limits.kinds[slowed].pauses));
    }
  }

  #processes(browser: ChromeBrowser): Processes {
    const known = processesOf.get(browser);
    if (known) return known;
    const made = new Processes(
      browser.lanes.commands.browser,
      this.kernel.services.clock,
      browser.origin === 'launched' && process.platform === 'linux',
    );
    processesOf.set(browser, made);
    return made;
  }

  async #levels(
    { tab }: SessionTab,
    pids: readonly number[],
    cores: ReadonlyMap<number, number>,
    processes: Processes | undefined,
  ): Promise<Omit<FloodLook['levels'], 'memory'>> {
    const busy = pids.filter((pid) => (cores.get(pid) ?? 0) > SOME_CORES);
    const demands = processes ? busy.map((pid) => processes.demand(pid, cores.get(pid) ?? 0)) : [];
    const processor = (await Promise.all(demands)).reduce((sum, demand) => sum + demand, 0);
    // Checks whether the page still answers: without viewers nothing else would detect that it hangs.
    if (processor > BUSY_CORES) tab.hangMonitor.doubt();
    // A script run by an action ends at the deadline of its call.
    const hangs = tab.health.state === 'hung' && !tab.evaluator.running;
    return { processor, script: hangs ? processor : 0, frames: tab.frames.list().length };
  }

  #take(sessionTab: SessionTab, watched: Watched, step: FloodStep): void {
    const { metrics } = this.kernel.services;
    const on = this.#on;
    const { kind } = step;
    if (!on && step.do !== 'slow' && step.do !== 'release') return;
    metrics.flood({ kind, step: step.do });
    switch (step.do) {
      case 'slow':
        if (on) watched.slowed = kind;
        sessionTab.tab.page.slowed = on && this.#limits.kinds[kind].pauses;
        return this.#tell(sessionTab, { code: on ? 'floodSlowed' : 'floodNoticed', flood: kind });
      case 'warn':
        return this.#tell(sessionTab, {
          code: 'floodWarned',
          flood: kind,
          seconds: Math.round(this.#limits.noticeMs / 1_000),
        });
      case 'release':
        release(sessionTab, watched);
        if (on) this.#tell(sessionTab, { code: 'floodOver', flood: kind });
        return this.#show(sessionTab, undefined);
      case 'park':
        return void this.#park(sessionTab, watched, step);
      case 'close':
        return this.#close(sessionTab, step);
    }
  }

  /** Replaces the page by an empty one; the lease stays with its holder. Closes the tab if that fails. */
  async #park(sessionTab: SessionTab, watched: Watched, { kind }: FloodStep): Promise<void> {
    const { tab } = sessionTab;
    const { url } = tab.page;
    // A paused process could not unload its page.
    release(sessionTab, watched);
    tab.page.parked = url;
    if (!(await parkPage(tab, this.kernel.services.clock))) return this.#close(sessionTab, { do: 'close', kind });
    watched.gauge.emptied(this.kernel.services.clock.now());
    this.#tell(sessionTab, { code: 'floodParked', flood: kind, url: maskAddresses(url) });
  }

  #close(sessionTab: SessionTab, { kind }: FloodStep): void {
    const { tab } = sessionTab;
    this.#tell(sessionTab, { code: 'floodClosed', flood: kind, url: maskAddresses(tab.page.parked ?? tab.url) });
    void this.kernel.init.contextRef.present?.dropPage(tab.targetId);
  }

  #tell(sessionTab: SessionTab, said: Message): void {
    void this.kernel.timeline.tell({ kind: 'flood', said, tab: sessionTab.tab.id });
    this.#show(sessionTab, said);
  }

  #show(sessionTab: SessionTab, said: Message | undefined): void {
    const sentence = said && formatMessage(said);
    if (sentence)
      this.#shown.set(sessionTab, { since: new Date().toISOString(), said: sentence.said, reason: sentence.text });
    else this.#shown.delete(sessionTab);
    this.kernel.changed();
  }
}

function release(sessionTab: SessionTab, watched: Watched): void {
  sessionTab.tab.page.slowed = false;
  for (const slowdown of watched.slowdowns.values()) slowdown.end();
  watched.slowdowns.clear();
  watched.slowed = undefined;
}

function sentinelsOf({ sentinel, frames }: SessionTab['tab']): Sentinel[] {
  return [sentinel, ...frames.targets().map((frame) => frame.sentinel)];
}

/** The processes of the tab. Chrome never shares a renderer between browser contexts, so all belong to this session. */
function pidsOf(processes: Processes, tab: SessionTab['tab']): number[] {
  return [...new Set(sentinelsOf(tab).flatMap((one) => processes.of(one) ?? []))];
}

/** Bytes by tab. The memory limit is one of the session, so its largest page is charged with the memory of all. */
function memories(processes: Processes, sessionTabs: readonly SessionTab[]): Map<SessionTab, number> {
  const sizes = new Map(
    sessionTabs.map((sessionTab) => [
      sessionTab,
      pidsOf(processes, sessionTab.tab).reduce((sum, pid) => sum + processes.memoryOf(pid), 0),
    ]),
  );
  const [largest] = [...sizes].toSorted(([, one], [, other]) => other - one);
  const all = new Set(sessionTabs.flatMap((sessionTab) => pidsOf(processes, sessionTab.tab)));
  if (largest)
    sizes.set(
      largest[0],
      [...all].reduce((sum, pid) => sum + processes.memoryOf(pid), 0),
    );
  return sizes;
}

function isPowerOfTwo(count: number): boolean {
  return count > 0 && (count & (count - 1)) === 0;
}

function isBlank(url: string): boolean {
  return url === '' || url === 'about:blank';
}

export const floods: Feature = { name: 'floods', start: (kernel) => new FloodWatch(kernel) };
