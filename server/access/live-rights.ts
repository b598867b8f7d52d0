import type { Grant, Rights, Withheld } from '@/lib/rights/grants';
import { rightsOf, type KeyFacts, type PersonFacts, type SessionAccess, type WhoFacts } from '@/lib/rights/rights';
import type { Role } from '@/lib/rights/roles';
import type { SignIn } from '@/server/store/credentials';
import type { Store } from '@/server/store/store';
import { tellAll, type Fault } from './listeners';
import type { GuestPrincipal, Principal } from './principal';

/** A change of who may what. Without a role, the person is no member of the workspace any more. */
export type RightsChange =
  | {
      readonly kind: 'member';
      readonly workspace: string;
      readonly person: string;
      readonly role: Role | undefined;
    }
  | { readonly kind: 'session'; readonly access: SessionAccess }
  | { readonly kind: 'session-ended'; readonly session: string }
  /** Whether the workspace requires a second factor of its members. */
  | { readonly kind: 'workspace'; readonly workspace: string; readonly secondFactor: boolean }
  /** Whether a sign-in counts with a second factor. */
  | { readonly kind: 'sign-in'; readonly signIn: string; readonly person: string; readonly counts: boolean }
  /** Without a reach, the link has ended. */
  | { readonly kind: 'link'; readonly session: string; readonly id: string; readonly reach: LinkReach | undefined };

/** What a key was made with. A change of it ends the key's connections, so it holds as long as its principal. */
export type KeyReach = Omit<KeyFacts, 'kind' | 'owner'>;

/** What a share link was made with, and by whom; it has never more than they have at this moment. */
export interface LinkReach {
  readonly grants: Iterable<Grant>;
  /** The person who made it, or whose key did. */
  readonly by: string;
  readonly key: KeyReach | undefined;
}

const NONE: Rights = { server: false, workspace: new Set(), sessions: undefined, named: new Map() };
const SECOND_FACTOR_NEEDED: Rights = { ...NONE, withheld: 'SECOND_FACTOR_NEEDED' };

/**
 * The present rights of people and keys, in memory, because one server owns the data directory (R3). The rights that a
 * principal carries ask here at each question, so a change holds from then on in open connections and running calls.
 */
export class LiveRights {
  /** By workspace, then by person. */
  readonly #roles = new Map<string, Map<string, Role>>();
  /** Of sessions that have not ended. One that is not here is open to its workspace. */
  readonly #sessions = new Map<string, SessionAccess>();
  /** Of share links that have not ended. */
  readonly #links = new Map<string, LinkReach>();
  readonly #listeners = new Set<(change: RightsChange) => void>();
  /** Workspaces that require a second factor. */
  readonly #strict = new Set<string>();
  /** Sign-ins that count with one. */
  readonly #counting = new Set<string>();
  /** What was worked out since the last change, by who asks. */
  readonly #known = new Map<string, Rights>();

  /** @param serverOwner the person who owns the server */
  private constructor(
    private readonly serverOwner: string,
    private readonly fault: Fault | undefined,
  ) {}

  /**
   * The rights as the store has them.
   *
   * @param fault receives what a listener throws
   */
  static async load(
    store: Pick<Store, 'people' | 'access' | 'signIns'>,
    serverOwner: string,
    now: Date,
    fault?: Fault,
  ): Promise<LiveRights> {
    const rights = new LiveRights(serverOwner, fault);
    for (const workspace of await store.people.workspaces()) {
      const policy = (await store.people.workspace(workspace))?.policy;
      rights.#set({ kind: 'workspace', workspace, secondFactor: policy?.secondFactor === true });
    }
    for (const signIn of await store.signIns.live(now)) rights.signedIn(signIn);
    for (const membership of await store.people.memberships()) rights.#set({ kind: 'member', ...membership });
    for (const access of await store.access.open()) rights.#set({ kind: 'session', access });
    return rights;
  }

  /**
   * The live rights of a person in a workspace, by one of their sign-ins: none at all while they are no member, or
   * while the workspace requires a second factor and the sign-in does not count with one.
   */
  ofPerson(workspace: string, person: string, signIn: string): Rights {
    const name = JSON.stringify([workspace, person]);
    return live(() =>
      this.#isWithheld(workspace, person, signIn)
        ? SECOND_FACTOR_NEEDED
        : this.#present(workspace, name, () => this.#facts(workspace, person)),
    );
  }

  /** The live rights of a key: never more than those of the person it belongs to (AU2). */
  ofKey(workspace: string, person: string, reach: KeyReach): Rights {
    const { id, grants, scope, sessions } = reach;
    const name = JSON.stringify([workspace, person, id, [...grants], scope, sessions]);
    return live(() =>
      this.#present(workspace, name, () => {
        const owner = this.#facts(workspace, person);
        return owner && { kind: 'key', id, grants, scope, sessions, owner };
      }),
    );
  }

  /** The live rights of a share link: in one session, and none at all once it has ended (AU4). */
  ofLink(workspace: string, session: string, id: string): Rights {
    return live(() =>
      this.#present(workspace, JSON.stringify(['link', id]), () => {
        const reach = this.#links.get(id);
        const owner = reach && this.#facts(workspace, reach.by);
        const maker = owner && reach?.key ? { kind: 'key' as const, ...reach.key, owner } : owner;
        return reach && maker && { kind: 'link', id, session, grants: reach.grants, maker };
      }),
    );
  }

  roleOf(workspace: string, person: string): Role | undefined {
    return this.#roles.get(workspace)?.get(person);
  }

  /** Whether a sign-in counts with a second factor. */
  counts(signIn: string): boolean {
    return this.#counting.has(signIn);
  }

  /** Whether the workspace requires a second factor, and the sign-in does not count with one. */
  withholds(workspace: string, signIn: string): boolean {
    return this.#strict.has(workspace) && !this.#counting.has(signIn);
  }

  /**
   * Adds a sign-in. That of the server's owner by the link counts with a second factor: the link proves that they can
   * read the data directory, and without it an owner could be locked out of their own server.
   */
  signedIn(signIn: SignIn): void {
    if (this.proves(signIn)) this.#counting.add(signIn.id);
  }

  /** Whether a sign-in counts with a second factor, by what the store says of it. */
  proves({ person, factor, secondFactor }: Pick<SignIn, 'person' | 'factor' | 'secondFactor'>): boolean {
    return secondFactor !== undefined || (factor === 'link' && person === this.serverOwner);
  }

  /** Forgets a sign-in. Call it after its end. */
  signInEnded(id: string): void {
    this.#counting.delete(id);
  }

  /** Forgets a workspace that has ended. */
  workspaceEnded(id: string): void {
    this.#known.clear();
    this.#roles.delete(id);
    this.#strict.delete(id);
  }

  /** Forgets the sign-ins that have expired. Called once an hour. */
  async prune({ signIns }: Pick<Store, 'signIns'>, now: Date): Promise<void> {
    // Only those of before the question: one that is added meanwhile may not be in the answer.
    const before = [...this.#counting];
    const live = new Set((await signIns.live(now)).map(({ id }) => id));
    for (const id of before) if (!live.has(id)) this.#counting.delete(id);
  }

  /** How many sign-ins and workspaces are remembered. */
  get remembered(): number {
    return this.#counting.size + this.#strict.size + this.#roles.size;
  }

  /** The access of a session that has not ended. */
  access(session: string): SessionAccess | undefined {
    return this.#sessions.get(session);
  }

  /** A session is there. One of an earlier run keeps the access that the store has of it. */
  began(access: SessionAccess): void {
    if (!this.#sessions.has(access.session)) this.apply({ kind: 'session', access });
  }

  /** Makes a change hold and tells the listeners. Call it right after the commit. */
  apply(change: RightsChange): void {
    this.#set(change);
    tellAll(this.#listeners, change, this.fault);
  }

  /** The listener is called after each change. Returns a function that removes it. */
  onChange(listener: (change: RightsChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #set(change: RightsChange): void {
    if (change.kind !== 'sign-in') this.#known.clear();
    switch (change.kind) {
      case 'member':
        this.#setRole(change.workspace, change.person, change.role);
        return;
      case 'session':
        this.#sessions.set(change.access.session, change.access);
        return;
      case 'session-ended':
        this.#sessions.delete(change.session);
        return;
      case 'workspace':
        include(this.#strict, change.workspace, change.secondFactor);
        return;
      case 'sign-in':
        include(this.#counting, change.signIn, change.counts);
        return;
      case 'link':
        if (change.reach) this.#links.set(change.id, change.reach);
        else this.#links.delete(change.id);
    }
  }

  #isWithheld(workspace: string, person: string, signIn: string): boolean {
    return this.withholds(workspace, signIn) && this.roleOf(workspace, person) !== undefined;
  }

  #setRole(workspace: string, person: string, role: Role | undefined): void {
    const roles = this.#roles.get(workspace) ?? new Map<string, Role>();
    if (role === undefined) roles.delete(person);
    else roles.set(person, role);
    this.#roles.set(workspace, roles);
  }

  #facts(workspace: string, person: string): PersonFacts | undefined {
    const role = this.roleOf(workspace, person);
    return role && { kind: 'person', id: person, role, server: person === this.serverOwner };
  }

  /** What was worked out at the first question after the last change. */
  #present(workspace: string, name: string, who: () => WhoFacts | undefined): Rights {
    const known = this.#known.get(name);
    if (known) return known;
    const facts = who();
    const rights = facts ? rightsOf(facts, this.#in(workspace)) : NONE;
    this.#known.set(name, rights);
    return rights;
  }

  #in(workspace: string): SessionAccess[] {
    return [...this.#sessions.values()].filter((access) => access.workspace === workspace);
  }
}

/** Whether a change can touch the rights of a principal; the end of a session is told by the session itself. */
export function concerns(
  change: RightsChange,
  who: Pick<Principal, 'workspace' | 'credential'> & Partial<Pick<GuestPrincipal, 'link'>>,
): boolean {
  switch (change.kind) {
    case 'member':
    case 'workspace':
      return change.workspace === who.workspace;
    case 'session':
      return change.access.workspace === who.workspace;
    case 'sign-in':
      return who.credential.kind === 'cookie' && who.credential.id === change.signIn;
    case 'link':
      return who.link?.id === change.id;
    case 'session-ended':
      return false;
  }
}

/** Rights that ask anew at each question. */
function live(present: () => Rights): Rights {
  return {
    get withheld(): Withheld | undefined {
      return present().withheld;
    },
    get server() {
      return present().server === true;
    },
    get workspace() {
      return present().workspace;
    },
    get sessions() {
      return present().sessions;
    },
    get named() {
      return present().named;
    },
  };
}

function include<T>(set: Set<T>, one: T, isIn: boolean): void {
  if (isIn) set.add(one);
  else set.delete(one);
}
