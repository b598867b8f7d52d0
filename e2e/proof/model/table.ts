import { setTimeout } from 'node:timers/promises';
import { GRANTS } from '@/server/access/grants';
import type { InputEvent } from '@/lib/protocol/input';
import type { Session } from '@/server/sessions/session';
import { TEST_KEY } from '@/server/testing/server';
import type { Ground } from '../ground';
import { keyOf } from '../keys';
import type { ConnectedName, Deed, PlayerName } from './deeds';
import { Ledger, type Entry } from './ledger';
import { BUTTONS, type EffectSite } from './page';
import { byHand, byHttp, Connected, type Player } from './players';

const KEYS = 'abcdefghijklmnopqrstuvwxyz0123456789';
const TIMES = 3;
/** What was begun is over long before this, milliseconds. */
const MARKER_MS = 60_000;
const LOOK_EVERY_MS = 20;
const LOOKS = 500;

type Sent = { readonly by: PlayerName; readonly action: object; readonly entries: readonly Entry[] };

/** One session with everybody around it; plays deeds without waiting for one another and keeps the books. */
export class Table {
  readonly ledger = new Ledger();
  readonly #pending = new Set<Promise<void>>();
  readonly #sent: Sent[] = [];
  readonly #people: Map<PlayerName, Player>;
  #serial = 0;
  #crashed = false;

  private constructor(
    private readonly ground: Ground,
    private readonly session: Session,
    private readonly owner: string,
    private readonly windows: ReadonlyMap<ConnectedName, Connected>,
    private bee: { readonly key: string; readonly player: Connected },
  ) {
    const id = session.id;
    const cookie = { cookie: ground.cookie, origin: ground.server.origin };
    this.#people = new Map<PlayerName, Player>([
      ['owner', byHttp(ground, id, owner, cookie)],
      ['peer', byHand(ground, id, `peer of ${id}`)],
      ['bot', byHttp(ground, id, 'k_preset/bot', { authorization: `Bearer ${TEST_KEY}`, 'x-agent': 'bot' })],
    ]);
    session.timeline.onEvent.on((event) => this.ledger.row(event));
    session.desk.onEffect.on((effect) => {
      if (effect.type === 'changed' && effect.tab === 't1') this.ledger.changed(effect.lease);
    });
  }

  static async open(ground: Ground, site: EffectSite, run: string): Promise<Table> {
    const { id } = await ground.server.session(site.url(run), 'bot');
    const owner = ground.server.running.services.access.owner.id;
    const headers = { cookie: ground.cookie, origin: ground.server.origin };
    const window = (): Connected => new Connected(owner, id, Connected.to(ground, { headers }));
    const windows = new Map<ConnectedName, Connected>([['window 1', window()], ['window 2', window()]]);
    const table = new Table(ground, ground.inside(id), owner, windows, Table.#bee(ground, id));
    await Promise.all([...windows.values(), table.bee.player].map((one) => one.reconnect()));
    return table;
  }

  static #bee(ground: Ground, session: string): { key: string; player: Connected } {
    const { keys, owner } = ground.server.running.services.access;
    const { key, text } = keys.create({ grants: new Set(GRANTS), person: owner.id, workspace: owner.workspace }, { name: 'bee', grants: ['watch', 'drive'] });
    return { key: key.id, player: new Connected(key.id, session, Connected.to(ground, { auth: { key: text } })) };
  }

  /** Begins the deed. */
  async play(deed: Deed): Promise<void> {
    this.ledger.history.push(Object.values(deed).join(' '));
    switch (deed.do) {
      case 'wish':
        return this.#goesOn(this.#player(deed.by).wish({ do: deed.wish, scope: deed.scope }));
      case 'hand over':
        return this.#goesOn(this.#player(deed.by).wish({ do: 'hand-over', to: this.#player(deed.to).id }));
      case 'click':
      case 'type':
      case 'batch':
        return this.#act(deed);
      case 'again':
        return this.#again(deed.by);
      case 'raw':
        return this.#raw(deed.by, deed.hold);
      case 'drop':
        return this.#connected(deed.by).drop();
      case 'reconnect':
        return this.#connected(deed.by).reconnect();
      case 'revoke':
        return this.#revoke();
      case 'crash':
        return this.#crash();
      case 'pass':
        return setTimeout(deed.ms);
    }
  }

  /** Waits for all that was begun, and gives what is wrong with it. */
  async settle(): Promise<string[]> {
    const over = new AbortController();
    const late = setTimeout(MARKER_MS, 'late' as const, { signal: over.signal }).catch(() => 'over' as const);
    const done = Promise.all(this.#pending).then(() => 'done' as const);
    if ((await Promise.race([done, late])) === 'late') return ['something was never answered'];
    over.abort();
    for (let looks = 0; looks < MARKER_MS / LOOK_EVERY_MS && this.ledger.open; looks += 1) await setTimeout(LOOK_EVERY_MS);
    await this.#letGo();
    return this.ledger.join(this.#crashed);
  }

  async close(): Promise<void> {
    for (const one of [...this.windows.values(), this.bee.player]) one.drop();
    const { keys, owner } = this.ground.server.running.services.access;
    await keys.revoke(owner.workspace, this.bee.key);
    await this.ground.server.api('DELETE', `/api/v1/sessions/${this.session.id}`);
  }

  /** Told by the page. */
  effect(effect: Parameters<Ledger['effect']>[0]): void {
    this.ledger.effect(effect, this.session.desk.lease('t1'), this.owner);
  }

  #goesOn(work: Promise<unknown>): void {
    const going: Promise<void> = work.then(
      () => void this.#pending.delete(going),
      (error: unknown) => void this.ledger.problems.push(`threw ${String(error)}`),
    );
    this.#pending.add(going);
  }

  #connected(name: ConnectedName): Connected {
    return this.windows.get(name) ?? this.bee.player;
  }

  #player(name: PlayerName): Player {
    return this.#people.get(name) ?? this.#connected(name === 'window 2' ? 'window 2' : name === 'window 1' ? 'window 1' : 'bee');
  }

  #act(deed: Extract<Deed, { do: 'click' | 'type' | 'batch' }>): void {
    const { id } = this.#player(deed.by);
    const made = deed.do === 'click' ? this.#click(id, deed.epoch) : deed.do === 'type' ? this.#type(id, deed.slowly) : this.#batch(id);
    if (!made) return;
    const sent = { by: deed.by, ...made };
    this.#sent.push(sent);
    this.#send(sent, this.#player(deed.by));
  }

  #send({ action, entries }: Sent, player: Player): void {
    this.#goesOn(
      player.act(action).then((reply) => {
        if (reply && entries[0]) entries[0].replies.push(reply);
      }),
    );
  }

  /** The same request once more, as it was. */
  #again(by: PlayerName): void {
    const player = this.#player(by);
    const sent = this.#sent.findLast((one) => one.by === by && one.entries[0]?.by === player.id);
    if (sent) this.#send(sent, player);
  }

  #click(by: string, epoch: 'none' | 'now' | 'stale'): Omit<Sent, 'by'> | undefined {
    const tag = `b${this.#serial}`;
    if (this.#serial >= BUTTONS) return undefined;
    this.#serial += 1;
    const entry = this.ledger.add({ by, tag, times: 1, raw: false });
    const now = this.session.desk.lease('t1')?.epoch ?? 0;
    return { action: { kind: 'click', selector: `#${tag}`, note: entry.note, id: this.#id(entry), ...(epoch === 'none' ? {} : { epoch: epoch === 'now' ? now : now - 1 }) }, entries: [entry] };
  }

  #type(by: string, slowly: boolean): Omit<Sent, 'by'> | undefined {
    const tag = this.#key();
    if (tag === undefined) return undefined;
    const entry = this.ledger.add({ by, tag, times: TIMES, raw: false });
    return { action: { kind: 'type', selector: '#f', text: tag.repeat(TIMES), mode: 'append', slowly, note: entry.note, id: this.#id(entry) }, entries: [entry] };
  }

  #batch(by: string): Omit<Sent, 'by'> | undefined {
    const inner = [this.#click(by, 'none'), this.#type(by, true)].filter((one) => one !== undefined);
    const entry = this.ledger.add({ by, tag: undefined, times: 0, raw: false });
    return { action: { kind: 'batch', actions: inner.map(({ action }) => action), note: entry.note, id: this.#id(entry) }, entries: [entry] };
  }

  #id({ note }: Entry): string {
    return `${this.session.id} ${note}`;
  }

  /** A key that nobody has typed yet. */
  #key(): string | undefined {
    const used = this.#keys;
    this.#keys += 1;
    return KEYS[used];
  }
  #keys = 0;

  /** One key down and up, or Shift down and a button, and both left there. */
  #raw(by: ConnectedName, hold: boolean): void {
    const window = this.#connected(by);
    const { epoch = 0 } = this.session.desk.lease('t1') ?? {};
    const { geometry } = this.session.activeSeat().streams;
    const give = (event: InputEvent): Promise<boolean> => window.input(epoch, geometry, event);
    const shift: InputEvent = { type: 'keydown', key: 'Shift', code: 'ShiftLeft', location: 0, repeat: false, modifiers: 0 };
    if (hold) this.ledger.disturbs(window.id);
    if (hold) return this.#goesOn(Promise.all([give(shift), window.input(epoch, geometry, { type: 'down', x: 700, y: 500, button: 'left', buttons: 1, clickCount: 1, modifiers: 0 })]));
    const tag = this.#key();
    if (tag === undefined) return;
    const entry = { by: window.id, tag, raw: true };
    const down = give(keyOf('keydown', tag));
    const made = this.ledger.add({ ...entry, times: 0 });
    this.#goesOn(Promise.all([down.then((taken) => taken && this.ledger.taken(made)), give(keyOf('keyup', tag))]));
  }

  async #revoke(): Promise<void> {
    const { keys, owner } = this.ground.server.running.services.access;
    const { key } = this.bee;
    this.bee = Table.#bee(this.ground, this.session.id);
    await keys.revoke(owner.workspace, key);
    await this.bee.player.reconnect();
  }

  async #crash(): Promise<void> {
    this.#crashed = true;
    const { tab } = this.session.activeSeat();
    tab.sessions.bulk.send('Page.crash').catch(() => undefined);
    while (tab.health.state !== 'crashed') await setTimeout(5);
    for (const name of ['owner', 'peer'] as const) await this.#player(name).act({ kind: 'remedy', do: 'reload' });
  }

  /** Whoever has the wheel lets go of it; then nothing may be down any more (I6). */
  async #letGo(): Promise<void> {
    for (const name of ['owner', 'peer', 'bot'] as const) await this.#player(name).wish({ do: 'release' });
    await this.bee.player.reconnect();
    await this.bee.player.wish({ do: 'release' });
    const { tab } = this.session.activeSeat();
    const lease = this.session.desk.lease('t1');
    const idle = async (): Promise<boolean> => tab.input.held().keys.length + tab.input.held().buttons.length === 0;
    for (let looks = 0; looks < LOOKS && !(await idle()); looks += 1) await setTimeout(LOOK_EVERY_MS);
    const { keys, buttons } = tab.input.held();
    if (keys.length + buttons.length > 0) this.ledger.problems.push(`held when all was over: ${[...keys, ...buttons].join(' ')}, wheel ${lease?.state}`);
  }
}
