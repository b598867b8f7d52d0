import { BoundedMap } from '@/lib/async/bounded-map';
import type { Clock } from '@/lib/budget/clock';
import type { Holder } from '@/lib/control/lease';
import type { Actor, ParticipantView } from '@/lib/protocol/views';
import { WheelhouseError } from '@/lib/errors/error';
import { grantsIn } from '@/lib/rights/grants';
import { actorKind, credentialName, type Credential, type Principal } from '@/server/access/principal';
import type { ScriptOwner } from '@/server/cdp/evaluate/script-names';
import { Emitter } from '@/server/browser/emitter';

/** Number of open connections by one key or sign-in. */
interface Sockets {
  open: number;
}

interface ParticipantEntry {
  /** The principal of its last call. */
  principal: Principal;
  readonly colour: number;
  /** Number of connections by key or sign-in; the one used last is at the end. */
  readonly sockets: Map<string, Sockets>;
  /** What each window of theirs shows, the last one at the end. */
  readonly looks: Set<Look>;
  /** Raised a hand, and when (ISO 8601). */
  hand: string | undefined;
  /** Kept acting without the lease (F23). */
  flagged: boolean;
  /** When it last called, monotonic milliseconds. */
  seenAt: number;
}

/** The tab that one window shows; undefined: none. */
interface Look {
  tab: string | undefined;
}

/** Who is forgotten first. */
const FORGOTTEN: readonly Principal['kind'][] = ['agent', 'guest', 'human'];
/** How long an agent without a connection counts as present after a call (CO10). Milliseconds. */
const HERE_MS = 60_000;
/** Limit of participants per session. */
const MOST = 150;
/** Guests of share links among them, so that members find a place. */
const MOST_GUESTS = 100;
/** Limit of one participant's credentials without a connection. */
const MOST_CREDENTIALS = 16;

/** The participants of a session (AU5). An agent without a connection becomes one with its first call (CO10). */
export class Participants {
  /** A participant switched to another tab. */
  readonly onUse = new Emitter<[]>();
  readonly #entries = new Map<string, ParticipantEntry>();
  /**
   * The tab that each participant used last: their `active` (SE2). Includes participants of the last run who have not
   * called yet.
   */
  readonly #used = new BoundedMap<string, string>(MOST);
  #colours = 0;

  /** @param used the tab that each participant used last in the last run */
  constructor(
    private readonly session: string,
    private readonly clock: Clock,
    used: Readonly<Record<string, string>> = {},
  ) {
    for (const [id, tab] of Object.entries(used)) this.#used.set(id, tab);
  }

  /**
   * Makes room for one more: forgets the participant who has been silent longest, agents before guests and those
   * before members, but none with an open connection (AU5). Guests of share links have at most `MOST_GUESTS` of the
   * places, and make room for each other there (AU4). Agents choose their names (`X-Agent`), so entries must not pile
   * up. Throws QUOTA when there is none to forget.
   *
   * @param bound ids of participants who have a lease or get one back; they are not forgotten
   */
  makeRoom({ id, kind }: Principal, bound: () => ReadonlySet<string>): void {
    if (this.#entries.has(id)) return;
    const all = [...this.#entries.values()];
    const guests = all.filter(({ principal }) => principal.kind === 'guest');
    const crowded = kind === 'guest' && guests.length >= MOST_GUESTS;
    if (all.length < MOST && !crowded) return;
    const keep = bound();
    const forgettable = crowded ? guests : all;
    const away = forgettable.filter((entry) => socketsOf(entry) === 0 && !keep.has(entry.principal.id));
    const last = ({ principal: { kind } }: ParticipantEntry): number => FORGOTTEN.indexOf(kind);
    const [oldest] = away.toSorted((a, b) => last(a) - last(b) || a.seenAt - b.seenAt);
    if (!oldest)
      throw new WheelhouseError(
        'QUOTA',
        `This session has ${forgettable.length} ${crowded ? 'guests' : 'participants'} already, all of them connected.`,
        { hint: 'Wait until one of them has left.', details: { limit: forgettable.length } },
      );
    this.#entries.delete(oldest.principal.id);
  }

  /** Makes the principal a participant; true when it was not one before. Call `makeRoom` first. */
  admitParticipant(principal: Principal): boolean {
    const known = this.#entries.get(principal.id);
    if (known) {
      known.seenAt = this.clock.now();
      known.principal = principal;
      calls(known, principal.credential);
      return false;
    }
    this.#colours += 1;
    this.#entries.set(principal.id, {
      principal,
      colour: this.#colours,
      sockets: new Map([[credentialName(principal.credential), { open: 0 }]]),
      looks: new Set(),
      hand: undefined,
      flagged: false,
      seenAt: this.clock.now(),
    });
    return true;
  }

  /** Counts a connection; the returned function ends it and returns how many the participant has left. */
  connect(principal: Principal): () => number {
    this.admitParticipant(principal);
    const entry = this.#entries.get(principal.id);
    if (!entry) return () => 0;
    const sockets = calls(entry, principal.credential);
    sockets.open += 1;
    return () => {
      // Decrements the counter that was incremented: after the credential ended, a late call may have made a new one
      // with the same name.
      sockets.open -= 1;
      return socketsOf(entry);
    };
  }

  /**
   * Handles the end of a credential: returns the participants who used it last and have no other connection, and
   * forgets the agents and guests among them.
   */
  ended(credential: Credential): string[] {
    const name = credentialName(credential);
    const theirs = [...this.#entries.values()].filter(({ sockets }) => sockets.has(name));
    const gone = theirs.filter((entry) => {
      const calledLast = [...entry.sockets.keys()].at(-1) === name;
      entry.sockets.delete(name);
      return calledLast && socketsOf(entry) === 0;
    });
    for (const { principal } of gone) if (principal.kind !== 'human') this.#entries.delete(principal.id);
    return gone.map(({ principal }) => principal.id);
  }

  /** Ids of participants who may not drive. */
  watchers(): string[] {
    const all = [...this.#entries.values()].map(({ principal }) => principal);
    return all.filter((one) => !grantsIn(one, this.session).has('drive')).map(({ id }) => id);
  }

  online(id: string): boolean {
    const entry = this.#entries.get(id);
    return entry !== undefined && socketsOf(entry) > 0;
  }

  /** Participants with this id, else with this name, who are present and may drive. */
  present(called: string): Holder[] {
    const found = [...this.#entries.values()].filter(
      (entry) =>
        this.#here(entry) &&
        grantsIn(entry.principal, this.session).has('drive') &&
        (entry.principal.id === called || entry.principal.name === called),
    );
    const byId = found.filter(({ principal }) => principal.id === called);
    return (byId.length > 0 ? byId : found).map(({ principal }) => actorOf(principal));
  }

  usedTab(id: string): string | undefined {
    return this.#used.get(id);
  }

  use(id: string, tab: string): void {
    if (!this.#entries.has(id) || this.#used.get(id) === tab) return;
    this.#used.delete(id);
    this.#used.set(id, tab);
    this.onUse.emit();
  }

  /** The tab that each participant used last. */
  get used(): Record<string, string> {
    return Object.fromEntries(this.#used);
  }

  /**
   * A window of this participant begins to look. Call the returned function with the tab that it shows, if any; it
   * returns whether the participant looks elsewhere now.
   */
  looks(id: string): (tab: string | undefined) => boolean {
    const looks = this.#entries.get(id)?.looks ?? new Set<Look>();
    const look: Look = { tab: undefined };
    return (tab) => {
      const before = lookedAt(looks);
      look.tab = tab;
      looks.delete(look);
      if (tab !== undefined) looks.add(look);
      return lookedAt(looks) !== before;
    };
  }

  /** Raises the hand of a participant, or lowers it; false when nothing changes (AU5). */
  raiseHand(id: string, up: boolean, at: string): boolean {
    const entry = this.#entries.get(id);
    if (!entry || (entry.hand !== undefined) === up) return false;
    entry.hand = up ? at : undefined;
    return true;
  }

  /** Marks a participant who keeps acting without the lease; false when already marked. */
  flag(id: string): boolean {
    return this.#mark(id, true);
  }

  /** Removes the mark; false when there was none. */
  unflag(id: string): boolean {
    return this.#mark(id, false);
  }

  #mark(id: string, flagged: boolean): boolean {
    const entry = this.#entries.get(id);
    if (!entry || entry.flagged === flagged) return false;
    entry.flagged = flagged;
    return true;
  }

  /**
   * @param bound ids of participants who have a lease or get one back: an agent among them counts as online, however
   * long it is silent
   */
  views(bound: ReadonlySet<string> = new Set()): ParticipantView[] {
    return [...this.#entries.values()].map((entry) => {
      const online = this.#here(entry) || (entry.principal.kind === 'agent' && bound.has(entry.principal.id));
      const { principal, colour, hand, flagged } = entry;
      const grants = [...grantsIn(principal, this.session)];
      const watching = principal.kind === 'agent' ? this.#used.get(principal.id) : lookedAt(entry.looks);
      return {
        ...{ ...actorOf(principal), colour, online, grants, mayDrive: grants.includes('drive') },
        ...(principal.kind === 'guest' && { guest: true }),
        ...(watching !== undefined && { watching }),
        ...(hand !== undefined && { hand }),
        ...(flagged && { flagged: true }),
      };
    });
  }

  #here(entry: ParticipantEntry): boolean {
    return socketsOf(entry) > 0 || (entry.principal.kind === 'agent' && this.clock.now() - entry.seenAt < HERE_MS);
  }
}

/** The tab that the newest of these windows shows. */
function lookedAt(looks: ReadonlySet<Look>): string | undefined {
  return [...looks].at(-1)?.tab;
}

function socketsOf({ sockets }: ParticipantEntry): number {
  return [...sockets.values()].reduce((sum, { open }) => sum + open, 0);
}

/** Marks the credential as the one used last; returns its connection counter. */
function calls({ sockets }: ParticipantEntry, credential: Credential): Sockets {
  const name = credentialName(credential);
  const own = sockets.get(name) ?? { open: 0 };
  sockets.delete(name);
  sockets.set(name, own);
  const unused = [...sockets].filter(([other, { open }]) => open === 0 && other !== name);
  if (unused.length >= MOST_CREDENTIALS && unused[0]) sockets.delete(unused[0][0]);
  return own;
}

export function actorOf(principal: Principal): Actor & Holder {
  return { id: principal.id, name: principal.name, kind: actorKind(principal) };
}

/** The actor as action handlers receive it. */
export function writerOf({ id, name, kind }: Principal): {
  reader: string;
  actor: string;
  agent: ScriptOwner | undefined;
} {
  return { reader: id, actor: name, agent: kind === 'agent' ? { id, name } : undefined };
}
