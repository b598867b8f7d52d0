import type { Budget } from '@/lib/budget/budget';
import type { Clock } from '@/lib/budget/clock';
import type { EvaluatorEvents } from '@/server/cdp/evaluate/evaluator';
import type { Sentinel } from '@/server/cdp/sentinel';
import type { TabFrames } from './frames/tab-frames';
import { Heartbeat, type HeartbeatEvents } from './heartbeat';

export interface PulseInit {
  readonly sentinel: Sentinel;
  readonly frames: TabFrames;
  readonly clock: Clock;
  readonly count: EvaluatorEvents['count'];
  readonly page: HeartbeatEvents;
  /** The page answers again after a script of it was ended. */
  readonly freed: () => void;
}

/** What may answer an idle page's question takes no longer, milliseconds. */
const PING_MS = 50;

/** Notices what hangs in a tab, its page or a frame in another process, and ends it (CO9, EV3, EV4). */
export class Pulse {
  readonly #page: Heartbeat;

  constructor(private readonly init: PulseInit) {
    this.#page = new Heartbeat(init.sentinel, init.clock, init.page);
  }

  /** Keeps page and frames under watch until the returned function is called. */
  want(): () => void {
    const stops = [this.#page.want(), this.init.frames.want()];
    return () => {
      for (const stop of stops) stop();
    };
  }

  /** Asks the page now whether it still answers; what does not counts as hung a little later (CO9). */
  doubt(): void {
    this.#page.doubt();
  }

  /** Ends scripts that hold the page or a frame; true when the page answers again within `withinMs`. */
  async unhang(budget: Budget, withinMs: number): Promise<boolean> {
    const { sentinel, frames, freed } = this.init;
    const inside = frames.targets().map((frame) => this.#free(budget, frame.sentinel, withinMs, () => frame.freed()));
    const [page] = await Promise.all([this.#free(budget, sentinel, withinMs, freed), ...inside]);
    return page;
  }

  /** The sentinels of page and frames that do not answer within `withinMs`. */
  async silent(withinMs: number): Promise<Sentinel[]> {
    const all = [this.init.sentinel, ...this.init.frames.targets().map((frame) => frame.sentinel)];
    const answers = await Promise.all(all.map((sentinel) => sentinel.answers(withinMs)));
    return all.filter((_, index) => answers[index] === false);
  }

  dispose(): void {
    this.#page.dispose();
  }

  async #free(budget: Budget, sentinel: Sentinel, withinMs: number, freed: () => void): Promise<boolean> {
    const { count } = this.init;
    if (await sentinel.answers(PING_MS)) {
      freed();
      return true;
    }
    count('terminate-sent');
    const ended = await budget.during('the running script to stop', () => sentinel.terminate(withinMs, freed));
    if (ended === 'acknowledged') freed();
    return ended === 'acknowledged';
  }
}
