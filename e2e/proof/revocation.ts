import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { byOwner } from '@/server/access/keys';
import { humanOf } from '@/server/access/principal';
import { signedInPerson } from '@/server/testing/people';
import { ask, connectClient, type Client } from '@/server/testing/socket-client';
import type { Campaign } from './campaign';
import type { CampaignFixture } from './campaign-fixture';
import { connected, orLost } from './crowd';

/** What ends: the role is lowered, the person removed, the key revoked, all sign-ins ended, the session ended. */
const KINDS = ['role', 'membership', 'key', 'sign-ins', 'session'] as const;
type Kind = (typeof KINDS)[number];

/** What the victim has received or done before the end, and how long it goes on after that, milliseconds. */
const BEFORE = 10;
const WORK_MS = { least: 0, most: 500 } as const;
/** From here on nothing may be received and nothing may take effect. Milliseconds after the commit. */
const AT_MOST_MS = 1_000;
/** And for so long that is watched. Milliseconds. */
const WATCHED_MS = 600;
const BETWEEN_MS = 60;
/** Slower than one credential may connect. */
const RECONNECT_MS = 150;
const CONNECT_MS = 2_000;
const MOVING =
  '() => { let hue = 0; const step = () => { document.body.style.background = `hsl(${(hue += 7) % 360} 50% 50%)`; console.log(hue); requestAnimationFrame(step); }; step(); }';

/** Who loses something, at work by every way there is. */
class Victim {
  /** What came or was carried out while nothing may any more. */
  readonly late: string[] = [];
  /** When something came last, monotonic milliseconds. */
  lastAt = 0;
  received = 0;
  /** Whether nothing may come any more. */
  over = false;
  #stopped = false;
  readonly #work: Promise<void>[] = [];
  #client: Client | undefined;
  #reached: { readonly things: number; readonly resolve: () => void } | undefined;

  constructor(
    private readonly fixture: CampaignFixture,
    private readonly session: string,
    private readonly headers: Readonly<Record<string, string>>,
    private readonly kind: Kind,
  ) {}

  /** Whether what it receives ends, too, and not only what it does. */
  get watches(): boolean {
    return this.kind !== 'role';
  }

  start(): void {
    const tab = `/sessions/${this.session}/tabs/t1`;
    this.#loop(() => this.#call('POST', `${tab}/act`, { kind: 'press', key: 'a', selector: '#f' }));
    this.#loop(() => this.#call('POST', `${tab}/control`, { do: 'take' }));
    this.#loop(() => this.#call('GET', `${tab}/control/wait?timeoutMs=5000`));
    // Who loses a session goes on making keys.
    if (this.kind !== 'session')
      this.#loop(() => this.#call('POST', '/keys', { name: 'left behind', grants: ['watch'] }), RECONNECT_MS);
    if (this.watches) this.#loop(() => this.#call('GET', `${tab}/snapshot`));
    this.#loop(() => this.#bySocket());
  }

  /** Settles when so many things have come. */
  atWork(things: number): Promise<void> {
    return new Promise((resolve) => (this.#reached = { things, resolve }));
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    const work = Promise.all(this.#work);
    const closing = setInterval(() => this.#client?.disconnect(), BETWEEN_MS);
    await work.finally(() => clearInterval(closing));
  }

  #loop(work: () => Promise<void>, everyMs = BETWEEN_MS): void {
    const going = async (): Promise<void> => {
      while (!this.#stopped) {
        await work().catch(() => undefined);
        await pause(everyMs);
      }
    };
    this.#work.push(going());
  }

  /** Something came, or was carried out. */
  #came(what: string): void {
    this.received += 1;
    this.lastAt = performance.now();
    if (this.over) this.late.push(what);
    if (this.#reached && this.received >= this.#reached.things) this.#reached.resolve();
  }

  async #call(method: string, path: string, body?: object): Promise<void> {
    const response = await fetch(`${this.fixture.server.origin}/api/v1${path}`, {
      method,
      headers: { ...this.headers, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const answer = resultSchema.safeParse(await response.json()).data;
    if (response.ok && answer?.ok !== false) this.#came(`${method} ${path}: ${response.status}`);
  }

  /** Connects, follows everything, and acts; a connection that was closed is made again. */
  async #bySocket(): Promise<void> {
    const { session } = this;
    if (!this.#client?.connected) {
      await pause(RECONNECT_MS);
      const client = connectClient(this.fixture.server.origin, { headers: { ...this.headers } });
      this.#client = client;
      client.onAny((event: string) => {
        if (this.watches && event !== 'goodbye' && event !== 'session.gone') this.#came(`pushed ${event}`);
      });
      // If the sign-in ends between handshake and welcome, the client hears neither event.
      if (!(await Promise.race([connected(client), pause(CONNECT_MS, false)]))) return void client.disconnect();
      client.on('frame', (_meta, _bytes, painted) => painted());
      const tab = { session, tab: 't1' };
      await this.#ask(client, 'session.join', ask(client, 'session.join', { session }));
      await this.#ask(client, 'stream.open', ask(client, 'stream.open', { ...tab, tier: 'standard' }));
      await this.#ask(client, 'snapshot.watch', ask(client, 'snapshot.watch', { ...tab, options: {} }));
      await this.#ask(client, 'rings.watch', ask(client, 'rings.watch', tab));
    }
    const client = this.#client;
    const action = { kind: 'press', key: 'b', selector: '#f' } as const;
    const acted = await orLost(client, ask(client, 'act', { session, tab: 't1', action }));
    if ('ok' in acted && acted.ok && acted.data.ok) this.#came('act by socket');
  }

  async #ask(client: Client, what: string, work: Promise<{ readonly ok: boolean }>): Promise<void> {
    const answer = await orLost(client, work);
    if (this.watches && 'ok' in answer && answer.ok) this.#came(`${what} was answered`);
  }
}

const resultSchema = z.object({ ok: z.boolean().optional() });

/** The credentials of a victim, and what ends it; `ids`: the person, and the key if it is one. */
interface Cast {
  readonly headers: Readonly<Record<string, string>>;
  readonly ids: readonly string[];
  end(session: string): Promise<unknown>;
}

async function cast(fixture: CampaignFixture, kind: Kind): Promise<Cast> {
  const { server } = fixture;
  const { access } = server.running.services;
  const owner = { cookie: fixture.cookie, origin: server.origin, host: new URL(server.origin).host };
  const principalOf = async (headers: Readonly<Record<string, string>>) =>
    humanOf(
      await access.authentication.requirePrincipal({ headers: { ...headers, host: owner.host }, address: '127.0.0.1' }),
    );
  if (kind === 'key') {
    const wanted = { name: 'victim', grants: ['watch', 'drive', 'keys'], sessions: 'workspace' } as const;
    const { key, text } = await access.keys.create(byOwner(access.owner), wanted);
    const end = () => access.keys.revoke(byOwner(access.owner), key.id);
    return { headers: { authorization: `Bearer ${text}` }, ids: [key.id], end };
  }
  const { id, headers } = await signedInPerson(server, 'member', `victim of ${kind}`);
  const ends: Record<Exclude<Kind, 'key'>, (session: string) => Promise<unknown>> = {
    role: async () => access.members.setRole(await principalOf(owner), id, { role: 'viewer' }),
    membership: async () => access.removal.remove(await principalOf(owner), id),
    'sign-ins': async () => {
      const other = await access.authentication.admitPerson(id, 'link', { headers: owner, address: '127.0.0.1' });
      await access.signIns.endOthers(other.principal);
    },
    session: (session) => fetch(`${server.origin}/api/v1/sessions/${session}`, { method: 'DELETE', headers: owner }),
  };
  return { headers: { ...headers }, ids: [id], end: ends[kind] };
}

/**
 * One end of one kind, in the middle of the work, so many milliseconds after its beginning; returns what broke the
 * promise.
 */
async function revoked(fixture: CampaignFixture, kind: Kind, workMs: number): Promise<string[]> {
  const session = await fixture.session();
  const { store, access } = fixture.server.running.services;
  const { workspace } = access.owner;
  const { headers, ids, end } = await cast(fixture, kind);
  await fixture.act(session, { kind: 'evaluate', fn: MOVING });
  await fixture.server.api('POST', `/api/v1/sessions/${session}/tabs/t1/control`, { do: 'release' });
  const victim = new Victim(fixture, session, headers, kind);
  victim.start();
  try {
    await victim.atWork(BEFORE);
    await pause(workMs);
    const before = victim.received;
    await end(session);
    const at = performance.now();
    await pause(AT_MOST_MS);
    // A call that comes after all that was sent until now: on a busy machine, that may be read late.
    await fixture.server.api('GET', '/api/v1/sessions');
    victim.over = true;
    const seen = await effects(fixture, session, kind);
    await pause(WATCHED_MS);
    fixture.count(`things received before the end (${kind})`, before);
    fixture.took(`from the commit to the last thing received (${kind})`, Math.max(0, victim.lastAt - at));
    const left = (await store.apiKeys.list(workspace, new Date())).filter(
      ({ person, madeBy }) => ids.includes(person) || (madeBy !== null && ids.includes(madeBy)),
    );
    return [
      ...victim.late.map((what) => `${kind}: ${what} after ${AT_MOST_MS} ms`),
      ...((await effects(fixture, session, kind)) === seen ? [] : [`${kind}: the page or its timeline went on`]),
      ...((kind === 'key' || kind === 'membership') && left.length > 0
        ? [`${kind}: ${left.length} keys are left`]
        : []),
    ];
  } finally {
    await victim.stop();
    await fixture.server.api('DELETE', `/api/v1/sessions/${session}`);
  }
}

/** What the victim did in the page, and the rows of it. */
async function effects(fixture: CampaignFixture, session: string, kind: Kind): Promise<string> {
  if (kind === 'session') return 'over';
  const rows = await fixture.inside(session).timeline.events({ limit: 1_000 });
  return `${await fixture.field(session)} ${rows.filter(({ phase, outcome }) => phase === 'intent' || outcome === 'ok').length}`;
}

/**
 * T9: somebody streams, types, polls, makes keys and comes back again and again while what lets them in ends. A second
 * after the commit they receive nothing, do nothing, and have left nothing behind that goes on.
 */
export const revocation: Campaign = {
  id: 'T9',
  about: `a role, a membership, a key, all sign-ins or the session ends while its victim streams, types, polls and reconnects: a second later nothing is received and nothing takes effect`,
  full: 100,
  round: async (fixture, random) => {
    // All at once, each with a session and a victim of its own: the others are a load that must not matter.
    const all = KINDS.map((kind) => revoked(fixture, kind, random.between(WORK_MS.least, WORK_MS.most)));
    const problems = (await Promise.all(all)).flat();
    if ((await fixture.total('faults_total')) > 0) problems.push('the server counted a fault of its own');
    return problems.length > 0 ? problems.slice(0, 10).join('; ') : undefined;
  },
};
