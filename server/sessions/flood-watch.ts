import type { Clock } from '@/lib/budget/clock';
import { FloodGauge, type FloodLook, type FloodStep } from '@/lib/flood/gauge';
import type { FloodKind, FloodLimits } from '@/lib/flood/limits';
import type { Said } from '@/lib/said/said';
import { say } from '@/lib/said/say';
import { maskAddresses } from '@/lib/text/mask';
import type { ChromeBrowser } from '@/server/browser/chrome-browser';
import { BUSY_CORES, memoryOf, Processes } from '@/server/browser/flood/processes';
import { Slowdown } from '@/server/browser/flood/slowdown';
import { TabCounts } from '@/server/browser/flood/tab-counts';
import type { Sentinel } from '@/server/cdp/sentinel';
import type { Metrics } from '@/server/telemetry/metrics';
import type { Home } from './home';
import { parkedEarlier, parkPage } from './park-page';
import type { TabSeat } from './tab-seat';
import type { Timeline } from './timeline';

export interface FloodWatchDeps {
  readonly clock: Clock;
  readonly limits: FloodLimits;
  /** Whether anything is done about it, or it is only told. */
  readonly on: boolean;
  readonly home: Home;
  readonly timeline: Timeline;
  readonly metrics: Metrics;
  personHolds(tab: string): boolean;
  changed(): void;
}

interface Watched {
  readonly counts: TabCounts;
  readonly gauge: FloodGauge;
  /** While it is slowed: the flood, and its processes. */
  slowed: FloodKind | undefined;
  readonly slowdowns: Map<number, Slowdown>;
  /** How often its processes were looked for since its page came, without being found. */
  looks: number;
}

/** Beside much other work even a flood uses little: of what uses this much it is asked what it would use. */
const SOME_CORES = 0.02;
/**
 * A page that changes hands runs at full speed for so long: its script may have to be ended within that (CO3).
 * Milliseconds.
 */
const SPARED_MS = 1_500;

/** One for each Chrome, shared by its sessions. */
const processesOf = new WeakMap<ChromeBrowser, Processes>();

/**
 * Notices pages of one session that flood their Chrome, and keeps them from stopping it for everybody else (AC6):
 * slowed, put aside, closed, each told.
 */
export class FloodWatch {
  readonly #watched = new Map<TabSeat, Watched>();
  #cancel: (() => void) | undefined;
  #looking = false;

  constructor(private readonly deps: FloodWatchDeps) {}

  seated(seat: TabSeat): void {
    const { tab } = seat;
    const watched: Watched = {
      counts: new TabCounts(tab),
      gauge: new FloodGauge(this.deps.limits),
      slowed: undefined,
      slowdowns: new Map(),
      looks: 0,
    };
    this.#watched.set(seat, watched);
    tab.page.onDocument.on(({ url }, main) => {
      if (!main) return;
      const { present } = this.deps.home;
      if (present) this.#processes(present).forget(tab.sentinel);
      watched.looks = 0;
      if (!isBlank(url)) this.#moved(seat, watched);
    });
    seat.onDispose(() => this.#left(seat, watched));
    if (isBlank(tab.url)) void this.#recall(seat);
    this.#plan();
  }

  /** It may have been put aside before this server started. */
  async #recall(seat: TabSeat): Promise<void> {
    const { tab } = seat;
    const earlier = await parkedEarlier(tab, this.deps.timeline).catch(() => undefined);
    if (!earlier || !this.#watched.has(seat) || tab.page.parked !== undefined || !isBlank(tab.url)) return;
    tab.page.parked = earlier.url;
    const { said, at, text } = earlier.row;
    if (said) seat.flood = { since: at, said, reason: text };
    this.deps.changed();
  }

  /** Its wheel changes hands. */
  spare(seat: TabSeat): void {
    for (const slowdown of this.#watched.get(seat)?.slowdowns.values() ?? []) slowdown.spare(SPARED_MS);
  }

  #left(seat: TabSeat, watched: Watched): void {
    release(seat, watched);
    this.#watched.delete(seat);
    if (this.#watched.size > 0) return;
    this.#cancel?.();
    this.#cancel = undefined;
  }

  /** Another page, which is judged by what it does itself. */
  #moved(seat: TabSeat, watched: Watched): void {
    seat.tab.page.parked = undefined;
    if (seat.flood === undefined) return;
    // A page that goes from address to address is the same flood still.
    if (seat.flood.said.code !== 'floodParked') return;
    watched.gauge.anew();
    this.#show(seat, undefined);
  }

  #plan(): void {
    if (this.#looking) return;
    this.#cancel ??= this.deps.clock.after(this.deps.limits.everyMs, () => void this.#turn());
  }

  async #turn(): Promise<void> {
    this.#cancel = undefined;
    this.#looking = true;
    await this.#lookAtAll().finally(() => (this.#looking = false));
    if (this.#watched.size > 0) this.#plan();
  }

  async #lookAtAll(): Promise<void> {
    const { clock, home } = this.deps;
    const processes = home.present && this.#processes(home.present);
    const cores = (await processes?.cores()) ?? new Map<number, number>();
    if (processes) await processes.learn(this, this.#unknown(processes));
    const memory = processes?.ours === true ? memories(processes, [...this.#watched.keys()]) : undefined;
    for (const [seat, watched] of this.#watched) {
      const pids = processes ? pidsOf(processes, seat.tab) : [];
      const levels = { ...this.#levels(seat, pids, cores, processes), memory: memory?.get(seat) ?? 0 };
      const look = {
        now: clock.now(),
        totals: watched.counts.totals,
        levels,
        person: this.deps.personHolds(seat.tab.id),
      };
      const step = watched.gauge.look(look);
      if (step) this.#take(seat, watched, step);
      if (processes?.ours === true) this.#slow(processes, watched, pids);
    }
  }

  /**
   * Pages whose process is to be found: early, for one that floods may not be able to say it any more; seldom where it
   * stays unknown, as that of idle pages does.
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

  /** Its processes may come to be known, or start threads, while it is slowed. */
  #slow(processes: Processes, { slowed, slowdowns }: Watched, pids: readonly number[]): void {
    const { clock, limits } = this.deps;
    if (slowed === undefined) return;
    for (const [pid, slowdown] of slowdowns) {
      if (slowdown.renderer.there && pids.includes(pid)) continue;
      // The page has gone to another process, or was taken for another.
      slowdown.end();
      slowdowns.delete(pid);
    }
    for (const pid of pids) {
      const known = slowdowns.get(pid);
      const renderer = known ? undefined : processes.renderer(pid);
      known?.renew();
      if (renderer) slowdowns.set(pid, new Slowdown(renderer, clock, limits.kinds[slowed].pauses));
    }
  }

  #processes(browser: ChromeBrowser): Processes {
    const known = processesOf.get(browser);
    if (known) return known;
    const made = new Processes(
      browser.lanes.commands.browser,
      this.deps.clock,
      browser.origin === 'launched' && process.platform === 'linux',
    );
    processesOf.set(browser, made);
    return made;
  }

  #levels(
    { tab }: TabSeat,
    pids: readonly number[],
    cores: ReadonlyMap<number, number>,
    processes: Processes | undefined,
  ): Omit<FloodLook['levels'], 'memory'> {
    const busy = pids.filter((pid) => (cores.get(pid) ?? 0) > SOME_CORES);
    const processor = busy.reduce((sum, pid) => sum + (processes?.demand(pid, cores.get(pid) ?? 0) ?? 0), 0);
    // Nobody may be watching, who would have noticed that it hangs.
    if (processor > BUSY_CORES) tab.heartbeat.doubt();
    // A script that was asked for ends at its own deadline.
    const hangs = tab.health.state === 'hung' && !tab.evaluator.running;
    return { processor, script: hangs ? processor : 0, frames: tab.frames.list().length };
  }

  #take(seat: TabSeat, watched: Watched, step: FloodStep): void {
    const { on, metrics, limits } = this.deps;
    const { kind } = step;
    if (!on && step.do !== 'slow' && step.do !== 'release') return;
    metrics.flood({ kind, step: step.do });
    switch (step.do) {
      case 'slow':
        if (on) watched.slowed = kind;
        seat.tab.page.slowed = on && limits.kinds[kind].pauses;
        return this.#tell(seat, { code: on ? 'floodSlowed' : 'floodNoticed', flood: kind });
      case 'warn':
        return this.#tell(seat, { code: 'floodWarned', flood: kind, seconds: Math.round(limits.noticeMs / 1_000) });
      case 'release':
        release(seat, watched);
        if (on) this.#tell(seat, { code: 'floodOver', flood: kind });
        return this.#show(seat, undefined);
      case 'park':
        return void this.#park(seat, watched, step);
      case 'close':
        return this.#close(seat, step);
    }
  }

  /** The wheel stays where it is. */
  async #park(seat: TabSeat, watched: Watched, { kind }: FloodStep): Promise<void> {
    const { tab } = seat;
    const { url } = tab.page;
    // A stopped process would not go away.
    release(seat, watched);
    tab.page.parked = url;
    if (!(await parkPage(tab, this.deps.clock))) return this.#close(seat, { do: 'close', kind });
    this.#tell(seat, { code: 'floodParked', flood: kind, url: maskAddresses(url) });
  }

  #close(seat: TabSeat, { kind }: FloodStep): void {
    const { tab } = seat;
    this.#tell(seat, { code: 'floodClosed', flood: kind, url: maskAddresses(tab.page.parked ?? tab.url) });
    void this.deps.home.present?.dropPage(tab.targetId);
  }

  #tell(seat: TabSeat, said: Said): void {
    this.deps.timeline.tell({ kind: 'flood', said, tab: seat.tab.id });
    this.#show(seat, said);
  }

  #show(seat: TabSeat, said: Said | undefined): void {
    const sentence = said && say(said);
    seat.flood = sentence && { since: new Date().toISOString(), said: sentence.said, reason: sentence.text };
    this.deps.changed();
  }
}

function release(seat: TabSeat, watched: Watched): void {
  seat.tab.page.slowed = false;
  for (const slowdown of watched.slowdowns.values()) slowdown.end();
  watched.slowdowns.clear();
  watched.slowed = undefined;
}

function sentinelsOf({ sentinel, frames }: TabSeat['tab']): Sentinel[] {
  return [sentinel, ...frames.targets().map((frame) => frame.sentinel)];
}

/** Chrome never shares a renderer between contexts: all of them are this session's own. */
function pidsOf(processes: Processes, tab: TabSeat['tab']): number[] {
  return [...new Set(sentinelsOf(tab).flatMap((one) => processes.of(one) ?? []))];
}

/** The limit is that of a session, so its largest page is charged with all of them. */
function memories(processes: Processes, seats: readonly TabSeat[]): Map<TabSeat, number> {
  const sizes = new Map(
    seats.map((seat) => [seat, pidsOf(processes, seat.tab).reduce((sum, pid) => sum + memoryOf(pid), 0)]),
  );
  const [largest] = [...sizes].toSorted(([, one], [, other]) => other - one);
  const all = new Set(seats.flatMap((seat) => pidsOf(processes, seat.tab)));
  if (largest)
    sizes.set(
      largest[0],
      [...all].reduce((sum, pid) => sum + memoryOf(pid), 0),
    );
  return sizes;
}

function isPowerOfTwo(count: number): boolean {
  return count > 0 && (count & (count - 1)) === 0;
}

function isBlank(url: string): boolean {
  return url === '' || url === 'about:blank';
}
