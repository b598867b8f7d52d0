import { BoundedMap } from '@/lib/async/bounded-map';
import { Timer } from '@/lib/async/timers';
import type { Clock } from '@/lib/budget/clock';
import { WheelhouseError } from '@/lib/errors/error';
import { guestName } from '@/lib/links/guest-name';
import {
  LINK_LIFE,
  linkEndsAt,
  linkGrantBeyond,
  linkGrants,
  type LinkEnd,
  type LinkGrant,
  type LinkOffer,
} from '@/lib/links/link-terms';
import type { LinkView } from '@/lib/links/link-view';
import { VISIT_MS, Visits } from '@/lib/links/visits';
import { grantsIn, KEY_GRANTS } from '@/lib/rights/grants';
import type { ApiKey } from '@/server/store/api-keys';
import type { Guest, Link } from '@/server/store/links';
import type { PeopleTables } from '@/server/store/store';
import { hashPassword, isPasswordOf } from './accounts/password-hash';
import { SerialQueue } from './accounts/serial-queue';
import { addressKey } from './address-key';
import { linkCookieName, readCookies, setCookie } from './cookies';
import { single, type Headers } from './credential';
import { keyReach, PRESET_ID } from './key-views';
import { noted } from './last-uses';
import { CAPS } from './limits';
import { linkOffer, linkRefused, linkView } from './link-views';
import type { KeyReach, LinkReach } from './live-rights';
import { logEntry, serverEntry } from './log';
import type { AccessParts } from './parts';
import type { GuestPrincipal, MemberPrincipal } from './principal';
import type { Site } from './sites';
import { demandLive } from './still-live';
import { hashToken, isToken, randomToken, sameHash } from './tokens';

const MOST_ENDED = 1_000;
/** Passcodes of one workspace that wait to be compared. */
const MOST_WAITING = 20;
/** The longest wait for the end of a link; a clock that was set forward is noticed after it. Milliseconds. */
const LOOK_EVERY_MS = 60_000;
/** What the secret of a link that does not exist is compared with. */
const NO_HASH = hashToken('');

type LinksParts = AccessParts & {
  readonly clock: Clock;
  /** Whether WHEELHOUSE_API_KEY is set. */
  readonly preset: boolean;
  /** The cost of a passcode's hash. */
  readonly passwordCost: number;
};

/** What the maker of a link chooses. Undefined fields stay as they are, or take their default. */
export interface LinkTerms {
  readonly grants?: readonly LinkGrant[] | undefined;
  /** Seconds from now. */
  readonly expiresIn?: number | undefined;
  /** Null: as many as come; likewise no `passcode`. */
  readonly maxViewers?: number | null | undefined;
  readonly passcode?: string | null | undefined;
}

/** The session that a link shows; its name is for the log. */
interface AboutSession {
  readonly id: string;
  readonly name: string;
}

interface OpenRequest {
  /** Undefined: the guest comes back with the cookie of the link. */
  readonly secret?: string | undefined;
  readonly name?: string | undefined;
  readonly passcode?: string | undefined;
}

interface Opened {
  readonly link: Link;
  readonly guest: Guest;
  /** Value for `Set-Cookie`. */
  readonly setCookie: string;
}

/** A link that opens, with those who are or were here by it. */
interface OpenLink {
  readonly link: Link;
  readonly visits: Visits;
}

/**
 * Share links of sessions (AU4): made, opened by guests without an account, listed with their uses, ended at once.
 */
export class Links {
  readonly #open = new Map<string, OpenLink>();
  /** Why links ended lately, until the store says it. */
  readonly #ended = new BoundedMap<string, LinkEnd>(MOST_ENDED);
  readonly #timer: Timer;
  readonly #passcodes = new SerialQueue(MOST_WAITING, tooManyPasscodes);
  readonly #offs: readonly (() => void)[];

  constructor(private readonly parts: LinksParts) {
    this.#timer = new Timer(parts.clock);
    this.#offs = [
      // A key that ended or changed takes its links with it.
      parts.live.onRevoked(({ kind, id }) => {
        if (kind === 'key') this.#endAll('maker', ({ byKey }) => byKey === id);
      }),
      parts.rights.onChange((change) => {
        if (change.kind === 'session-ended') this.#endAll('session', ({ session }) => session === change.session);
        else if (change.kind !== 'link') this.#endAll('maker', (link) => !this.#givesAny(link));
      }),
    ];
  }

  /** Makes the links of an earlier run hold. Only the server does it: it also ends those whose reason has gone. */
  async load(): Promise<void> {
    const { store, preset, now } = this.parts;
    for (const link of await store.links.open()) {
      // Those of the earlier run may have the wheel still, so the end of the link must end them, too.
      const guests = await store.links.guests(link.workspace, link.id);
      this.#open.set(link.id, {
        link,
        visits: new Visits(
          this.parts.clock,
          guests.map(({ id }) => id),
        ),
      });
      const keyIsGone = link.byKey === PRESET_ID && !preset;
      this.#begin(link, keyIsGone ? undefined : await reachOf(store, link, now()));
    }
  }

  close(): void {
    this.#timer.stop();
    for (const off of this.#offs) off();
  }

  /**
   * Makes a link that gives no more than its maker has; only this call returns its address. Throws BAD_REQUEST,
   * FORBIDDEN naming the grant, QUOTA.
   */
  async create(
    by: MemberPrincipal,
    session: AboutSession,
    { grants: wanted = [], expiresIn, maxViewers, passcode, tab }: LinkTerms & { readonly tab?: string | undefined },
  ): Promise<{ link: LinkView; url: string }> {
    const { store, sites, now, live } = this.parts;
    const grants = this.#demandGrants(by, session.id, wanted);
    const secret = randomToken();
    const time = now();
    const row = {
      ...{ workspace: by.workspace, session: session.id, tab, hash: hashToken(secret), grants },
      ...{ maxViewers: maxViewers ?? undefined, passcode: passcode ? await this.#hashed(by, passcode) : undefined },
      ...{ by: by.person, byKey: by.kind === 'agent' ? by.credential.id : undefined },
      expiresAt: new Date(linkEndsAt(time.getTime(), expiresIn, endOfKey(by))),
    };
    const made = await store.change(async (tables) => {
      await demandLive(tables, by, time);
      const open = (await tables.links.list(by.workspace, session.id)).filter(({ id }) => this.#open.has(id));
      if (open.length >= CAPS.linksPerSession) throw tooMany();
      await tables.links.keepEnded(by.workspace, session.id, CAPS.endedLinksPerSession);
      const link = await tables.links.add(row, time);
      const said = { code: 'linkMade', session: session.name, grants: grants.join(', ') } as const;
      await tables.log.append(by.workspace, logEntry(by, said, { id: link.id, name: '' }));
      return { link, key: await reachOf(tables, link, time) };
    });
    this.#begin(made.link, made.key);
    // The key may have ended since the commit.
    if (by.kind === 'agent' && !live.isLive(by)) this.#end(made.link, 'maker');
    const url = `${sites()[0]?.origin ?? ''}/s/${made.link.id}#${secret}`;
    return { link: this.#view(made.link, []), url };
  }

  /** The caller's links of a session, with `manage` there those of everybody; those that have ended too. */
  async list(by: MemberPrincipal, session: string): Promise<LinkView[]> {
    const { links } = this.parts.store;
    const all = (await links.list(by.workspace, session)).filter((link) => isOwn(by, link));
    return Promise.all(all.map(async (link) => this.#view(link, await links.guests(by.workspace, link.id))));
  }

  /** Changes a link; it holds at once in what its guests have open. Throws NOT_FOUND and as `create`. */
  async change(by: MemberPrincipal, session: AboutSession, id: string, terms: LinkTerms): Promise<LinkView> {
    const { store, now } = this.parts;
    const time = now();
    const grants = terms.grants && this.#demandGrants(by, session.id, terms.grants);
    const passcode = typeof terms.passcode === 'string' ? await this.#hashed(by, terms.passcode) : terms.passcode;
    const changed = await store.change(async (tables) => {
      await demandLive(tables, by, time);
      const { byKey } = await this.#found(tables, by, session.id, id);
      const key = byKey === undefined ? undefined : await tables.apiKeys.get(by.workspace, byKey, time);
      const ends = linkEndsAt(time.getTime(), terms.expiresIn, endOfKey(by), endOf(key));
      const expiresAt = terms.expiresIn === undefined ? undefined : new Date(ends);
      const columns = { grants, expiresAt, maxViewers: terms.maxViewers, passcode };
      const link = (await tables.links.change(by.workspace, id, columns)) ?? missing(id);
      const ended = passcode === undefined ? [] : await tables.links.endGuests(by.workspace, id, time);
      const said = { code: 'linkChanged', session: session.name, grants: link.grants.join(', ') } as const;
      await tables.log.append(by.workspace, logEntry(by, said, { id, name: '' }));
      return {
        link,
        ended,
        key: await reachOf(tables, link, time),
        guests: await tables.links.guests(by.workspace, id),
      };
    });
    if (passcode !== undefined) await this.parts.limits.wrongPasscodesPerLink.reset(id);
    // It may have ended since the commit.
    if (this.#open.has(id)) this.#begin(changed.link, changed.key);
    for (const guest of changed.ended) this.parts.live.bump({ kind: 'link', id: guest });
    this.#endBeyondMost(id);
    return this.#view(changed.link, changed.guests);
  }

  /** Ends a link and what its guests have open. Throws NOT_FOUND. */
  async revoke(by: MemberPrincipal, session: AboutSession, id: string): Promise<void> {
    const { store, now } = this.parts;
    const link = await store.change(async (tables) => {
      await demandLive(tables, by, now());
      const found = await this.#found(tables, by, session.id, id);
      if (!(await tables.links.end(by.workspace, id, 'revoked', now()))) missing(id);
      const said = { code: 'linkEnded', session: session.name } as const;
      await tables.log.append(by.workspace, logEntry(by, said, { id, name: '' }));
      return found;
    });
    this.#forget(link);
  }

  /**
   * Opens a link for a guest, who gets a cookie for it. Wrong secrets count against the link; they hold up no guest
   * with the right one. Without a secret, the guest of the cookie goes on, under another name where one is given.
   * Throws UNAUTHENTICATED with `details.reason`, QUOTA when it is full, RATE_LIMITED.
   */
  async open(
    id: string,
    { secret, name, passcode }: OpenRequest,
    { headers, address, site }: { readonly headers: Headers; readonly address: string; readonly site: Site },
  ): Promise<Opened> {
    const { store } = this.parts;
    const tokens = readCookies(single(headers, 'cookie'), linkCookieName(site, id));
    const sent = tokens.length === 1 ? tokens[0] : undefined;
    if (secret === undefined) {
      const { link, guest } = await this.#comeBack(id, sent);
      const named = await this.#again(guest, name, address);
      return { link, guest: named, setCookie: this.#cookie(link, sent ?? '', site) };
    }
    const link = await store.links.find(id);
    if (!sameHash(hashToken(secret), link?.hash ?? NO_HASH) || !link) return this.#wrong(id, link, address);
    const why = this.#endOf(link);
    if (why) throw linkRefused(why);
    const found = await this.#guestBy(id, sent);
    const known = found?.endedAt === undefined ? found : undefined;
    await this.#demandPasscode(link, passcode, { address, known: known !== undefined });
    if (known) this.#enter(link, known.id);
    const token = known && sent !== undefined ? sent : randomToken();
    const guest = known ? await this.#again(known, name, address) : await this.#newcomer(link, token, name, address);
    return { link, guest, setCookie: this.#cookie(link, token, site) };
  }

  /** The guest of a link, by its cookie. Throws UNAUTHENTICATED with `details.reason`, QUOTA when it is full. */
  async principal(
    id: string,
    token: string | undefined,
    { address }: { readonly address: string },
    rev: number,
  ): Promise<GuestPrincipal> {
    const { link, guest, worthNoting } = await this.#comeBack(id, token);
    // A guest who was seen once only, as they opened the link, may be forgotten.
    if (worthNoting || guest.lastSeenAt === guest.createdAt)
      await noted(this.parts.store.links.seen(guest.workspace, guest.id, address, this.parts.now()));
    const { workspace, session, tab, createdAt: since } = link;
    const by = await this.#makerOf(link);
    const endsAt = (): number => this.#endsAt(link);
    return {
      ...{ kind: 'guest', id: guest.id, name: guestName(guest.name), workspace, rev, address },
      ...{ rights: this.parts.rights.ofLink(workspace, session, id), link: { id, session, tab, since, by } },
      credential: { kind: 'link', id: guest.id },
      // Its maker may change it while the guest is connected.
      get expiresAt() {
        return endsAt();
      },
    };
  }

  /** What an open link gives at this moment. */
  async offer(link: Link): Promise<LinkOffer> {
    const { id, workspace, session, tab, createdAt: since } = link;
    const about = { id, session, tab, since, by: await this.#makerOf(link) };
    return linkOffer({
      link: about,
      rights: this.parts.rights.ofLink(workspace, session, id),
      expiresAt: this.#endsAt(link),
    });
  }

  /** The name of the person who shares a link. */
  async #makerOf({ workspace, by }: Link): Promise<string> {
    return (await this.parts.store.people.get(workspace, by))?.name ?? '';
  }

  /** The guest of this cookie, for limits that count strangers apart. */
  async provenBy(id: string, token: string | undefined): Promise<GuestPrincipal['credential'] | undefined> {
    const guest = this.#open.has(id) ? await this.#guestBy(id, token) : undefined;
    return guest && { kind: 'link', id: guest.id };
  }

  /** Counts a connection of a guest; the returned function ends it. Throws QUOTA. */
  connect({ link: { id }, id: guest }: GuestPrincipal): () => void {
    const open = this.#open.get(id);
    if (!open) throw linkRefused('unknown');
    this.#enter(open.link, guest);
    const total = [...this.#open.values()].reduce((sum, { visits }) => sum + visits.connections, 0);
    // Half of the server's connections are left to members.
    const most = Math.ceil(this.parts.limits.caps['sockets-server'] / 2);
    if (open.visits.connections >= CAPS.socketsPerLink || total >= most) throw linkRefused('full');
    return open.visits.connect(guest);
  }

  /** The guest of a cookie. Throws UNAUTHENTICATED with `details.reason`, QUOTA when the link is full. */
  async #comeBack(id: string, token: string | undefined): Promise<{ link: Link; guest: Guest; worthNoting: boolean }> {
    const guest = await this.#guestBy(id, token);
    const link = this.#open.get(id)?.link ?? (await this.parts.store.links.find(id));
    if (!guest || !link) throw linkRefused('unknown');
    const why = this.#endOf(link);
    if (why) throw linkRefused(why);
    if (guest.endedAt !== undefined) throw linkRefused('changed');
    return { link, guest, worthNoting: this.#enter(link, guest.id) };
  }

  /**
   * Value for `Set-Cookie`: the cookie of a guest. It outlasts the present end of the link, which may be given more
   * time, and can say afterwards why the link opens no more.
   */
  #cookie({ id }: Link, token: string, site: Site): string {
    return setCookie(site, linkCookieName(site, id), token, LINK_LIFE.most);
  }

  #demandGrants(by: MemberPrincipal, session: string, wanted: readonly LinkGrant[]): readonly LinkGrant[] {
    const grants = linkGrants(wanted);
    if (!grants)
      throw new WheelhouseError('BAD_REQUEST', 'A link gives the clipboard only together with "drive".', {
        hint: 'Add "drive", because only the holder of the wheel copies and pastes.',
        details: { fields: [{ field: 'grants', problem: 'has "clipboard" without "drive"' }] },
      });
    const own = grantsIn(by, session);
    const beyond = own.has('share') ? linkGrantBeyond(grants, own) : 'share';
    if (beyond === undefined) return grants;
    throw new WheelhouseError('FORBIDDEN', `A link cannot give the grant "${beyond}" that its maker lacks.`, {
      details: { grant: beyond },
    });
  }

  /** A link that the caller may change. Throws NOT_FOUND. */
  async #found({ links }: PeopleTables, by: MemberPrincipal, session: string, id: string): Promise<Link> {
    const link = await links.find(id);
    const there = link?.workspace === by.workspace && link.session === session && isOwn(by, link);
    return there && this.#open.has(id) ? link : missing(id);
  }

  #hashed({ workspace }: MemberPrincipal, passcode: string): Promise<string> {
    return this.#passcodes.run(() => hashPassword(passcode, this.parts.passwordCost), workspace);
  }

  async #wrong(id: string, link: Link | undefined, address: string): Promise<never> {
    await this.parts.limits.wrongSecretsPerLink.demand(id.slice(0, 100));
    if (link) await this.#countWrong(link, address);
    throw linkRefused('unknown');
  }

  async #countWrong({ id, workspace }: Link, address: string): Promise<void> {
    const { store, log } = this.parts;
    await store.links.countWrong(id);
    log.count(workspace, `link ${id}`, (times) =>
      serverEntry({ code: 'linkGuessed', times }, { about: { id, name: '' }, address }),
    );
  }

  /** After many wrong passcodes from anywhere, only `known` guests may try: those with a cookie of the link. */
  async #demandPasscode(
    link: Link,
    sent: string | undefined,
    { address, known }: { readonly address: string; readonly known: boolean },
  ): Promise<void> {
    const { passcode, id, workspace } = link;
    if (passcode === undefined) return;
    if (sent === undefined) throw linkRefused('passcode');
    const { passcodesPerLink, wrongPasscodesPerLink } = this.parts.limits;
    const caller = `${id} ${addressKey(address)}`;
    await passcodesPerLink.demand(caller);
    if (!known) await wrongPasscodesPerLink.demand(id);
    if (await this.#passcodes.run(() => isPasswordOf(passcode, sent), workspace)) {
      if (!known) await wrongPasscodesPerLink.refund(id);
      return passcodesPerLink.reset(caller);
    }
    await this.#countWrong(link, address);
    throw linkRefused('passcode');
  }

  /**
   * Takes the place of a guest who comes, or is here; whether that is worth a write. Nothing can happen between the
   * look for a place and its taking. Throws UNAUTHENTICATED when the link has ended, QUOTA when it is full.
   */
  #enter(link: Link, guest: string): boolean {
    const open = this.#open.get(link.id);
    if (!open) throw linkRefused(this.#endOf(link) ?? 'revoked');
    const entered = open.visits.enter(guest, open.link.maxViewers);
    if (entered === 'full') throw linkRefused('full');
    return entered === 'came';
  }

  /** Ends the visits of those who came last, above the limit of the link. They may come again when it has a place. */
  #endBeyondMost(id: string): void {
    const open = this.#open.get(id);
    for (const guest of open?.visits.endBeyond(open.link.maxViewers) ?? [])
      this.parts.live.bump({ kind: 'link', id: guest });
  }

  async #guestBy(link: string, token: string | undefined): Promise<Guest | undefined> {
    if (token === undefined || !isToken(token)) return undefined;
    const hash = hashToken(token);
    const guest = await this.parts.store.links.guest(hash);
    return guest && guest.link === link && sameHash(guest.hash, hash) ? guest : undefined;
  }

  async #again(guest: Guest, name: string | undefined, address: string): Promise<Guest> {
    const { links } = this.parts.store;
    if (name !== undefined) await links.nameGuest(guest.workspace, guest.id, name);
    await noted(links.seen(guest.workspace, guest.id, address, this.parts.now()));
    return { ...guest, name: name ?? guest.name };
  }

  /**
   * Lets in a new guest, while the link has a place and the passcode that they were asked for. One without a name
   * gets a number that no other guest of the session has.
   */
  #newcomer(link: Link, token: string, name: string | undefined, address: string): Promise<Guest> {
    const { id, workspace, passcode } = link;
    return this.parts.store.change(async ({ links }) => {
      const present = await links.find(id);
      if (present?.ended) throw linkRefused(present.ended.why);
      if (present?.passcode !== passcode) throw linkRefused('passcode');
      const guestsOf = async (): Promise<number> => (await links.guests(workspace, id)).length;
      let known = await guestsOf();
      if (known >= CAPS.guestsPerLink) {
        const before = new Date(this.parts.now().getTime() - VISIT_MS);
        for (const gone of await links.forgetGuests(workspace, id, before)) this.#open.get(id)?.visits.forget(gone);
        known = await guestsOf();
      }
      if (known >= CAPS.guestsPerLink)
        throw new WheelhouseError('QUOTA', `This link was opened by ${known} guests already.`, {
          hint: 'Ask the person who shared it for a new one.',
          details: { reason: 'full', limit: CAPS.guestsPerLink },
        });
      const newcomer = {
        workspace,
        link: id,
        hash: hashToken(token),
        name: name ?? (await links.freeNumber(workspace, link.session)),
        address,
      };
      const guest = await links.addGuest(newcomer, this.parts.now());
      this.#enter(link, guest.id);
      return guest;
    });
  }

  /** Why a link opens no more at this moment, whatever the store says. */
  #endOf({ id, ended, expiresAt }: Link): LinkEnd | undefined {
    if (ended) return ended.why;
    if (Date.parse(expiresAt) <= this.parts.now().getTime()) return 'expired';
    return this.#open.has(id) ? undefined : (this.#ended.get(id) ?? 'revoked');
  }

  /** Wall clock, milliseconds. */
  #endsAt(link: Link): number {
    return Date.parse((this.#open.get(link.id)?.link ?? link).expiresAt);
  }

  #givesAny({ id, workspace, session }: Link): boolean {
    return grantsIn({ rights: this.parts.rights.ofLink(workspace, session, id) }, session).size > 0;
  }

  /** Makes a link hold, or its change; ends it where its session or the right of its maker has gone meanwhile. */
  #begin(link: Link, key: KeyReach | undefined): void {
    const { rights } = this.parts;
    const visits = this.#open.get(link.id)?.visits ?? new Visits(this.parts.clock);
    this.#open.set(link.id, { link, visits });
    const reach: LinkReach = { grants: link.grants, by: link.by, key };
    rights.apply({ kind: 'link', session: link.session, id: link.id, reach });
    this.#plan();
    if (rights.access(link.session) === undefined) this.#end(link, 'session');
    else if ((link.byKey !== undefined && !key) || !this.#givesAny(link)) this.#end(link, 'maker');
  }

  #endAll(why: LinkEnd, which: (link: Link) => boolean): void {
    for (const { link } of [...this.#open.values()]) if (which(link)) this.#end(link, why);
  }

  /**
   * Ends a link by itself. It holds at once; where the store does not take it, the next start finds the same reason
   * again.
   */
  #end(link: Link, why: LinkEnd): void {
    this.#ended.set(link.id, why);
    this.#forget(link);
    const { store, now } = this.parts;
    void store.links.end(link.workspace, link.id, why, now()).catch(() => undefined);
  }

  /** The rights of the link are gone, and so are the connections and calls of its guests. */
  #forget({ id, session }: Link): void {
    const { rights, live } = this.parts;
    const open = this.#open.get(id);
    this.#open.delete(id);
    rights.apply({ kind: 'link', session, id, reach: undefined });
    for (const guest of open?.visits.guests ?? []) live.bump({ kind: 'link', id: guest });
    this.#plan();
  }

  #plan(): void {
    const now = this.parts.now().getTime();
    const ends = [...this.#open.values()].map(({ link }) => Date.parse(link.expiresAt) - now);
    if (ends.length === 0) return this.#timer.stop();
    this.#timer.start(Math.min(LOOK_EVERY_MS, Math.max(1, Math.min(...ends))), () => {
      const time = this.parts.now().getTime();
      this.#endAll('expired', ({ expiresAt }) => Date.parse(expiresAt) <= time);
      this.#plan();
    });
  }

  #view(link: Link, guests: readonly Guest[]): LinkView {
    const visits = this.#open.get(link.id)?.visits;
    const why = this.#endOf(link);
    const ended = link.ended ?? (why ? { at: link.expiresAt, why } : null);
    return linkView(link, { guests, isHere: (guest) => visits?.isHere(guest) === true, ended });
  }
}

/** What the key that made a link may; undefined without one, and when it has ended. */
async function reachOf(
  { apiKeys }: Pick<PeopleTables, 'apiKeys'>,
  { workspace, byKey }: Link,
  now: Date,
): Promise<KeyReach | undefined> {
  if (byKey === undefined) return undefined;
  if (byKey === PRESET_ID) return { id: PRESET_ID, grants: KEY_GRANTS, scope: 'workspace', sessions: [] };
  const key = await apiKeys.get(workspace, byKey, now);
  return key && keyReach(key);
}

/** When the key that made a link ends. Wall clock, milliseconds. */
function endOf(key: Pick<ApiKey, 'expiresAt'> | undefined): number | undefined {
  return key?.expiresAt ? Date.parse(key.expiresAt) : undefined;
}

/** When the key of the caller ends. Wall clock, milliseconds. */
function endOfKey({ kind, expiresAt }: MemberPrincipal): number | undefined {
  return kind === 'agent' ? expiresAt : undefined;
}

/** A link is its maker's; moderators of the session end and change all of them. */
function isOwn(by: MemberPrincipal, { session, by: person, byKey }: Link): boolean {
  if (grantsIn(by, session).has('manage')) return true;
  return by.kind === 'human' ? person === by.person : byKey === by.credential.id;
}

function missing(id: string): never {
  throw new WheelhouseError('NOT_FOUND', `There is no open link "${id.slice(0, 100)}" of yours here.`);
}

function tooManyPasscodes(): WheelhouseError {
  return new WheelhouseError('RATE_LIMITED', 'Too many passcodes wait to be compared. Try again in a few seconds.', {
    details: { retryInMs: 5_000 },
  });
}

function tooMany(): WheelhouseError {
  return new WheelhouseError('QUOTA', `This session has ${CAPS.linksPerSession} links already.`, {
    hint: 'End one first.',
    details: { limit: CAPS.linksPerSession },
  });
}
