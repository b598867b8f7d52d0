import { WheelhouseError } from '@/lib/errors/error';
import type { LogMessage } from '@/lib/messages/log-messages';
import { grantsIn, type Grant } from '@/lib/rights/grants';
import type { SessionAccess } from '@/lib/rights/rights';
import { IN_OPEN_SESSION, IN_SESSION, type SessionRole } from '@/lib/rights/roles';
import type { AccessChange } from '@/server/store/session-access';
import type { PeopleTables } from '@/server/store/store';
import type { Keys } from './keys';
import { logEntry } from './log';
import type { MemberPrincipal } from './principal';
import { demandLive } from './still-live';
import type { AccessParts } from './parts';

/** What a moderator changes of a session's access. */
export type WantedAccess = Pick<AccessChange, 'open' | 'watchOnly' | 'roles'>;

/** A person or key by id and name. */
interface Named {
  readonly id: string;
  readonly name: string;
  readonly kind: 'person' | 'key';
}

/** The access of a session with the names of those in it. */
export interface AccessView {
  readonly session: string;
  readonly open: SessionAccess['open'];
  readonly watchOnly: boolean;
  readonly owner: { readonly id: string; readonly name: string } | null;
  readonly roles: readonly (Omit<Named, 'id'> & { readonly who: string; readonly role: SessionRole })[];
  /** Whether the viewer may change it. */
  readonly mayChange: boolean;
  /** Whom the viewer may give a role: the people of the workspace, and the keys that the viewer knows. */
  readonly candidates?: readonly Named[];
}

/** The session that is meant; its name is for the log. */
interface AboutSession {
  readonly id: string;
  readonly name: string;
}

/** Who may enter which session, and what as (AU3). */
export class SessionAccesses {
  constructor(private readonly parts: AccessParts & { readonly keys: Keys }) {}

  async view(by: MemberPrincipal, session: string): Promise<AccessView> {
    const { open, watchOnly, owner, roles } = this.parts.rights.access(session) ?? missing(session);
    const all = await this.#named(by.workspace);
    const mayChange = this.moderates(by, session);
    const maker = all.find(({ id }) => id === owner);
    return {
      ...{ session, open, watchOnly, mayChange },
      owner: maker ? { id: maker.id, name: maker.name } : null,
      // The role of a person who has left the workspace does not count.
      roles: all.flatMap(({ id: who, name, kind }) => {
        const role = roles.get(who);
        return role ? [{ who, name, kind, role }] : [];
      }),
      ...(mayChange && { candidates: await this.#candidates(by, all) }),
    };
  }

  moderates(by: MemberPrincipal, session: string): boolean {
    return grantsIn(by, session).has('manage');
  }

  /** The people and keys of a workspace. */
  async #named(workspace: string): Promise<Named[]> {
    const { store, now } = this.parts;
    const [people, keys] = await Promise.all([store.people.members(workspace), store.apiKeys.list(workspace, now())]);
    return [
      ...people.map(({ id, name }) => ({ id, name, kind: 'person' as const })),
      ...keys.map(({ id, name }) => ({ id, name, kind: 'key' as const })),
    ];
  }

  async #candidates(by: MemberPrincipal, all: readonly Named[]): Promise<Named[]> {
    const keys = new Set((await this.parts.keys.list(by)).map(({ id }) => id));
    return all.filter(({ id, kind }) => kind === 'person' || keys.has(id));
  }

  /**
   * Changes who may enter a session; it holds from then on in what they have open. Throws NOT_FOUND for a person or key
   * that is not in the workspace, FORBIDDEN where a key would give more than it has.
   */
  async change(by: MemberPrincipal, session: AboutSession, wanted: WantedAccess): Promise<AccessView> {
    const { store, rights, now } = this.parts;
    const changed = await store.change(async (tables) => {
      await demandLive(tables, by, now());
      const before = (await tables.access.get(by.workspace, session.id)) ?? missing(session.id);
      const names = await this.#demandKnown(tables, by, wanted);
      demandWithin(by, before, wanted);
      const after = await tables.access.change(by.workspace, session.id, wanted, now());
      for (const said of messagesOf(before, wanted, names, session.name))
        await tables.log.append(by.workspace, logEntry(by, said, session));
      return after;
    });
    // A session may have ended in the meantime.
    if (changed && rights.access(session.id)) rights.apply({ kind: 'session', access: changed });
    return this.view(by, session.id);
  }

  /** The names of those who are given a role. Throws NOT_FOUND. */
  async #demandKnown(
    { people, apiKeys }: PeopleTables,
    { workspace }: MemberPrincipal,
    { roles = {} }: WantedAccess,
  ): Promise<ReadonlyMap<string, string>> {
    const names = new Map<string, string>();
    for (const [who, role] of Object.entries(roles)) {
      const found = (await people.get(workspace, who)) ?? (await apiKeys.get(workspace, who, this.parts.now()));
      if (!found && role !== null)
        throw new WheelhouseError('NOT_FOUND', `There is no person and no key "${who.slice(0, 100)}" here.`);
      names.set(who, found?.name ?? who.slice(0, 100));
    }
    return names;
  }
}

/**
 * Throws FORBIDDEN where a key would open a session further, or give a role that has more, than its own grants (AU2).
 */
function demandWithin(by: MemberPrincipal, before: SessionAccess, { open, watchOnly, roles = {} }: WantedAccess): void {
  if (by.kind === 'human') return;
  const own = grantsIn(by, before.session);
  const given: ReadonlySet<Grant>[] = Object.values(roles).flatMap((role) => (role === null ? [] : [IN_SESSION[role]]));
  const opens = open === 'workspace' && before.open === 'named';
  const lets = watchOnly === false && before.watchOnly;
  if (opens || lets) given.push(IN_OPEN_SESSION[(watchOnly ?? before.watchOnly) ? 'viewer' : 'member']);
  const beyond = given.flatMap((grants) => [...grants]).find((grant) => !own.has(grant));
  if (beyond)
    throw new WheelhouseError('FORBIDDEN', `A key cannot give others the grant "${beyond}" that it lacks itself.`, {
      details: { grant: beyond },
    });
}

/** What the log says of a change; nothing where it changes nothing. */
function messagesOf(
  before: SessionAccess,
  { open = before.open, watchOnly = before.watchOnly, roles = {} }: WantedAccess,
  names: ReadonlyMap<string, string>,
  session: string,
): LogMessage[] {
  const said: LogMessage[] = [];
  if (open !== before.open) said.push({ code: open === 'named' ? 'accessNamed' : 'accessOpened', session });
  if (watchOnly !== before.watchOnly)
    said.push({ code: watchOnly ? 'accessWatchOnly' : 'accessNotWatchOnly', session });
  for (const [who, role] of Object.entries(roles)) {
    const name = names.get(who) ?? who;
    if (role === (before.roles.get(who) ?? null)) continue;
    said.push(role ? { code: 'sessionRoleGiven', name, role, session } : { code: 'sessionRoleTaken', name, session });
  }
  return said;
}

function missing(session: string): never {
  throw new WheelhouseError('NOT_FOUND', { code: 'noSession', id: session.slice(0, 100) });
}
