import { BoundedMap } from '@/lib/async/bounded-map';
import type { Clock } from '@/lib/budget/clock';
import type { Holder } from '@/lib/control/lease';
import type { Actor, ParticipantView } from '@/lib/protocol/views';
import { grantsIn } from '@/server/access/grants';
import { credentialName, type Credential, type Principal } from '@/server/access/principal';
import type { ScriptOwner } from '@/server/cdp/evaluate/script-names';
import { Emitter } from '@/server/browser/emitter';

/** Connections by one key or sign-in. */
interface Sockets {
  open: number;
}

interface ParticipantEntry {
  /** As it called last. */
  principal: Principal;
  readonly colour: number;
  /** By key or sign-in, how many connections it has; the one that called last at the end. */
  readonly sockets: Map<string, Sockets>;
  watching: string | undefined;
  /** Went on acting without the wheel (F23). */
  flagged: boolean;
  /** When it last called, monotonic milliseconds. */
  seenAt: number;
}

/** An agent without a connection counts as here for so long after a call (CO10). Milliseconds. */
const HERE_MS = 60_000;
/** Participants that one session remembers. */
const MOST = 64;
/** Sign-ins of one person without a connection that are remembered. */
const MOST_CREDENTIALS = 16;

/** Who is in a session (AU5). An agent without a connection is one too, from its first call on (CO10). */
export class Participants {
  /** Somebody uses another tab than before. */
  readonly onUse = new Emitter<[]>();
  readonly #entries = new Map<string, ParticipantEntry>();
  /**
   * Tab that each of them last used: what `active` means for them (SE2). Those who were not heard of since the server
   * started are in it, too.
   */
  readonly #used = new BoundedMap<string, string>(MOST);
  #colours = 0;

  /** `used`: by participant, the tab that they last used in the last run. */
  constructor(
    private readonly session: string,
    private readonly clock: Clock,
    used: Readonly<Record<string, string>> = {},
  ) {
    for (const [id, tab] of Object.entries(used)) this.#used.set(id, tab);
  }

  /** Makes the principal a participant; true when it was not one before. */
  admit(principal: Principal): boolean {
    const known = this.#entries.get(principal.id);
    if (known) {
      known.seenAt = this.clock.now();
      known.principal = principal;
      calls(known, principal.credential);
      return false;
    }
    if (this.#entries.size >= MOST) this.#forgetOldest();
    this.#colours += 1;
    this.#entries.set(principal.id, {
      principal,
      colour: this.#colours,
      sockets: new Map([[credentialName(principal.credential), { open: 0 }]]),
      watching: undefined,
      flagged: false,
      seenAt: this.clock.now(),
    });
    return true;
  }

  /** An agent names itself (`X-Agent`), so names must not add up: the one that was not heard of for longest goes. */
  #forgetOldest(): void {
    const agents = [...this.#entries].filter(([, entry]) => socketsOf(entry) === 0 && entry.principal.kind === 'agent');
    const [oldest] = agents.sort(([, a], [, b]) => a.seenAt - b.seenAt);
    if (oldest) this.#entries.delete(oldest[0]);
  }

  /** One more connection of this participant; the returned function takes it away and says how many are left. */
  connect(principal: Principal): () => number {
    this.admit(principal);
    const entry = this.#entries.get(principal.id);
    if (!entry) return () => 0;
    const sockets = calls(entry, principal.credential);
    sockets.open += 1;
    return () => {
      // Of what it was counted in: a late call may have made another under the same name after the credential ended.
      sockets.open -= 1;
      return socketsOf(entry);
    };
  }

  /**
   * A key or sign-in has ended. Gives those who came by it and are here by nothing else: not by another window with a
   * sign-in of its own, nor by one that called since. An agent of it is forgotten.
   */
  ended(credential: Credential): string[] {
    const name = credentialName(credential);
    const theirs = [...this.#entries.values()].filter(({ sockets }) => sockets.has(name));
    const gone = theirs.filter((entry) => {
      const calledLast = [...entry.sockets.keys()].at(-1) === name;
      entry.sockets.delete(name);
      return calledLast && socketsOf(entry) === 0;
    });
    for (const { principal } of gone) if (principal.kind === 'agent') this.#entries.delete(principal.id);
    return gone.map(({ principal }) => principal.id);
  }

  online(id: string): boolean {
    const entry = this.#entries.get(id);
    return entry !== undefined && socketsOf(entry) > 0;
  }

  /** Those called so, by id or by name, who are here and may drive. */
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

  /** By participant, the tab that they last used. */
  get used(): Record<string, string> {
    return Object.fromEntries(this.#used);
  }

  watch(id: string, tab: string | undefined): void {
    const entry = this.#entries.get(id);
    if (entry) entry.watching = tab;
  }

  /** Marks one that goes on acting without the wheel; false when it was marked before. */
  flag(id: string): boolean {
    return this.#mark(id, true);
  }

  /** False when it was not marked. */
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
   * @param bound ids of those who have a wheel or wait to get one back: an agent among them is here, however long it
   * says nothing
   */
  views(bound: ReadonlySet<string> = new Set()): ParticipantView[] {
    return [...this.#entries.values()].map((entry) => {
      const online = this.#here(entry) || (entry.principal.kind === 'agent' && bound.has(entry.principal.id));
      const base = {
        ...actorOf(entry.principal),
        colour: entry.colour,
        online,
        grants: [...grantsIn(entry.principal, this.session)],
        ...(entry.flagged && { flagged: true }),
      };
      return entry.watching === undefined ? base : { ...base, watching: entry.watching };
    });
  }

  #here(entry: ParticipantEntry): boolean {
    return socketsOf(entry) > 0 || (entry.principal.kind === 'agent' && this.clock.now() - entry.seenAt < HERE_MS);
  }
}

function socketsOf({ sockets }: ParticipantEntry): number {
  return [...sockets.values()].reduce((sum, { open }) => sum + open, 0);
}

/** That credential is now the one that called last. Gives its connections. */
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
  return { id: principal.id, name: principal.name, kind: principal.kind };
}

/** Who acts, as the handlers of actions know them. */
export function writerOf({ id, name, kind }: Principal): {
  reader: string;
  actor: string;
  agent: ScriptOwner | undefined;
} {
  return { reader: id, actor: name, agent: kind === 'agent' ? { id, name } : undefined };
}
