import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { byOwner } from '@/server/access/keys';
import { humanOf } from '@/server/access/principal';
import { openLink, shareLink } from '@/server/testing/links';
import { callsOf, signedInPerson } from '@/server/testing/people';
import { PROTOCOL_VERSION } from '@/lib/protocol/catalog';
import { ask, connectClient, type Client } from '@/server/testing/socket-client';
import type { Campaign } from './campaign';
import type { CampaignFixture } from './campaign-fixture';
import { connected, orLost } from './crowd';
import type { Random } from './random';

/**
 * What ends: the role is lowered, the person removed, the key revoked, all sign-ins ended, the session ended, the share
 * link of a guest.
 */
const KINDS = ['role', 'membership', 'key', 'sign-ins', 'session', 'link'] as const;
type Kind = (typeof KINDS)[number];
/** How a share link ends: by hand, with the rights of its maker, with its session; a new passcode ends its visits. */
const LINK_ENDS = ['revoked', 'maker lowered', 'maker removed', 'session', 'passcode'] as const;
type LinkEnd = (typeof LINK_ENDS)[number];

/** What the victim has received or done before the end, and how long it goes on after that, milliseconds. */
const BEFORE = 10;
const WORK_MS = { least: 0, most: 500 } as const;
/** From here on nothing may be received and nothing may take effect. Milliseconds after the commit. */
const AT_MOST_MS = 1_000;
/** And for so long that is watched. Milliseconds. */
const WATCHED_MS = 600;
/** How often the event loop's delay is measured, milliseconds. */
const LOOP_RESOLUTION_MS = 10;
const NANOSECONDS_PER_MS = 1_000_000;
const BETWEEN_MS = 60;
/** Slower than one credential may connect. */
const RECONNECT_MS = 150;
const CONNECT_MS = 2_000;
/** Twenty pictures and lines of the console in a second: more often than anything else comes. */
const MOVES_MS = 50;
const MOVING =
  '(everyMs) => { let hue = 0; setInterval(() => { document.body.style.background = `hsl(${(hue += 7) % 360} 50% 50%)`; console.log(hue); }, everyMs); }';
/** How many times slower all of that is in the test suite. */
const SLOWER = 3;

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
    private readonly slower: number,
    /** The share link that lets them in. */
    private readonly link: string | undefined,
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
    // Who loses a session goes on making keys; guests make none.
    if (this.kind !== 'session' && this.kind !== 'link')
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

  #loop(work: () => Promise<void>, everyMs = BETWEEN_MS * this.slower): void {
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
      const auth: Record<string, string> = this.link === undefined ? {} : { link: this.link };
      const client = connectClient(this.fixture.server.origin, { headers: { ...this.headers }, auth });
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
      if (this.link === undefined) await this.#ask(client, 'rings.watch', ask(client, 'rings.watch', tab));
      else await this.#ask(client, 'hello', ask(client, 'hello', { protocol: PROTOCOL_VERSION }));
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
  readonly link?: string;
  end(session: string): Promise<unknown>;
}

async function cast(fixture: CampaignFixture, kind: Exclude<Kind, 'link'>): Promise<Cast> {
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
  const ends: Record<Exclude<Kind, 'key' | 'link'>, (session: string) => Promise<unknown>> = {
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

/** A guest who drives by a share link of another person, and one way in which that ends. */
async function guest(fixture: CampaignFixture, session: string, how: LinkEnd): Promise<Cast> {
  const { server } = fixture;
  const maker = await signedInPerson(server, 'admin', `maker, ${how}`);
  const { id, headers, link } = await openLink(server, await shareLink(server, session, { grants: ['drive'] }, maker));
  const links = `/sessions/${session}/links`;
  const owner = callsOf(server, { headers: { cookie: fixture.cookie, origin: server.origin } });
  const ends: Record<LinkEnd, () => ReturnType<typeof owner>> = {
    revoked: () => owner('DELETE', `${links}/${link}`),
    'maker lowered': () => owner('PATCH', `/members/${maker.id}`, { role: 'viewer' }),
    'maker removed': () => owner('DELETE', `/members/${maker.id}`),
    session: () => owner('DELETE', `/sessions/${session}`),
    passcode: () => owner('PATCH', `${links}/${link}`, { password: 'another one' }),
  };
  const end = async (): Promise<void> => {
    const [status] = await ends[how]();
    if (status !== 200) throw new Error(`The end of a link (${how}) was answered ${status}.`);
    fixture.count(`links ended: ${how}`);
  };
  return { headers, ids: [id], link, end };
}

/**
 * One end of one kind, in the middle of the work, so many milliseconds after its beginning; returns what broke the
 * promise.
 */
async function revoked(
  fixture: CampaignFixture,
  kind: Kind,
  { workMs, linkEnd, slower }: { readonly workMs: number; readonly linkEnd: LinkEnd; readonly slower: number },
): Promise<string[]> {
  const session = await fixture.session();
  const { store, access } = fixture.server.running.services;
  const { workspace } = access.owner;
  const part = kind === 'link' ? guest(fixture, session, linkEnd) : cast(fixture, kind);
  const { headers, ids, link, end } = await part;
  await fixture.act(session, { kind: 'evaluate', fn: MOVING, args: [MOVES_MS * slower] });
  await fixture.server.api('POST', `/api/v1/sessions/${session}/tabs/t1/control`, { do: 'release' });
  const victim = new Victim(fixture, session, headers, kind, slower, link);
  // Server and victim share this process: a stall of it delays both what is sent and when it is read.
  const loopDelay = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS });
  victim.start();
  try {
    await victim.atWork(BEFORE);
    await pause(workMs);
    const before = victim.received;
    loopDelay.enable();
    await end(session);
    const at = performance.now();
    await pause(AT_MOST_MS);
    // A call that comes after all that was sent until now: on a busy machine, that may be read late.
    await fixture.server.api('GET', '/api/v1/sessions');
    victim.over = true;
    const gone = kind === 'session' || (kind === 'link' && linkEnd === 'session');
    const seen = gone ? '' : await effects(fixture, session);
    await pause(WATCHED_MS);
    fixture.count(`things received before the end (${kind})`, before);
    const lastMs = Math.max(0, victim.lastAt - at);
    const stallMs = loopDelay.max / NANOSECONDS_PER_MS;
    fixture.took(`from the commit to the last thing received (${kind})`, lastMs);
    fixture.took(`the same, less the longest stall of this process (${kind})`, Math.max(0, lastMs - stallMs));
    const left = (await store.apiKeys.list(workspace, new Date())).filter(
      ({ person, madeBy }) => ids.includes(person) || (madeBy !== null && ids.includes(madeBy)),
    );
    return [
      ...victim.late.map((what) => `${kind}: ${what} after ${AT_MOST_MS} ms`),
      ...(gone || (await effects(fixture, session)) === seen ? [] : [`${kind}: the page or its timeline went on`]),
      ...((kind === 'key' || kind === 'membership') && left.length > 0
        ? [`${kind}: ${left.length} keys are left`]
        : []),
    ];
  } finally {
    loopDelay.disable();
    await victim.stop();
    await fixture.server.api('DELETE', `/api/v1/sessions/${session}`);
  }
}

/** What the victim did in the page, and the rows of it. */
async function effects(fixture: CampaignFixture, session: string): Promise<string> {
  const rows = await fixture.inside(session).timeline.events({ limit: 1_000 });
  return `${await fixture.field(session)} ${rows.filter(({ phase, outcome }) => phase === 'intent' || outcome === 'ok').length}`;
}

async function round(fixture: CampaignFixture, random: Random, slower: number): Promise<string | undefined> {
  // All at once, each with a session and a victim of its own: the others are a load that must not matter.
  const all = KINDS.map((kind) => {
    const workMs = random.between(WORK_MS.least, WORK_MS.most);
    return revoked(fixture, kind, { workMs, linkEnd: random.pick(LINK_ENDS), slower });
  });
  return problemsOf(fixture, all);
}

async function problemsOf(fixture: CampaignFixture, all: readonly Promise<string[]>[]): Promise<string | undefined> {
  const problems = (await Promise.all(all)).flat();
  if ((await fixture.total('faults_total')) > 0) problems.push('the server counted a fault of its own');
  return problems.length > 0 ? problems.slice(0, 10).join('; ') : undefined;
}

/**
 * T9: somebody streams, types, polls, makes keys and comes back again and again while what lets them in ends. A second
 * after the commit they receive nothing, do nothing, and have left nothing behind that goes on.
 */
export const revocation: Campaign = {
  id: 'T9',
  about: `a role, a membership, a key, all sign-ins, the session or a share link ends while its victim streams, types, polls and reconnects: a second later nothing is received and nothing takes effect`,
  full: 100,
  round: (fixture, random) => round(fixture, random, 1),
  inSmall: (fixture, random) => round(fixture, random, SLOWER),
};

/** T9 of share links alone: every way in which one ends, all at once, each with a session and a guest of its own. */
export const linkEnds: Campaign = {
  id: 'T9-LINKS',
  about: `${LINK_ENDS.length} share links end, each in another way (${LINK_ENDS.join(', ')}), while their guests stream, type, poll and reconnect: a second later nothing is received and nothing takes effect`,
  full: 20,
  round: (fixture, random) =>
    problemsOf(
      fixture,
      LINK_ENDS.map((linkEnd) =>
        revoked(fixture, 'link', { workMs: random.between(WORK_MS.least, WORK_MS.most), linkEnd, slower: 1 }),
      ),
    ),
};
