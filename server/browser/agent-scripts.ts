import type { CdpConnection } from '@/server/cdp/connection';
import { ScriptNames, tokenOfThisRun, type ScriptOwner, type ScriptToken } from '@/server/cdp/evaluate/script-names';
import { NOTHING_STOPPED, ScriptStop, type StopState } from '@/server/cdp/script-stop';
import type { Sentinel } from '@/server/cdp/sentinel';
import { Emitter } from './emitter';
import type { TabFrames } from './frames/tab-frames';
import type { PageWatch } from './page-watch';

export interface AgentScriptsInit {
  readonly lane: Pick<CdpConnection, 'attach' | 'detach'>;
  readonly targetId: string;
  readonly sentinel: Sentinel;
  readonly frames: TabFrames;
  readonly page: PageWatch;
  readonly token: ScriptToken | undefined;
}

/**
 * The agents' scripts in one tab, its page and its out-of-process frames. They are stopped while another participant
 * holds the lease (CO3).
 */
export class AgentScripts {
  readonly names: ScriptNames;
  readonly onChange = new Emitter<[]>();
  readonly #stops = new Map<string, ScriptStop>();
  #stopped: readonly ScriptOwner[] = [];

  constructor(private readonly init: AgentScriptsInit) {
    const { targetId, sentinel, frames, page } = init;
    this.names = new ScriptNames(init.token ?? tokenOfThisRun);
    this.#add(targetId, sentinel);
    frames.onTarget.on((frame) => {
      const stop = this.#add(frame.targetId, frame.sentinel);
      frame.sessions.sentinel.onEnd(() => {
        stop.end();
        if (this.#stops.get(frame.targetId) === stop) this.#stops.delete(frame.targetId);
      });
    });
    page.onDocument.on((_, main) => main && this.#moved());
  }

  /** The agents whose scripts are stopped. */
  get stopped(): readonly ScriptOwner[] {
    return this.#stopped;
  }

  get state(): StopState {
    const states = [...this.#stops.values()].map(({ state }) => state);
    const sum = (one: StopState, other: StopState): StopState => ({
      done: one.done && other.done,
      found: one.found + other.found,
      loose: one.loose || other.loose,
    });
    return states.reduce(sum, NOTHING_STOPPED);
  }

  /** Stops the scripts of exactly these agents and lets all others run. */
  stop(owners: readonly ScriptOwner[]): void {
    this.#stopped = owners;
    const names = this.names.of(owners);
    for (const stop of this.#stops.values()) stop.stop(names);
    this.onChange.emit();
  }

  /** Settles when the stop has taken effect. */
  async settled(): Promise<void> {
    if (!this.state.done) await this.onChange.next(() => this.state.done || undefined).promise;
  }

  dispose(): void {
    for (const stop of this.#stops.values()) stop.end();
    this.#stops.clear();
    this.onChange.clear();
  }

  #add(targetId: string, { interrupt }: Sentinel): ScriptStop {
    const stop = new ScriptStop(this.init.lane, targetId, interrupt, () => this.onChange.emit());
    this.#stops.set(targetId, stop);
    stop.stop(this.names.of(this.#stopped));
    return stop;
  }

  #moved(): void {
    this.names.moved();
    for (const stop of this.#stops.values()) stop.moved();
    this.onChange.emit();
  }
}
