import { LATE, within } from '@/lib/async/within';
import type { Clock } from '@/lib/budget/clock';
import type { Access } from '@/server/access/access';
import type { KeyMaker } from '@/server/access/keys';
import type { DemoRunner, DemoStatus } from '@/server/demo/runner';

/** The longest time in milliseconds that "start" waits for the agent's session, so that its answer can link to it. */
const SESSION_PATIENCE_MS = 8_000;

export interface DemoAnswer {
  readonly state: DemoStatus['state'];
  readonly siteUrl?: string;
  readonly session?: string;
}

/** Starts and stops the demo for the doors. Makes a key for the demo agent and revokes it when the demo stops. */
export class DemoApi {
  #key: { by: KeyMaker; id: string } | undefined;
  #starting: Promise<DemoAnswer> | undefined;

  constructor(
    private readonly access: Access,
    private readonly runner: DemoRunner,
    private readonly clock: Clock,
  ) {}

  status(): DemoAnswer {
    return answerOf(this.runner.status());
  }

  /** Starts shop and agent, or returns the running demo. Two concurrent calls share one start. */
  start(by: KeyMaker): Promise<DemoAnswer> {
    this.#starting ??= this.#start(by).finally(() => {
      this.#starting = undefined;
    });
    return this.#starting;
  }

  async #start(by: KeyMaker): Promise<DemoAnswer> {
    const running = this.runner.status().state === 'running';
    const started = await this.runner.start({ apiKey: running ? '' : await this.#freshKey(by) });
    const session = await within(this.clock, SESSION_PATIENCE_MS, started.session);
    return session === LATE || session === undefined
      ? { state: 'running', siteUrl: started.siteUrl }
      : { state: 'running', siteUrl: started.siteUrl, session };
  }

  async stop(): Promise<DemoAnswer> {
    await this.runner.stop();
    await this.#dropKey();
    return this.status();
  }

  async #freshKey(by: KeyMaker): Promise<string> {
    await this.#dropKey();
    const { key, text } = await this.access.keys.create(by, {
      name: 'Demo agent',
      grants: ['watch', 'drive', 'evaluate'],
      sessions: 'own',
    });
    this.#key = { by, id: key.id };
    return text;
  }

  async #dropKey(): Promise<void> {
    const key = this.#key;
    this.#key = undefined;
    if (key) await this.access.keys.revoke(key.by, key.id);
  }
}

function answerOf(status: DemoStatus): DemoAnswer {
  switch (status.state) {
    case 'running':
      return status.session === undefined
        ? { state: 'running', siteUrl: status.siteUrl }
        : { state: 'running', siteUrl: status.siteUrl, session: status.session };
    case 'ended':
      return { state: 'ended', siteUrl: status.siteUrl };
    default:
      return { state: status.state };
  }
}
