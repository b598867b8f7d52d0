import { RAW_INPUT } from '@/server/features/raw-input/input-gate';
import { z } from 'zod';
import { parseAction } from '@/lib/actions/parse';
import { replySchema, type Reply } from '@/lib/actions/reply';
import { withBudget, type Budget } from '@/lib/budget/budget';
import { monotonicClock } from '@/lib/budget/clock';
import { asWheelhouseError } from '@/lib/errors/error';
import type { InputEvent } from '@/lib/protocol/input';
import { leaseRequestFields, LEASE_VERBS } from '@/lib/protocol/lease-request';
import { everywhere } from '@/lib/rights/grants';
import type { HumanPrincipal } from '@/server/access/principal';
import { performAction } from '@/server/doors/perform';
import { performLeaseRequest } from '@/server/features/control/lease-request';
import { ask, connectClient, type Client } from '@/server/testing/socket-client';
import { connected, orLost } from '../crowd';
import type { CampaignFixture } from '../campaign-fixture';

/** A participant of the model, by whatever door; a refusal or a lost answer is a result, too. */
export interface Player {
  /** Participant id; a new key makes a new one. */
  readonly id: string;
  /** Undefined: no answer came back. */
  act(action: object): Promise<Reply | undefined>;
  /** The refusal; undefined when it was carried out. */
  requestLease(body: object): Promise<Refused | undefined>;
}

/** A participant who also sends raw input. */
export interface InputPlayer extends Player {
  /** True when the server says that Chrome has it. */
  input(epoch: number, geometry: number, event: InputEvent): Promise<boolean>;
}

/** The refusal of a wish. */
export interface Refused {
  readonly code: string;
  readonly message: string;
}

const WAIT_MS = 20_000;
const refusedSchema = z.object({ error: z.object({ code: z.string(), message: z.string() }) });
const leaseRequestSchema = z.strictObject({ do: z.enum(LEASE_VERBS), ...leaseRequestFields });

/** A participant by HTTP, with these headers. */
export function byHttp(fixture: CampaignFixture, session: string, id: string, headers: Record<string, string>): Player {
  const post = async (path: string, body: object): Promise<unknown> => {
    const response = await fetch(`${fixture.server.origin}/api/v1/sessions/${session}/tabs/t1/${path}`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return response.json();
  };
  return {
    id,
    act: async (action) => replySchema.safeParse(await post('act', action)).data,
    requestLease: async (body) => refusedSchema.safeParse(await post('control', body)).data?.error,
  };
}

/** A participant past the doors, for campaigns of many people at once: the funnel is the same for all. */
export function byHand(fixture: CampaignFixture, session: string, name: string): InputPlayer {
  const { workspace } = fixture.server.running.services.access.owner;
  const principal: HumanPrincipal = {
    kind: 'human',
    id: name,
    name,
    person: name,
    workspace,
    rights: everywhere(['watch', 'drive']),
    rev: 0,
    expiresAt: undefined,
    credential: { kind: 'cookie', id: name },
  };
  const caller = { principal, door: 'ui' } as const;
  const inside = fixture.inside(session);
  const patient = <T>(work: (budget: Budget) => Promise<T>): Promise<T> =>
    withBudget({ timeoutMs: WAIT_MS, clock: monotonicClock }, work);
  return {
    id: name,
    act: (action) => performAction(monotonicClock, inside, caller, 't1', parseAction(action)),
    requestLease: async (body) => {
      const sessionTab = inside.findTab(caller, 't1');
      const request = patient((budget) =>
        performLeaseRequest(budget, inside, caller, sessionTab, leaseRequestSchema.parse(body)),
      );
      return request.then(
        () => undefined,
        (error: unknown) => asWheelhouseError(error),
      );
    },
    input: (epoch, geometry, event) => {
      const sessionTab = inside.findTab(caller, 't1');
      return patient((budget) =>
        RAW_INPUT.of(inside).send(budget, caller, sessionTab, { epoch, geometry }, event),
      ).then(
        () => true,
        () => false,
      );
    },
  };
}

/** A participant by a connection that can be cut and made again. */
export class Connected implements InputPlayer {
  #client: Client | undefined;

  constructor(
    readonly id: string,
    private readonly session: string,
    private readonly connect: () => Client,
  ) {}

  static to(fixture: CampaignFixture, options: Parameters<typeof connectClient>[1]): () => Client {
    return () => connectClient(fixture.server.origin, options);
  }

  get connected(): boolean {
    return this.#client?.connected === true;
  }

  async reconnect(): Promise<void> {
    if (this.connected) return;
    this.#client?.disconnect();
    const client = this.connect();
    this.#client = client;
    if (await connected(client)) await orLost(client, ask(client, 'session.join', { session: this.session }));
  }

  drop(): void {
    this.#client?.disconnect();
  }

  async act(action: object): Promise<Reply | undefined> {
    const client = this.#client;
    if (!client?.connected) return undefined;
    const answer = await orLost(client, ask(client, 'act', { session: this.session, tab: 't1', action }));
    return 'ok' in answer && answer.ok ? answer.data : undefined;
  }

  async requestLease(body: object): Promise<Refused | undefined> {
    const client = this.#client;
    if (!client?.connected) return undefined;
    const answer = await orLost(
      client,
      ask(client, 'control', { session: this.session, tab: 't1', ...leaseRequestSchema.parse(body) }),
    );
    return 'error' in answer ? answer.error : undefined;
  }

  async input(epoch: number, geometry: number, event: InputEvent): Promise<boolean> {
    const client = this.#client;
    if (!client?.connected) return false;
    const answer = await orLost(
      client,
      ask(client, 'input', { session: this.session, tab: 't1', epoch, geometry, event }),
    );
    return 'ok' in answer && answer.ok;
  }
}
