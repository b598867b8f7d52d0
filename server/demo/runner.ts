import { Deferred } from '@/lib/async/deferred';
import { WheelhouseError } from '@/lib/errors/error';
import { startAgentProcess, type AgentCommand, type AgentExit, type AgentProcess } from '@/server/demo/agent-process';
import { startDemoSite, type DemoSite } from '@/server/demo/site';
import type { Logger } from '@/server/telemetry/logger';

export interface DemoRunnerOptions {
  readonly logger: Logger;
  /** Address on which the shop listens; loopback. */
  readonly siteHost: string;
  /** Lets pages open the shop; the returned function ends that. */
  readonly openToPages?: (url: URL) => () => void;
  readonly agentCommand: AgentCommand;
  /** Address of this server for the agent, such as `http://127.0.0.1:7400`. */
  readonly apiUrl: string;
  /**
   * Environment of the agent's process beside its own settings: PATH, and DEMO_ROUNDS or DEMO_PACE_MS where wanted.
   * Nothing else is passed on.
   */
  readonly agentEnv?: Readonly<Record<string, string>>;
  /** Milliseconds in which the agent may end its session before it is killed. */
  readonly graceMs?: number;
}

export interface StartedDemo {
  /** The shop, without a slash at the end. */
  readonly siteUrl: string;
  /** Process id of the agent. */
  readonly pid: number;
  /** The session that the agent opens; undefined when the agent ends before that. Never rejects. */
  readonly session: Promise<string | undefined>;
}

export type DemoStatus =
  | { readonly state: 'stopped' }
  | { readonly state: 'starting' }
  | { readonly state: 'running'; readonly siteUrl: string; readonly pid: number; readonly session: string | undefined }
  /** The agent has ended by itself; the shop still runs. */
  | { readonly state: 'ended'; readonly siteUrl: string; readonly exit: AgentExit }
  | { readonly state: 'stopping' };

export interface DemoRunner {
  /**
   * Starts shop and agent. While they run or start, returns the running ones; after the agent has ended, starts a new
   * agent in the same shop. Throws INTERNAL when the shop cannot listen or the agent cannot be started.
   */
  start(options: { readonly apiKey: string }): Promise<StartedDemo>;
  status(): DemoStatus;
  /** Ends the agent and closes the shop; resolves when both are gone. May be called again, and while starting. */
  stop(): Promise<void>;
}

interface RunningDemo extends StartedDemo {
  readonly site: DemoSite;
  readonly agent: AgentProcess;
}

type State =
  | { readonly name: 'stopped' }
  | { readonly name: 'starting'; readonly starting: Promise<RunningDemo> }
  | { readonly name: 'running'; readonly running: RunningDemo; readonly session: string | undefined }
  | { readonly name: 'ended'; readonly site: DemoSite; readonly exit: AgentExit }
  | { readonly name: 'stopping'; readonly stopping: Promise<void> };

const AGENT_GRACE_MS = 5_000;
const SESSION_LINE = /^Session (\S+) is open/;

export function createDemoRunner(options: DemoRunnerOptions): DemoRunner {
  return new Runner(options);
}

class Runner implements DemoRunner {
  readonly #options: DemoRunnerOptions;
  #state: State = { name: 'stopped' };

  constructor(options: DemoRunnerOptions) {
    this.#options = options;
  }

  async start({ apiKey }: { readonly apiKey: string }): Promise<StartedDemo> {
    if (this.#state.name === 'stopping') await this.#state.stopping;
    const { siteUrl, pid, session } = await this.#running(apiKey);
    return { siteUrl, pid, session };
  }

  status(): DemoStatus {
    const state = this.#state;
    switch (state.name) {
      case 'running':
        return { state: 'running', siteUrl: state.running.siteUrl, pid: state.running.pid, session: state.session };
      case 'ended':
        return { state: 'ended', siteUrl: state.site.url, exit: state.exit };
      default:
        return { state: state.name };
    }
  }

  async stop(): Promise<void> {
    if (this.#state.name === 'stopped') return;
    if (this.#state.name !== 'stopping') this.#state = { name: 'stopping', stopping: this.#end(this.#state) };
    await this.#state.stopping;
  }

  #running(apiKey: string): Promise<RunningDemo> {
    const state = this.#state;
    if (state.name === 'running') return Promise.resolve(state.running);
    if (state.name === 'starting') return state.starting;
    const site = state.name === 'ended' ? state.site : undefined;
    const starting = this.#begin(apiKey, site);
    this.#state = { name: 'starting', starting };
    return starting;
  }

  async #begin(apiKey: string, present: DemoSite | undefined): Promise<RunningDemo> {
    const { logger } = this.#options;
    let site = present;
    try {
      site ??= await this.#openShop();
      const running = await this.#startAgent(apiKey, site);
      if (this.#state.name === 'starting') this.#state = { name: 'running', running, session: undefined };
      void running.agent.ended.then((exit) => this.#agentEnded(running, exit));
      logger.info({ url: site.url, pid: running.pid }, 'The demo is running.');
      return running;
    } catch (cause) {
      if (this.#state.name === 'starting') this.#state = { name: 'stopped' };
      await site?.close();
      throw new WheelhouseError('INTERNAL', 'The demo could not be started.', {
        cause,
        hint: 'The server log says what was missing.',
      });
    }
  }

  async #openShop(): Promise<DemoSite> {
    const site = await startDemoSite({ host: this.#options.siteHost });
    const shut = this.#options.openToPages?.(new URL(site.url));
    return {
      url: site.url,
      close: () => {
        shut?.();
        return site.close();
      },
    };
  }

  async #startAgent(apiKey: string, site: DemoSite): Promise<RunningDemo> {
    const { agentCommand, apiUrl, agentEnv, logger } = this.#options;
    const opened = new Deferred<string | undefined>();
    const agent = await startAgentProcess({
      command: agentCommand,
      env: {
        ...agentEnv,
        WHEELHOUSE_URL: apiUrl,
        WHEELHOUSE_API_KEY: apiKey,
        DEMO_URL: site.url,
        DEMO_WATCH_STDIN: '1',
      },
      logger,
      secrets: [apiKey],
      onLine: (line) => {
        const id = SESSION_LINE.exec(line)?.[1];
        if (id !== undefined) opened.resolve(id);
      },
    });
    void agent.ended.then(() => opened.resolve(undefined));
    const running: RunningDemo = { siteUrl: site.url, pid: agent.pid, session: opened.promise, site, agent };
    void opened.promise.then((id) => this.#sessionOpened(running, id));
    return running;
  }

  #sessionOpened(running: RunningDemo, session: string | undefined): void {
    if (this.#state.name === 'running' && this.#state.running === running)
      this.#state = { name: 'running', running, session };
  }

  #agentEnded(running: RunningDemo, exit: AgentExit): void {
    this.#options.logger.info(
      { pid: running.pid, exitCode: exit.code, signal: exit.signal },
      'The demo agent has ended.',
    );
    if (this.#state.name === 'running' && this.#state.running === running)
      this.#state = { name: 'ended', site: running.site, exit };
  }

  /** Ends what `state` holds; waits for a start under way first, so that nothing of it is left behind. */
  async #end(state: Exclude<State, { name: 'stopped' | 'stopping' }>): Promise<void> {
    try {
      if (state.name === 'ended') return await state.site.close();
      const running = state.name === 'running' ? state.running : await state.starting.catch(() => undefined);
      await running?.agent.stop(this.#options.graceMs ?? AGENT_GRACE_MS);
      await running?.site.close();
    } finally {
      this.#state = { name: 'stopped' };
    }
  }
}
