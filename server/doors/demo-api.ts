import { LATE, within } from '@/lib/async/within';
import { WheelhouseError } from '@/lib/errors/error';
import type { Clock } from '@/lib/budget/clock';
import type { Access } from '@/server/access/access';
import type { Asker } from '@/server/access/principal';
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
  #key: { by: Asker; id: string } | undefined;
  #starting: Promise<DemoAnswer> | undefined;

  constructor(
    private readonly access: Access,
    private readonly runner: DemoRunner,
    private readonly clock: Clock,
  ) {}

  /** As a workspace sees it: a demo of another one does not exist for it (T6). */
  status({ workspace }: Pick<Asker, 'workspace'>): DemoAnswer {
    return this.#isElsewhere(workspace) ? { state: 'stopped' } : answerOf(this.runner.status());
  }

  #isElsewhere(workspace: string): boolean {
    return this.#key !== undefined && this.#key.by.workspace !== workspace;
  }

  /**
   * Starts shop and agent, or returns the running demo. Two concurrent calls share one start. Throws CONFLICT while it
   * runs in another workspace: a server has one.
   */
  async start(by: Asker): Promise<DemoAnswer> {
    if (this.#isElsewhere(by.workspace) && !['stopped', 'ended'].includes(this.runner.status().state))
      throw new WheelhouseError('CONFLICT', 'The demo of this server is in use at the moment. Try again later.');
    this.#starting ??= this.#start(by).finally(() => {
      this.#starting = undefined;
    });
    return this.#starting;
  }

  async #start(by: Asker): Promise<DemoAnswer> {
    const running = this.runner.status().state === 'running';
    const started = await this.runner.start({ apiKey: running ? '' : await this.#freshKey(by) });
    const session = await within(this.clock, SESSION_PATIENCE_MS, started.session);
    return session === LATE || session === undefined
      ? { state: 'running', siteUrl: started.siteUrl }
      : { state: 'running', siteUrl: started.siteUrl, session };
  }

  /** @param by who asks; the server itself when it stops */
  async stop(by?: Pick<Asker, 'workspace'>): Promise<DemoAnswer> {
    if (by && this.#isElsewhere(by.workspace)) return this.status(by);
    await this.runner.stop();
    await this.#dropKey();
    return answerOf(this.runner.status());
  }

  async #freshKey(by: Asker): Promise<string> {
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
