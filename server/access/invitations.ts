import { WheelhouseError } from '@/lib/errors/error';
import type { LogMessage } from '@/lib/messages/log-messages';
import type { MailState } from '@/server/mail/mail';
import { KEY_GRANTS } from '@/lib/rights/grants';
import { IN_WORKSPACE, mayAppoint, type Role } from '@/lib/rights/roles';
import type { Invitation } from '@/server/store/invitations';
import type { NewLogRow } from '@/server/store/workspace-log';
import type { Person } from '@/server/store/people';
import type { PeopleTables } from '@/server/store/store';
import { CAPS } from './limits';
import { keyReach, PRESET_ID } from './key-views';
import { logEntry } from './log';
import { invitationMail } from './mail-texts';
import type { Asker } from './principal';
import { demandLive } from './still-live';
import { hashToken, randomToken } from './tokens';
import type { AccessParts } from './parts';

/** How long an invitation can be used where its maker does not say, milliseconds. */
const LIFE_MS = 7 * 86_400_000;

/** What an invitation offers to the person who has its link. */
interface Offer {
  readonly role: Role;
  /** The name of the workspace. */
  readonly workspace: string;
  readonly workspaceId: string;
  readonly email: string | undefined;
  readonly expiresAt: string;
}

/** A key of a person that invites with a role. */
interface KeyInviter {
  readonly id: string;
  readonly workspace: string;
  readonly person: string;
  readonly role: Role;
}

/** The key in WHEELHOUSE_API_KEY; at a start without it, its invitations end. */
const PRESET = {
  id: PRESET_ID,
  grants: KEY_GRANTS,
  scope: 'workspace',
  sessions: [],
  expiresAt: null,
  rotatedAt: null,
} as const;

/** Who takes an invitation. `address`: where the request comes from. */
interface Newcomer {
  readonly name: string;
  /** Default: the address of the invitation, but not of a newcomer who comes by a provider: that says which it is. */
  readonly email?: string | undefined;
  readonly passwordHash?: string | undefined;
  /** Who they are at the provider, which has verified `email`. */
  readonly provider?: string | undefined;
  readonly address?: string | undefined;
}

/** A newcomer with the role in their first workspace. */
type Joined = Person & { readonly role: Role };

/** Invitations into a workspace: a link that one person uses once, of which only a hash is stored (AU2). */
export class Invitations {
  constructor(private readonly parts: AccessParts) {}

  /**
   * Makes an invitation; only this call returns its link, which is sent by mail as well where it can be. Throws
   * FORBIDDEN for a role that the inviter may not give, CONFLICT when a member has that address, QUOTA when too many
   * are open. That of a key ends with the key, and with its text.
   */
  async create(
    by: Asker,
    { role, email, lifeMs = LIFE_MS }: { role: Role; email?: string | undefined; lifeMs?: number | undefined },
  ): Promise<{ invitation: Invitation; url: string }> {
    const { store, sites, now, mail } = this.parts;
    const token = randomToken();
    const time = now();
    const invitation = await store.change(async (tables) => {
      await demandLive(tables, by, time);
      await this.#demandAppoint(tables, by, undefined, role);
      const open = await this.#list(tables, by.workspace);
      if (open.length >= CAPS.invitationsPerWorkspace) throw tooMany(open.length);
      const known = email === undefined ? undefined : await tables.people.byEmail(email);
      if (known && (await tables.people.get(by.workspace, known.id))) throw memberAlready();
      const expiresAt = new Date(time.getTime() + lifeMs);
      const made = { workspace: by.workspace, hash: hashToken(token), role, email, ...makerOf(by), expiresAt };
      const invitation = await tables.invitations.add(made, time);
      await tables.log.append(by.workspace, madeEntry(by, invitation));
      return invitation;
    });
    // The fragment of an address is sent to no server, and stands in no log.
    const url = `${sites()[0]?.origin ?? ''}/invitation#${token}`;
    if (mail && email !== undefined) mail.send(invitation.id, { to: email, ...(await this.#textOf(invitation, url)) });
    return { invitation, url };
  }

  /** Whether the link was sent by mail. */
  mailOf({ id }: Invitation): MailState | 'none' {
    return this.parts.mail?.stateOf(id) ?? 'none';
  }

  async #textOf({ workspace, by, role, expiresAt }: Invitation, url: string) {
    const { people } = this.parts.store;
    const [place, person] = await Promise.all([people.workspace(workspace), people.find(by)]);
    return invitationMail({ workspace: place?.name ?? '', by: person?.name ?? '', role, url, expiresAt });
  }

  /** The invitations that can still be used, oldest first. */
  list(workspace: string): Promise<Invitation[]> {
    return this.#list(this.parts.store, workspace);
  }

  async #list(tables: PeopleTables, workspace: string): Promise<Invitation[]> {
    const open: Invitation[] = [];
    for (const one of await tables.invitations.list(workspace, this.parts.now()))
      if (await this.#counts(tables, one)) open.push(one);
    return open;
  }

  /** Whether the maker of an invitation may still give its role. */
  async #counts(tables: PeopleTables, { workspace, by, byKey, role, createdAt }: Invitation): Promise<boolean> {
    const maker = await tables.people.get(workspace, by);
    if (!maker || !mayAppoint(maker.role, undefined, role)) return false;
    return byKey === undefined || (await this.#isByKey(tables, { id: byKey, workspace, person: by, role }, createdAt));
  }

  /**
   * Whether a key may invite with this role: into all sessions of the workspace, for as long as the workspace lasts, so
   * only with a key that sees them all and does not end, and never with more than the key has. `since`: it has the same
   * text as then.
   */
  async #isByKey(
    { apiKeys }: PeopleTables,
    { id, workspace, person, role }: KeyInviter,
    since?: string,
  ): Promise<boolean> {
    const { rights, now } = this.parts;
    const key = id === PRESET_ID ? PRESET : await apiKeys.get(workspace, id, now());
    if (key?.scope !== 'workspace' || key.expiresAt !== null) return false;
    if (since !== undefined && key.rotatedAt !== null && key.rotatedAt >= since) return false;
    const { workspace: has } = rights.ofKey(workspace, person, keyReach(key));
    return [...IN_WORKSPACE[role]].every((grant) => has.has(grant));
  }

  /** @param from the role before; undefined: none. @param to the role after; undefined: none */
  async #demandAppoint(tables: PeopleTables, by: Asker, from: Role | undefined, to: Role | undefined): Promise<void> {
    const { person, workspace } = by;
    const role = (await tables.people.get(workspace, person))?.role;
    if (role === undefined || !mayAppoint(role, from, to)) throw notYours();
    if (by.kind === 'human' || to === undefined) return;
    const { byKey: id } = makerOf(by);
    if (id === undefined || !(await this.#isByKey(tables, { id, workspace, person, role: to }))) throw notYours();
  }

  async #openOne(tables: PeopleTables, workspace: string, id: string): Promise<Invitation> {
    return (await this.#list(tables, workspace)).find((one) => one.id === id) ?? missing(id);
  }

  /** The invitation with this secret. Throws NOT_FOUND when it cannot be used any more. */
  async #found(tables: PeopleTables, hash: string): Promise<Invitation> {
    const found = await tables.invitations.find(hash, this.parts.now());
    return found && (await this.#counts(tables, found)) ? found : over();
  }

  /** Throws NOT_FOUND for one that cannot be used any more, FORBIDDEN for a role that the inviter may not give. */
  change(by: Asker, id: string, { role, lifeMs }: { role?: Role | undefined; lifeMs?: number | undefined }) {
    const { store, now } = this.parts;
    const time = now();
    const expiresAt = lifeMs === undefined ? undefined : new Date(time.getTime() + lifeMs);
    return store.change(async (tables) => {
      await demandLive(tables, by, time);
      const { role: before } = await this.#openOne(tables, by.workspace, id);
      await this.#demandAppoint(tables, by, before, role ?? before);
      const changed = (await tables.invitations.change(by.workspace, id, { role, expiresAt }, time)) ?? missing(id);
      const said = { code: 'invitationChanged', role: changed.role } as const;
      await tables.log.append(by.workspace, logEntry(by, said, aboutOf(changed)));
      return changed;
    });
  }

  /** Ends an invitation at once. Throws as `change`. */
  revoke(by: Asker, id: string): Promise<void> {
    const { store, now } = this.parts;
    const time = now();
    return store.change(async (tables) => {
      await demandLive(tables, by, time);
      const ended = await this.#openOne(tables, by.workspace, id);
      await this.#demandAppoint(tables, by, ended.role, undefined);
      await tables.invitations.revoke(by.workspace, id, time);
      const said = { code: 'invitationRevoked', role: ended.role } as const;
      await tables.log.append(by.workspace, logEntry(by, said, aboutOf(ended)));
    });
  }

  /** What the invitation with this secret offers. Throws NOT_FOUND when it cannot be used any more. */
  async open(token: string): Promise<Offer> {
    const { store } = this.parts;
    const { workspace, role, email, expiresAt } = await this.#found(store, hashToken(token));
    const { name } = (await store.people.workspace(workspace)) ?? over();
    return { role, workspace: name, workspaceId: workspace, email, expiresAt };
  }

  /**
   * Makes the account of a newcomer, whose first workspace is that of the invitation, and uses the invitation up, in
   * one commit. Throws NOT_FOUND when it cannot be used any more, FORBIDDEN when it is for another address, CONFLICT
   * when the address has an account.
   */
  async addNewcomer(token: string, newcomer: Newcomer): Promise<Person> {
    const { store, rights } = this.parts;
    const joined = await store.change((tables) => this.addNewcomerIn(tables, token, newcomer));
    const { id, workspace, role } = joined;
    rights.apply({ kind: 'member', workspace, person: id, role });
    return joined;
  }

  /** The same in a commit of the caller's, who tells `LiveRights` of the membership afterwards. */
  async addNewcomerIn(tables: PeopleTables, token: string, newcomer: Newcomer): Promise<Joined> {
    const [hash, time] = [hashToken(token), this.parts.now()];
    const { workspace, role, email: invited } = await this.#found(tables, hash);
    const email = newcomer.email ?? (newcomer.provider === undefined ? invited : undefined);
    demandAddress(invited, email);
    const person = await tables.people.add({ workspace, name: newcomer.name, email, role }, time);
    await addCredentials(tables, person, newcomer, time);
    const used = (await tables.invitations.use(hash, person.id, time)) ?? over();
    await tables.log.append(workspace, joinedEntry(person, used, newcomer.address));
    return { ...person, role };
  }

  /**
   * The same for a person who has an account. `email`: an address that they have just proved to be theirs. Throws
   * CONFLICT for a member, whose invitation stays unused.
   */
  async addMember(
    token: string,
    person: string,
    { address, email: verified }: { readonly address?: string; readonly email?: string | undefined } = {},
  ): Promise<Invitation> {
    const { store, rights, now } = this.parts;
    const [hash, time] = [hashToken(token), now()];
    const used = await store.change(async (tables) => {
      const { invitations, people, signIns, log } = tables;
      const { workspace, role, email } = await this.#found(tables, hash);
      const own = (await people.find(person)) ?? over();
      demandAddress(email, verified ?? own.email);
      if (await people.get(workspace, person)) throw memberAlready();
      await people.setRole(workspace, person, role, time);
      // See `Workspaces.change`: the new workspace may require more of who makes such a link.
      if ((await people.workspace(workspace))?.policy.secondFactor === true)
        await signIns.endGivenLinks([person], time);
      const used = (await invitations.use(hash, person, time)) ?? over();
      await log.append(workspace, joinedEntry(own, used, address));
      return used;
    });
    rights.apply({ kind: 'member', workspace: used.workspace, person, role: used.role });
    return used;
  }
}

function madeEntry(by: Asker, made: Invitation): NewLogRow {
  const { role, email } = made;
  const said: LogMessage =
    email === undefined ? { code: 'invitationMade', role } : { code: 'invitationMadeFor', role, email };
  return logEntry(by, said, aboutOf(made));
}

function joinedEntry({ id, name }: Person, used: Invitation, address: string | undefined): NewLogRow {
  const said = { code: 'memberJoined', role: used.role, factor: 'invitation' } as const;
  return logEntry({ id, name, kind: 'human', address }, said, aboutOf(used));
}

/** An invitation has no name but the address it is for. */
function aboutOf({ id, email }: Invitation): { id: string; name: string } {
  return { id, name: email ?? '' };
}

function notYours(): WheelhouseError {
  return new WheelhouseError(
    'FORBIDDEN',
    'Only owners invite owners, only admins and owners invite others, and keys only those who get no more than the key.',
    {
      hint: 'Ask an owner of the workspace. A key that invites sees all sessions of the workspace, and does not expire.',
    },
  );
}

/** The person of an invitation, and the key by which they make it. */
function makerOf({ person, credential }: Asker): Pick<Invitation, 'by' | 'byKey'> {
  return { by: person, byKey: credential?.kind === 'key' ? credential.id : undefined };
}

async function addCredentials(
  { accounts, people }: PeopleTables,
  { id, email }: Person,
  { passwordHash, provider }: Newcomer,
  now: Date,
): Promise<void> {
  if (passwordHash !== undefined) await accounts.setPassword(id, passwordHash, now);
  if (provider === undefined) return;
  await accounts.addProvider(id, provider, now);
  if (email !== undefined) await people.verifyEmail(id, email, now);
}

/** Throws FORBIDDEN when an invitation for an address is used with another one. */
export function demandAddress(invited: string | undefined, email: string | undefined): void {
  if (invited !== undefined && invited !== email?.toLowerCase())
    throw new WheelhouseError('FORBIDDEN', 'This invitation is for another address.', {
      hint: 'Use the address that it was sent to, or ask for an invitation to yours.',
    });
}

function missing(id: string): never {
  throw new WheelhouseError('NOT_FOUND', `There is no open invitation "${id}".`);
}

/** The same answer for unknown, used, expired and ended invitations. */
function over(): never {
  throw new WheelhouseError('NOT_FOUND', 'This invitation was used already, has ended, or does not exist.', {
    hint: 'Ask the person who invited you for a new one.',
  });
}

function memberAlready(): WheelhouseError {
  return new WheelhouseError('CONFLICT', 'This person is a member of the workspace already.');
}

function tooMany(inUse: number): WheelhouseError {
  return new WheelhouseError('QUOTA', `There are ${inUse} open invitations already.`, {
    hint: 'End one first.',
    details: { limit: CAPS.invitationsPerWorkspace },
  });
}
