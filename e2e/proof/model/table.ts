import { setTimeout } from 'node:timers/promises';
import { PICTURES } from '@/server/session/feature-slots';
import type { ControlEffect } from '@/lib/control/lease';
import { byOwner } from '@/server/access/keys';
import { humanOf } from '@/server/access/principal';
import type { Session } from '@/server/session/session';
import { openLink, shareLink } from '@/server/testing/links';
import { signedInPerson } from '@/server/testing/people';
import { TEST_KEY } from '@/server/testing/server';
import type { CampaignFixture } from '../campaign-fixture';
import { keyOf } from '../keys';
import {
  CONNECTED,
  PEOPLE,
  PLAYERS,
  type ConnectedName,
  type End,
  type ModelStep,
  type PersonName,
  type PlayerName,
} from './steps';
import { Ledger } from './ledger';
import { ActionMaker, type MadeAction } from './action-maker';
import type { Effect, EffectSite, PressEffect } from './page';
import { byHttp, Connected, type InputPlayer, type Player, type Refused } from './players';

/**
 * Less than the server waits for Chrome to release keys and buttons before it reports that the lease has passed,
 * milliseconds.
 */
const PATIENCE_MS = 200;
/** How long the page is watched for an effect, milliseconds. */
const LOOK_MS = 500;
/** Long after everything that was begun must have ended, milliseconds. */
const MARKER_MS = 60_000;
const LOOK_EVERY_MS = 20;
const LOOKS = 500;
/** What the share link of the guest gives. */
const GUEST_TERMS = { grants: ['drive'], password: 'come in' };
/** How long a lowered role stays. Milliseconds. */
const LOWERED_MS = 150;

/** A person other than the owner: a member, or the guest of a share link. */
interface Guest {
  readonly id: string;
  readonly player: Connected;
  /** The link that let them in. */
  readonly link?: string;
}

type Sent = MadeAction & { readonly by: PlayerName };

/** One session with all its participants; plays steps without waiting for one another and keeps the ledger. */
export class Table {
  readonly ledger = new Ledger();
  readonly #making: ActionMaker;
  readonly #pending = new Set<Promise<void>>();
  readonly #sent: Sent[] = [];
  readonly #people: Map<PlayerName, Player>;
  readonly #guests = new Map<PersonName, Guest>();
  /** What a participant does as soon as it gets the lease. */
  readonly #waiting = new Map<PlayerName, 'type' | 'key'>();
  /** What is done when the page reports this for the first time. */
  readonly #upon = new Map<string, () => void>();
  readonly #looking: (() => void)[] = [];
  /** Number of the last page that crashed. */
  #crashedPage = 0;
  /** Monotonic milliseconds. */
  #changedAt = 0;
  /** The epoch of the last holder. */
  #heldSince = 0;

  private constructor(
    private readonly fixture: CampaignFixture,
    private readonly session: Session,
    private readonly site: EffectSite,
    private readonly windows: ReadonlyMap<ConnectedName, Connected>,
    private bee: { readonly key: string; readonly player: Connected },
  ) {
    const { id } = session;
    const cookie = { cookie: fixture.cookie, origin: fixture.server.origin };
    this.#making = new ActionMaker(this.ledger, id);
    this.#people = new Map<PlayerName, Player>([
      ['owner', byHttp(fixture, id, fixture.server.running.services.access.owner.id, cookie)],
      ['bot', byHttp(fixture, id, 'k_preset/bot', { authorization: `Bearer ${TEST_KEY}`, 'x-agent': 'bot' })],
    ]);
    session.timeline.onEvent.on((event) => this.ledger.row(event));
    session.leases.onEffect.on((effect) => this.#changed(effect));
  }

  static async open(fixture: CampaignFixture, site: EffectSite, run: string): Promise<Table> {
    const { id } = await fixture.server.session(site.url(run), 'bot');
    const owner = fixture.server.running.services.access.owner.id;
    const headers = { cookie: fixture.cookie, origin: fixture.server.origin };
    const window = (): Connected => new Connected(owner, id, Connected.to(fixture, { headers }));
    const windows = new Map<ConnectedName, Connected>([
      ['window 1', window()],
      ['window 2', window()],
    ]);
    const table = new Table(fixture, fixture.inside(id), site, windows, await Table.#bee(fixture, id));
    for (const name of PEOPLE) await table.#welcome(name);
    await Promise.all([...windows.values(), table.bee.player].map((one) => one.reconnect()));
    return table;
  }

  static async #bee(fixture: CampaignFixture, session: string): Promise<{ key: string; player: Connected }> {
    const { keys, owner } = fixture.server.running.services.access;
    const request = { name: 'bee', grants: ['watch', 'drive'], sessions: 'workspace' } as const;
    const { key, text } = await keys.create(byOwner(owner), request);
    return { key: key.id, player: new Connected(key.id, session, Connected.to(fixture, { auth: { key: text } })) };
  }

  /** Begins the step. */
  async play(step: ModelStep): Promise<void> {
    const by = 'by' in step && step.by !== 'driver' ? step.by : this.#driver();
    this.ledger.history.push(Object.values('by' in step ? { ...step, by } : step).join(' '));
    switch (step.do) {
      case 'lease-request':
        return this.#requestLease(this.#player(by), step.request, step.scope);
      case 'hand over':
        return this.#goesOn(this.#player(by).requestLease({ do: 'hand-over', to: this.#player(step.to).id }));
      case 'click':
        return this.#act(
          by,
          this.#making.click(
            this.#player(by).id,
            step.epoch === 'none' ? undefined : this.#epoch(step.epoch),
            step.epoch === 'stale',
          ),
        );
      case 'type':
        return this.#act(by, this.#making.type(this.#player(by).id, step.slowly, step.where));
      case 'type and regain':
        return this.#typeAndRegain(by, step.ms);
      case 'batch':
        return this.#act(by, this.#making.batch(this.#player(by).id));
      case 'again':
        return this.#again(by);
      case 'key':
        return this.#key(this.#hand(by), this.#epoch(step.epoch));
      case 'hold':
        return this.#hold(this.#hand(by), step.keys);
      case 'wait for it':
        return void this.#waiting.set(step.by, step.act);
      case 'drop':
        return this.#connected(step.by).drop();
      case 'reconnect':
        return this.#connected(step.by).reconnect();
      case 'revoke':
        return this.#revoke();
      case 'end':
        return this.#end(step.of, step.what);
      case 'crash':
        return this.#crash();
      case 'look':
        await this.#seen();
        return setTimeout(step.ms);
      case 'pass':
        return setTimeout(step.ms);
    }
  }

  /** Waits for everything that was begun, and returns the mismatches. */
  async settle(): Promise<string[]> {
    const over = new AbortController();
    const late = setTimeout(MARKER_MS, 'late' as const, { signal: over.signal }).catch(() => 'over' as const);
    this.#waiting.clear();
    const done = this.#all().then(() => 'done' as const);
    if ((await Promise.race([done, late])) === 'late') return ['something was never answered'];
    over.abort();
    for (let looks = 0; looks < MARKER_MS / LOOK_EVERY_MS && this.ledger.open; looks += 1)
      await setTimeout(LOOK_EVERY_MS);
    await this.#letGo();
    return this.ledger.join(this.#crashedPage > 0);
  }

  async close(): Promise<void> {
    for (const name of CONNECTED) this.#connected(name).drop();
    const { keys, owner } = this.fixture.server.running.services.access;
    await keys.revoke(byOwner(owner), this.bee.key);
    for (const name of PEOPLE) await this.#remove(this.#guest(name));
    await this.fixture.server.api('DELETE', `/api/v1/sessions/${this.session.id}`);
  }

  /** Called with each report of the page. */
  told(told: Effect | PressEffect): void {
    if (told.page <= this.#crashedPage || this.session.activeSessionTab().tab.health.state === 'crashed')
      return this.ledger.reported(told);
    const lease = this.session.leases.lease('t1');
    if (told.kind === 'press') return this.ledger.press(told, lease);
    this.ledger.effect(told, lease);
    for (const look of this.#looking.splice(0)) look();
    this.#upon.get(told.tag)?.();
    this.#upon.delete(told.tag);
  }

  #requestLease(player: Player, request: string, scope: string): void {
    const told = (refused: Refused | undefined): void => {
      const lease = this.session.leases.lease('t1');
      const { keys, buttons } = this.session.activeSessionTab().tab.input.held();
      const soon = performance.now() - this.#changedAt < PATIENCE_MS;
      if (request === 'take' && !refused && soon && lease && 'holder' in lease && lease.holder.id === player.id)
        this.ledger.tookOver(player.id, [...keys, ...buttons]);
    };
    this.#goesOn(player.requestLease({ do: request, scope }).then(told));
  }

  /** A participant who waited for the lease acts before anything else happens. */
  #changed(effect: ControlEffect): void {
    if (effect.type !== 'changed' || effect.tab !== 't1') return;
    const { lease } = effect;
    this.ledger.changed(lease, effect.change);
    if (!('holder' in lease)) return;
    // A request or its refusal changes the lease, too, but passes it to nobody.
    if (lease.epoch !== this.#heldSince) this.#changedAt = performance.now();
    this.#heldSince = lease.epoch;
    const name = PLAYERS.find((one) => this.#player(one).id === lease.holder.id && this.#waiting.has(one));
    const act = name && this.#waiting.get(name);
    if (name === undefined || act === undefined) return;
    this.#waiting.delete(name);
    const hand = CONNECTED.find((one) => one === name);
    if (act === 'key' && hand) this.#key(this.#hand(hand), lease.epoch);
    else this.#act(name, this.#making.type(this.#player(name).id, false, 'focus'));
  }

  #seen(): Promise<void> {
    const over = new AbortController();
    const seen = new Promise<void>((resolve) => this.#looking.push(resolve));
    const long = setTimeout(LOOK_MS, undefined, { signal: over.signal }).catch(() => undefined);
    return Promise.race([seen, long]).finally(() => over.abort());
  }

  /** Includes work that begins meanwhile. */
  async #all(): Promise<void> {
    while (this.#pending.size > 0) await Promise.all(this.#pending);
  }

  #goesOn(work: Promise<unknown>): void {
    const going: Promise<void> = work
      .catch((error: unknown) => void this.ledger.problems.push(`threw ${String(error)}`))
      .then(() => void this.#pending.delete(going));
    this.#pending.add(going);
  }

  #connected(name: ConnectedName): Connected {
    if (name === 'peer' || name === 'guest') return this.#guest(name).player;
    return this.windows.get(name) ?? this.bee.player;
  }

  #guest(name: PersonName): Guest {
    const guest = this.#guests.get(name);
    if (!guest) throw new Error(`${name} is not there.`);
    return guest;
  }

  #player(name: PlayerName): Player {
    const connected = CONNECTED.find((one) => one === name);
    return this.#people.get(name) ?? this.#connected(connected ?? 'bee');
  }

  /** The participant who sends raw input: the owner does by a window; for an agent by HTTP a person, who is refused. */
  #hand(name: PlayerName): InputPlayer {
    return this.#connected(CONNECTED.find((one) => one === name) ?? (name === 'bot' ? 'peer' : 'window 1'));
  }

  /** The name of the holder of the lease. */
  #driver(): PlayerName {
    const lease = this.session.leases.lease('t1');
    return PLAYERS.findLast((name) => lease && 'holder' in lease && this.#player(name).id === lease.holder.id) ?? 'bot';
  }

  /** Epochs only grow: one lower than the present is over. */
  #epoch(which: 'now' | 'stale'): number {
    const now = this.session.leases.lease('t1')?.epoch ?? 0;
    return which === 'now' ? now : now - 1;
  }

  #act(by: PlayerName, made: MadeAction | undefined): void {
    if (!made) return;
    const sent = { by, ...made };
    this.#sent.push(sent);
    this.#send(sent);
  }

  #send({ by, action, entries: [entry] }: Sent): void {
    this.#goesOn(
      this.#player(by)
        .act(action)
        .then((reply) => reply && entry.replies.push(reply)),
    );
  }

  /** Sends the same request once more, unchanged. */
  #again(by: PlayerName): void {
    const player = this.#player(by);
    const sent = this.#sent.findLast((one) => one.by === by && one.entries[0].by === player.id);
    if (sent) this.#send(sent);
  }

  /** The rest of a text must not be typed at the new epoch after the lease was away. */
  #typeAndRegain(by: PlayerName, ms: number): void {
    const player = this.#player(by);
    const made = this.#making.type(player.id, true, 'focus');
    const regain = async (): Promise<void> => {
      await setTimeout(ms);
      await Promise.all([player.requestLease({ do: 'release' }), player.requestLease({ do: 'take' })]);
    };
    if (made?.entries[0].tag !== undefined) this.#upon.set(made.entries[0].tag, () => this.#goesOn(regain()));
    this.#act(by, made);
  }

  /** One key down and up. */
  #key(hand: InputPlayer, epoch: number): void {
    const made = this.#making.key(hand.id, epoch);
    if (!made) return;
    const { geometry } = PICTURES.of(this.session.activeSessionTab());
    const down = hand.input(epoch, geometry, keyOf('keydown', made.tag));
    this.#goesOn(
      Promise.all([
        down.then((taken) => taken && this.ledger.taken(made.entry)),
        hand.input(epoch, geometry, keyOf('keyup', made.tag)),
      ]),
    );
  }

  /** Presses keys without releasing them. */
  #hold(hand: InputPlayer, keys: number): void {
    const epoch = this.#epoch('now');
    const made = this.#making.hold(hand.id, epoch, keys);
    const { geometry } = PICTURES.of(this.session.activeSessionTab());
    const held = made.keys.map((key) => hand.input(epoch, geometry, key));
    this.#goesOn(
      Promise.all([
        ...held,
        hand.input(epoch, geometry, made.press).then((taken) => taken && this.ledger.taken(made.entry)),
      ]),
    );
  }

  async #revoke(): Promise<void> {
    const { keys, owner } = this.fixture.server.running.services.access;
    const { key } = this.bee;
    this.bee = await Table.#bee(this.fixture, this.session.id);
    await keys.revoke(byOwner(owner), key);
    await this.bee.player.reconnect();
  }

  /** A person comes: as a member of the workspace, or by a share link. */
  async #welcome(name: PersonName): Promise<void> {
    const { server } = this.fixture;
    if (name === 'peer') return this.#came(name, await signedInPerson(server, 'member', name));
    const shared = await shareLink(server, this.session.id, GUEST_TERMS);
    await this.#came(name, await openLink(server, shared, { password: GUEST_TERMS.password }));
  }

  async #came(
    name: PersonName,
    {
      id,
      headers,
      link,
    }: {
      readonly id: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly link?: string;
    },
  ): Promise<void> {
    const options = { headers: { ...headers }, ...(link !== undefined && { auth: { link } }) };
    const player = new Connected(id, this.session.id, Connected.to(this.fixture, options));
    this.#guests.set(name, { id, player, ...(link !== undefined && { link }) });
    await player.reconnect();
  }

  /**
   * Something ends for a person. They come back: with their old role after a while, as another person, or by another
   * sign-in.
   */
  async #end(name: PersonName, what: End): Promise<void> {
    const guest = this.#guest(name);
    if (guest.link !== undefined) return this.#endVisit(guest.link, what);
    const { access } = this.fixture.server.running.services;
    if (what === 'role') {
      await this.#setRole(guest, 'viewer');
      return this.#goesOn(setTimeout(LOWERED_MS).then(() => this.#setRole(guest, 'member')));
    }
    if (what === 'membership') {
      await this.#remove(guest);
      return this.#welcome(name);
    }
    const request = { headers: this.#headers(''), address: '127.0.0.1' };
    const { principal, setCookies } = await access.authentication.admitPerson(guest.id, 'link', request);
    await access.signIns.endOthers(principal);
    const cookie = setCookies.map((one) => one.split(';')[0]).join('; ');
    await this.#came(name, { id: guest.id, headers: { cookie, origin: this.fixture.server.origin } });
  }

  /** The same for a guest: their link is narrowed for a while, gets its passcode anew, or is revoked. */
  async #endVisit(link: string, what: End): Promise<void> {
    const { server } = this.fixture;
    const path = `/api/v1/sessions/${this.session.id}/links/${link}`;
    const change = (terms: object): Promise<unknown> => server.api('PATCH', path, terms);
    if (what === 'role') {
      await change({ grants: [] });
      return this.#goesOn(setTimeout(LOWERED_MS).then(() => change({ grants: GUEST_TERMS.grants })));
    }
    if (what === 'membership') await server.api('DELETE', path);
    else await change({ password: GUEST_TERMS.password });
    return this.#welcome('guest');
  }

  async #setRole({ id }: Guest, role: 'viewer' | 'member'): Promise<void> {
    const { access, store } = this.fixture.server.running.services;
    const { workspace } = access.owner;
    const isMember = await store.change(async ({ people }) => {
      const member = await people.get(workspace, id);
      if (member) await people.setRole(workspace, id, role, new Date());
      return member !== undefined;
    });
    if (isMember) access.rights.apply({ kind: 'member', workspace, person: id, role });
  }

  async #remove({ id, link }: Guest): Promise<void> {
    // The link ends with the session.
    if (link !== undefined) return;
    const { access } = this.fixture.server.running.services;
    const request = { headers: this.#headers(this.fixture.cookie), address: '127.0.0.1' };
    await access.removal.remove(humanOf(await access.authentication.requirePrincipal(request)), id);
  }

  #headers(cookie: string): Record<string, string> {
    return { host: new URL(this.fixture.server.origin).host, ...(cookie !== '' && { cookie }) };
  }

  async #crash(): Promise<void> {
    const { tab } = this.session.activeSessionTab();
    tab.sessions.bulk.send('Page.crash').catch(() => undefined);
    while (tab.health.state !== 'crashed') await setTimeout(5);
    this.#crashedPage = this.site.lastPage;
    this.ledger.crashed();
    for (const name of ['owner', 'peer'] as const) await this.#player(name).act({ kind: 'remedy', do: 'reload' });
  }

  /** Lets every participant release the lease; nothing may be down afterwards (I6). */
  async #letGo(): Promise<void> {
    for (const name of ['owner', 'bot'] as const) await this.#player(name).requestLease({ do: 'release' });
    for (const name of ['bee', ...PEOPLE] as const) {
      await this.#connected(name).reconnect();
      await this.#connected(name).requestLease({ do: 'release' });
    }
    const { tab } = this.session.activeSessionTab();
    const lease = this.session.leases.lease('t1');
    const idle = async (): Promise<boolean> => tab.input.held().keys.length + tab.input.held().buttons.length === 0;
    for (let looks = 0; looks < LOOKS && !(await idle()); looks += 1) await setTimeout(LOOK_EVERY_MS);
    const { keys, buttons } = tab.input.held();
    if (keys.length + buttons.length > 0)
      this.ledger.problems.push(`held when all was over: ${[...keys, ...buttons].join(' ')}, lease ${lease?.state}`);
  }
}
