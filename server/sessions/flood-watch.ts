import type { Clock } from '@/lib/budget/clock';
import { FloodGauge, type FloodLook, type FloodStep } from '@/lib/flood/gauge';
import type { FloodKind, FloodLimits } from '@/lib/flood/limits';
import type { Said } from '@/lib/said/said';
import { say } from '@/lib/said/say';
import type { ChromeBrowser } from '@/server/browser/chrome-browser';
import { memoryOf, Processes } from '@/server/browser/flood/processes';
import { goOn, Slowdown } from '@/server/browser/flood/slowdown';
import { TabCounts } from '@/server/browser/flood/tab-counts';
import type { Metrics } from '@/server/telemetry/metrics';
import type { Home } from './home';
import { parkPage } from './park-page';
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
}

/** A renderer that uses this much, cores or bytes, has whoever it serves looked for. */
const BUSY_CORES = 0.15;
/** Beside much other work even a flood uses little: of what uses this much it is asked what it would use. */
const SOME_CORES = 0.02;
const BUSY_BYTES = 1_073_741_824;

/** One for each Chrome, shared by its sessions. */
const processesOf = new WeakMap<ChromeBrowser, Processes>();

/** Notices pages of one session that flood their Chrome, and keeps them from stopping it for everybody else (AC6): slowed, put aside, closed, each told. */
export class FloodWatch {
  readonly #watched = new Map<TabSeat, Watched>();
  #cancel: (() => void) | undefined;

  constructor(private readonly deps: FloodWatchDeps) {}

  seated(seat: TabSeat): void {
    const { tab } = seat;
    const watched: Watched = { counts: new TabCounts(tab), gauge: new FloodGauge(this.deps.limits), slowed: undefined, slowdowns: new Map() };
    this.#watched.set(seat, watched);
    tab.page.onDocument.on(({ url }, main) => {
      if (!main) return;
      const { present } = this.deps.home;
      if (present) this.#processes(present).forget(tab.sentinel);
      if (!isBlank(url)) this.#moved(seat, watched);
    });
    seat.onDispose(() => this.#left(seat, watched));
    this.#plan();
  }

  #left(seat: TabSeat, watched: Watched): void {
    release(watched);
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
    this.#cancel ??= this.deps.clock.after(this.deps.limits.everyMs, () => void this.#turn());
  }

  async #turn(): Promise<void> {
    await this.#lookAtAll();
    this.#cancel = undefined;
    if (this.#watched.size > 0) this.#plan();
  }

  async #lookAtAll(): Promise<void> {
    const { clock, home } = this.deps;
    const processes = home.present && this.#processes(home.present);
    const cores = (await processes?.cores()) ?? new Map<number, number>();
    const busy = [...cores].some(([pid, used]) => used > BUSY_CORES || (processes?.ours === true && memoryOf(pid) > BUSY_BYTES));
    const slowed = [...this.#watched.values()].some((watched) => watched.slowed !== undefined);
    const all = [...this.#watched.keys()].flatMap(({ tab }) => sentinelsOf(tab));
    // Early, for a page that floods may not be able to say it any more.
    if (processes) await processes.learn(busy || slowed ? all : all.filter((one) => processes.of(one) === undefined));
    const memory = processes?.ours === true ? memories(processes, [...this.#watched.keys()]) : undefined;
    for (const [seat, watched] of this.#watched) {
      const pids = processes ? pidsOf(processes, seat.tab) : [];
      const levels = { ...this.#levels(seat, pids, cores, processes), memory: memory?.get(seat) ?? 0 };
      const look = { now: clock.now(), totals: watched.counts.totals, levels, person: this.deps.personHolds(seat.tab.id) };
      const step = watched.gauge.look(look);
      if (step) this.#take(seat, watched, step);
      if (processes?.ours === true) this.#slow(watched, pids);
    }
  }

  /** Its processes may come to be known, or start threads, while it is slowed. */
  #slow({ slowed, slowdowns }: Watched, pids: readonly number[]): void {
    const { clock, limits } = this.deps;
    if (slowed === undefined) return;
    for (const pid of pids) {
      const known = slowdowns.get(pid);
      if (known) known.renew();
      else slowdowns.set(pid, new Slowdown(pid, clock, limits.kinds[slowed].pauses));
    }
  }

  #processes(browser: ChromeBrowser): Processes {
    const known = processesOf.get(browser);
    if (known) return known;
    const made = new Processes(browser.lanes.commands.browser, this.deps.clock, browser.origin === 'launched');
    processesOf.set(browser, made);
    // What an earlier server stopped goes on before anything else is asked of it.
    if (made.ours) void made.times().then((times) => [...(times?.keys() ?? [])].forEach(goOn));
    return made;
  }

  #levels({ tab }: TabSeat, pids: readonly number[], cores: ReadonlyMap<number, number>, processes: Processes | undefined): Omit<FloodLook['levels'], 'memory'> {
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
        return this.#tell(seat, { code: on ? 'floodSlowed' : 'floodNoticed', flood: kind });
      case 'warn':
        return this.#tell(seat, { code: 'floodWarned', flood: kind, seconds: Math.round(limits.noticeMs / 1_000) });
      case 'release':
        release(watched);
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
    release(watched);
    tab.page.parked = url;
    if (!(await parkPage(tab, this.deps.clock))) return this.#close(seat, { do: 'close', kind });
    this.#tell(seat, { code: 'floodParked', flood: kind, url });
  }

  #close(seat: TabSeat, { kind }: FloodStep): void {
    const { tab } = seat;
    this.#tell(seat, { code: 'floodClosed', flood: kind, url: tab.page.parked ?? tab.url });
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

function release(watched: Watched): void {
  for (const slowdown of watched.slowdowns.values()) slowdown.end();
  watched.slowdowns.clear();
  watched.slowed = undefined;
}

function sentinelsOf({ sentinel, frames }: TabSeat['tab']): TabSeat['tab']['sentinel'][] {
  return [sentinel, ...frames.targets().map((frame) => frame.sentinel)];
}

/** Chrome never shares a renderer between contexts: all of them are this session's own. */
function pidsOf(processes: Processes, tab: TabSeat['tab']): number[] {
  return [...new Set(sentinelsOf(tab).flatMap((one) => processes.of(one) ?? []))];
}

/** The limit is that of a session, so its largest page is charged with all of them. */
function memories(processes: Processes, seats: readonly TabSeat[]): Map<TabSeat, number> {
  const sizes = new Map(seats.map((seat) => [seat, pidsOf(processes, seat.tab).reduce((sum, pid) => sum + memoryOf(pid), 0)]));
  const [largest] = [...sizes].toSorted(([, one], [, other]) => other - one);
  const all = new Set(seats.flatMap((seat) => pidsOf(processes, seat.tab)));
  if (largest) sizes.set(largest[0], [...all].reduce((sum, pid) => sum + memoryOf(pid), 0));
  return sizes;
}

function isBlank(url: string): boolean {
  return url === '' || url === 'about:blank';
}
