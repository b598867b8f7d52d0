import { WheelhouseError } from '@/lib/errors/error';
import type { LogMessage } from '@/lib/messages/log-messages';
import { everywhere, GRANTS, grantsIn, KEY_GRANTS, type Grant, type Rights } from '@/lib/rights/grants';
import { grantBeyond } from '@/lib/rights/within';
import type { Secret } from '@/server/config/secret';
import type { ApiKey } from '@/server/store/api-keys';
import type { Person } from '@/server/store/people';
import type { PeopleTables } from '@/server/store/store';
import type { NewLogRow } from '@/server/store/workspace-log';
import { addressKey } from './address-key';
import { agentName, type RequestFacts } from './credential';
import {
  keyReach,
  PRESET_ID,
  presetView,
  scopeOf,
  shownName,
  viewOf,
  type KeySessions,
  type KeyView,
} from './key-views';
import { LastUses, noted } from './last-uses';
import { CAPS } from './limits';
import { logEntry, serverEntry } from './log';
import { demandLive } from './still-live';
import { participantId, type AgentPrincipal, type Asker, type Credential } from './principal';
import { hashToken, randomToken, sameHash } from './tokens';
import type { AccessParts } from './parts';

/** The credential of the key in WHEELHOUSE_API_KEY. */
const PRESET_KEY: Credential = { kind: 'key', id: PRESET_ID };
const PREFIX = 'wh_';

/** The server's owner as the maker of a key, where the server itself makes it. */
export function byOwner({ id, workspace }: Pick<Person, 'id' | 'workspace'>): Asker {
  return { kind: 'human', rights: everywhere(GRANTS), person: id, workspace, expiresAt: undefined };
}

export interface KeyRequest {
  readonly name: string;
  readonly grants: readonly Grant[];
  readonly sessions: KeySessions;
  /** Seconds; undefined or null: until it is revoked. */
  readonly expiresIn?: number | null | undefined;
}

type Reach = Pick<ApiKey, 'id' | 'workspace' | 'person' | 'grants' | 'scope' | 'sessions' | 'expiresAt'>;

/**
 * Keys of agents (AU2): shown once, stored as SHA-256, revocable at once. A key belongs to the person who made it, or
 * whose key made it; it has no more rights than its maker, and ends with the key that made it. The preset key is never
 * stored.
 */
export class Keys {
  readonly #parts: AccessParts;
  readonly #presetHash: string | undefined;
  readonly #lastUses = new LastUses();

  /** @param preset the text of the preset key */
  constructor(parts: AccessParts, preset: Secret | undefined) {
    this.#parts = parts;
    this.#presetHash = preset && hashToken(preset.reveal());
  }

  /**
   * Makes a key that neither has nor sees more than its maker, and does not outlive a key that makes it. Throws
   * FORBIDDEN naming the grant, NOT_FOUND for a session, or QUOTA. Only this call returns the text.
   */
  async create(by: Asker, { name, grants, sessions, expiresIn }: KeyRequest): Promise<{ key: KeyView; text: string }> {
    const { store, now } = this.#parts;
    demandGrants(by, grants);
    this.#demandSessions(by, sessions);
    const text = newText();
    const expiresAt = this.#endOf(by, expiresIn);
    const madeBy = by.credential?.kind === 'key' ? by.credential.id : undefined;
    const row = {
      ...{ person: by.person, madeBy, name, hash: hashToken(text), hint: text.slice(-4) },
      ...{ grants: [...new Set(grants)], ...scopeOf(sessions), expiresAt },
    };
    const reach = { ...row, id: '', workspace: by.workspace, expiresAt: expiresAt?.toISOString() ?? null };
    this.#demandWithin(by, reach);
    const key = await store.change(async (tables) => {
      await demandLive(tables, by, now());
      const key = await tables.apiKeys.add(by.workspace, row, CAPS.keysPerPerson, now());
      if (key) await tables.log.append(by.workspace, rightsEntry(by, 'keyMade', key));
      return key;
    });
    if (!key)
      throw new WheelhouseError('QUOTA', `There are ${CAPS.keysPerPerson} keys already.`, {
        hint: 'Revoke one first.',
        details: { limit: CAPS.keysPerPerson },
      });
    return { key: viewOf(key), text };
  }

  /** The keys of a person, with `manage` those of the workspace; to an agent only those that are not beyond its own. */
  async list(by: Asker): Promise<KeyView[]> {
    const { store, now, owner } = this.#parts;
    const all = await store.apiKeys.list(by.workspace, now());
    const keys = all.filter((key) => this.#knows(by, key)).map(viewOf);
    const preset =
      this.#presetHash !== undefined && by.workspace === owner.workspace && by.rights.workspace.has('manage');
    return preset ? [presetView(owner.id), ...keys] : keys;
  }

  /**
   * Changes a key to what the caller could have made. Its connections end, unless only the name changes, and come back
   * with the new rights. Throws what `create` throws, NOT_FOUND, CONFLICT for the preset key and when somebody else
   * changed the key meanwhile, or FORBIDDEN when the key of somebody else would get more.
   */
  async change(by: Asker, id: string, wanted: Partial<KeyRequest>): Promise<KeyView> {
    const { store, now } = this.#parts;
    const key = await this.#found(by, id);
    const { name, grants, sessions, expiresIn } = wanted;
    demandGrants(by, grants ?? []);
    this.#demandSessions(by, sessions ?? []);
    const expiresAt = expiresIn === undefined ? undefined : (this.#endOf(by, expiresIn) ?? null);
    const end = expiresAt === undefined ? key.expiresAt : (expiresAt?.toISOString() ?? null);
    const moves = grants !== undefined || sessions !== undefined || expiresAt !== undefined;
    const reach = {
      grants: [...new Set(grants ?? key.grants)],
      ...(sessions === undefined ? { scope: key.scope, sessions: key.sessions } : scopeOf(sessions)),
    };
    this.#demandWithin(by, { ...key, ...reach, expiresAt: end });
    if (isWider({ ...reach, expiresAt: end }, key)) demandOwnKey(by, key);
    const { changed, ended } = await store.change(async (tables) => {
      await demandLive(tables, by, now());
      const present = (await tables.apiKeys.get(by.workspace, id, now())) ?? missing(id);
      if (present.rev !== key.rev) throw changedMeanwhile(key);
      const columns = { name, ...(moves && { ...reach, expiresAt }) };
      const changed = (await tables.apiKeys.change(by.workspace, id, columns, now())) ?? missing(id);
      await tables.log.append(by.workspace, rightsEntry(by, 'keyChanged', changed));
      return { changed, ended: await this.#ending(tables, by, () => this.#endBeyond(tables, changed)) };
    });
    this.#bump(moves ? [id, ...ended] : ended);
    return viewOf(changed);
  }

  /**
   * Gives a key a new text and at once ends the old one, with its sockets and calls, and the keys that it made:
   * somebody else who had the text may have made them. Throws NOT_FOUND, FORBIDDEN for the key of somebody else, or
   * CONFLICT for the preset one. Only this call returns the text.
   */
  async rotate(by: Asker, id: string): Promise<{ key: KeyView; text: string }> {
    const { store, now } = this.#parts;
    const key = await this.#found(by, id);
    this.#demandWithin(by, key);
    demandOwnKey(by, key);
    const text = newText();
    const renewed = { hash: hashToken(text), hint: text.slice(-4) };
    const ended = await store.change(async (tables) => {
      await demandLive(tables, by, now());
      if (!(await tables.apiKeys.rotate(by.workspace, id, renewed, now()))) throw noKey(id);
      await tables.log.append(by.workspace, entryOf(by, { code: 'keyRotated', name: key.name }, key));
      return this.#ending(tables, by, () => tables.apiKeys.revokeMadeBy([id], now()));
    });
    this.#bump([id, ...ended]);
    return { key: viewOf(await this.#found(by, id)), text };
  }

  /**
   * Revokes a key and the keys that it made, and at once ends their sockets and calls. Throws NOT_FOUND, or CONFLICT
   * for the preset one.
   */
  async revoke(by: Asker, id: string): Promise<void> {
    const { store, now } = this.#parts;
    await this.#found(by, id);
    const ended = await store.change((tables) =>
      this.#ending(tables, by, () => tables.apiKeys.revoke(by.workspace, id, now())),
    );
    if (ended.length === 0) throw noKey(id);
    this.#bump(ended);
  }

  /**
   * At a start without a preset key, before anybody calls: it has ended, with the keys and the invitations that it
   * made. Returns what ended.
   */
  async endPreset(): Promise<Credential[]> {
    const { store, now, owner } = this.#parts;
    const ids = await store.change(async (tables) => {
      await tables.invitations.revokeByKey(PRESET_ID, now());
      return this.#ending(tables, byOwner(owner), () => tables.apiKeys.revokeMadeBy([PRESET_ID], now()));
    });
    return [PRESET_KEY, ...ids.map((id) => ({ kind: 'key', id }) as const)];
  }

  /** Runs what ends keys, with a row for each of them in the log. Returns their ids. */
  async #ending({ apiKeys, log }: PeopleTables, by: Asker, end: () => Promise<string[]>): Promise<string[]> {
    const live = await apiKeys.list(by.workspace, this.#parts.now());
    const ended = await end();
    for (const key of live.filter(({ id }) => ended.includes(id)))
      await log.append(by.workspace, entryOf(by, { code: 'keyRevoked', name: key.name }, key));
    return ended;
  }

  #bump(ids: readonly string[]): void {
    for (const id of ids) this.#parts.live.bump({ kind: 'key', id });
  }

  /** Ends the keys that a changed key made and could not make any more; returns their ids. */
  async #endBeyond({ apiKeys }: PeopleTables, maker: ApiKey): Promise<string[]> {
    const rights = this.#rightsOf(maker);
    if (!rights) return [];
    const { person, workspace } = maker;
    const by: Asker = { kind: 'agent', person, workspace, rights, expiresAt: endIn(maker.expiresAt) };
    const made = (await apiKeys.list(workspace, this.#parts.now())).filter(({ madeBy }) => madeBy === maker.id);
    const ended: string[] = [];
    for (const key of made.filter((one) => this.#beyond(by, one) !== undefined))
      ended.push(...(await apiKeys.revoke(workspace, key.id, this.#parts.now())));
    return ended;
  }

  /** The credential of the key with this text; undefined for a wrong key. */
  async credentialOf(text: string): Promise<Credential | undefined> {
    const found = this.#isPreset(text) ? PRESET_KEY : await this.#stored(text);
    return found && { kind: 'key', id: found.id };
  }

  /**
   * The agent of a key. `rev`: the stamp before this look-up. Throws UNAUTHENTICATED (RATE_LIMITED after too many wrong
   * keys from one address), or BAD_REQUEST for a bad X-Agent.
   */
  async principal(text: string, request: RequestFacts, rev: number): Promise<AgentPrincipal> {
    const found = this.#isPreset(text) ? this.#preset() : await this.#agent(text, request.address);
    if (!found) {
      this.#countWrong(request.address);
      await this.#parts.limits.wrongKeysPerAddress.demand(request.address);
      throw new WheelhouseError('UNAUTHENTICATED', 'This key is not valid here.');
    }
    const agent = agentName(request.headers);
    const { id, name, person, workspace, rights, expiresAt, keyRev } = found;
    return {
      ...{ kind: 'agent', id: participantId({ kind: 'agent', key: id, name: agent }), name: agent ?? name },
      ...{
        person,
        workspace,
        rights,
        rev,
        keyRev,
        expiresAt,
        credential: { kind: 'key', id },
        address: request.address,
      },
    };
  }

  #countWrong(address: string): void {
    const { log, owner } = this.#parts;
    log.count(owner.workspace, `key ${addressKey(address)}`, (times) =>
      serverEntry({ code: 'keyRefused', times }, { address }),
    );
  }

  #isPreset(text: string): boolean {
    return this.#presetHash !== undefined && sameHash(this.#presetHash, hashToken(text));
  }

  #preset() {
    const { owner } = this.#parts;
    const { id: person, workspace } = owner;
    const reach = { id: PRESET_ID, grants: KEY_GRANTS, scope: 'workspace', sessions: [] } as const;
    const rights = this.#parts.rights.ofKey(workspace, person, reach);
    return { id: PRESET_ID, name: 'Agent', person, workspace, rights, expiresAt: undefined, keyRev: undefined };
  }

  /** The key of this text with its present rights; undefined when its person has left the workspace. */
  async #agent(text: string, from: string) {
    const key = await this.#stored(text);
    const rights = key && this.#rightsOf(key);
    if (!rights) return undefined;
    await this.#touch(key, from);
    const { id, person, workspace, expiresAt, rev } = key;
    return { id, name: shownName(key), person, workspace, rights, expiresAt: endIn(expiresAt), keyRev: rev };
  }

  async #stored(text: string): Promise<ApiKey | undefined> {
    if (!text.startsWith(PREFIX)) return undefined;
    const hash = hashToken(text);
    const key = await this.#parts.store.apiKeys.find(hash, this.#parts.now());
    return key && sameHash(key.hash, hash) ? key : undefined;
  }

  async #touch(key: ApiKey, from: string): Promise<void> {
    const now = this.#parts.now();
    if (this.#lastUses.take(key.id, now))
      await noted(this.#parts.store.apiKeys.touch(key.workspace, key.id, now, from));
  }

  /** The live rights of a key; undefined when its person is no member of the workspace. */
  #rightsOf(key: Reach): Rights | undefined {
    const { rights } = this.#parts;
    const { workspace, person } = key;
    return rights.roleOf(workspace, person) && rights.ofKey(workspace, person, keyReach(key));
  }

  /** The key, where it exists for the caller. Throws NOT_FOUND, or CONFLICT for the preset one. */
  async #found(by: Asker, id: string): Promise<ApiKey> {
    const { store, now, owner } = this.#parts;
    if (id === PRESET_ID && by.workspace === owner.workspace)
      throw new WheelhouseError(
        'CONFLICT',
        'The preset key comes from WHEELHOUSE_API_KEY: change or remove that and restart.',
      );
    const key = await store.apiKeys.get(by.workspace, id, now());
    if (!key || !this.#knows(by, key)) throw noKey(id);
    return key;
  }

  /** An agent does not know keys of its person that are beyond its own. */
  #knows(by: Asker, key: ApiKey): boolean {
    if (by.person !== key.person && !by.rights.workspace.has('manage')) return false;
    return by.kind === 'human' || this.#beyond(by, key) === undefined;
  }

  #demandWithin(by: Asker, key: Reach): void {
    const grant = this.#beyond(by, key);
    if (grant) throw beyondMaker(grant);
  }

  /** What a key would have beyond the caller. A person has all that their own keys can have. */
  #beyond(by: Asker, key: Reach): Grant | undefined {
    if (by.kind === 'human' && by.person === key.person) return undefined;
    if (by.kind === 'agent' && lasts(endIn(key.expiresAt)) > lasts(by.expiresAt)) return 'keys';
    const rights = this.#rightsOf(key);
    return rights && grantBeyond(rights, by.rights);
  }

  /** Throws NOT_FOUND for a session that does not exist for the caller. */
  #demandSessions({ rights, workspace }: Asker, sessions: KeySessions): void {
    if (typeof sessions === 'string') return;
    const live = this.#parts.rights;
    const isKnown = (id: string): boolean =>
      live.access(id)?.workspace === workspace && grantsIn({ rights }, id).size > 0;
    const missing = sessions.find((id) => !isKnown(id));
    if (missing !== undefined) throw new WheelhouseError('NOT_FOUND', { code: 'noSession', id: missing.slice(0, 100) });
  }

  /** The end of a key that the caller makes or changes: an agent's own end at the latest. */
  #endOf(by: Asker, expiresIn: number | null | undefined): Date | undefined {
    const wanted = typeof expiresIn === 'number' ? this.#parts.now().getTime() + expiresIn * 1_000 : Infinity;
    const end = by.kind === 'agent' ? Math.min(wanted, lasts(by.expiresAt)) : wanted;
    return end === Infinity ? undefined : new Date(end);
  }
}

/** Throws FORBIDDEN for a grant that the caller has nowhere. */
function demandGrants({ rights: { workspace, sessions, named } }: Asker, grants: readonly Grant[]): void {
  const places = [workspace, sessions, ...named.values()];
  const lacked = grants.find((grant) => !places.some((had) => had?.has(grant)));
  if (lacked) throw beyondMaker(lacked);
}

/**
 * Who knows the text of a key can act as its person. Throws FORBIDDEN unless the caller is that person, or the key
 * itself or the one that made it.
 */
function demandOwnKey({ kind, person, credential }: Asker, key: ApiKey): void {
  const isOwn = kind === 'human' || (credential !== undefined && [key.id, key.madeBy].includes(credential.id));
  if (isOwn && person === key.person) return;
  throw new WheelhouseError('FORBIDDEN', 'Only the person of this key, or the key that made it, may do this.', {
    hint: 'Revoke the key, or give it less, and let its person make another.',
  });
}

/** Whether a changed key has a grant, sees a session or lasts for a time that it did not before. */
function isWider(after: Omit<Reach, 'id' | 'workspace' | 'person'>, before: ApiKey): boolean {
  const seesMore =
    after.scope === 'named'
      ? before.scope !== 'workspace' && after.sessions.some((id) => !before.sessions.includes(id))
      : after.scope !== before.scope && after.scope === 'workspace';
  const hasMore = after.grants.some((grant) => !before.grants.includes(grant));
  return seesMore || hasMore || lasts(endIn(after.expiresAt)) > lasts(endIn(before.expiresAt));
}

function newText(): string {
  return `${PREFIX}${randomToken()}`;
}

function endIn(expiresAt: string | null): number | undefined {
  return expiresAt === null ? undefined : Date.parse(expiresAt);
}

function lasts(expiresAt: number | undefined): number {
  return expiresAt ?? Infinity;
}

function beyondMaker(grant: Grant): WheelhouseError {
  return new WheelhouseError('FORBIDDEN', `A key cannot have the grant "${grant}" that its maker lacks.`, {
    details: { grant },
  });
}

function missing(id: string): never {
  throw noKey(id);
}

function changedMeanwhile({ name }: ApiKey): WheelhouseError {
  return new WheelhouseError('CONFLICT', `The key "${name}" was changed in the meantime.`, {
    hint: 'Look at the list again, and change it from there.',
  });
}

function noKey(id: string): WheelhouseError {
  return new WheelhouseError('NOT_FOUND', `There is no key "${id.slice(0, 100)}".`);
}

function rightsEntry(by: Asker, code: 'keyMade' | 'keyChanged', key: ApiKey): NewLogRow {
  return entryOf(by, { code, name: key.name, grants: key.grants.join(', '), scope: key.scope }, key);
}

function entryOf(by: Asker, said: LogMessage, { id, name }: Pick<ApiKey, 'id' | 'name'>): NewLogRow {
  return logEntry(by, said, { id, name });
}
