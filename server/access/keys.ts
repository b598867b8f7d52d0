import { WheelhouseError } from '@/lib/errors/error';
import { cleanText } from '@/lib/text/clean';
import { looksReserved } from '@/lib/text/reserved-name';
import type { Secret } from '@/server/config/secret';
import type { Person } from '@/server/store/people';
import type { ApiKey } from '@/server/store/api-keys';
import type { Store } from '@/server/store/store';
import { agentName, type Headers } from './credential';
import { everywhere, KEY_GRANTS, keyGrantSchema, type Grant } from '@/lib/rights/grants';
import { CAPS, type AccessLimits } from './limits';
import type { LiveCredentials } from './liveness';
import { participantId, type AgentPrincipal, type Credential, type Principal } from './principal';
import { hashToken, randomToken, sameHash } from './tokens';

const PRESET_ID = 'k_preset';
/** The credential of the key in WHEELHOUSE_API_KEY. */
export const PRESET_KEY: Credential = { kind: 'key', id: PRESET_ID };
const PREFIX = 'wh_';
/** The shortest interval between two writes of a key's last use, milliseconds. */
const TOUCH_EVERY_MS = 60_000;

export interface KeyView {
  readonly id: string;
  readonly name: string;
  /** The key's last four characters; empty for the preset key. */
  readonly hint: string;
  readonly grants: readonly Grant[];
  readonly createdAt: string | null;
  readonly lastUsedAt: string | null;
  /** The key comes from WHEELHOUSE_API_KEY and is not in the database. */
  readonly preset: boolean;
}

/** The maker of a key, which belongs to that person and has no more rights. */
export type KeyMaker = Pick<Principal, 'rights' | 'person' | 'workspace'>;

export interface KeysParts {
  readonly store: Store;
  readonly owner: Person;
  readonly live: LiveCredentials;
  readonly limits: AccessLimits;
  readonly preset: Secret | undefined;
  readonly now: () => Date;
}

/** Keys of agents: shown once, stored as SHA-256, revocable at once (AU2). The preset key is never stored. */
export class Keys {
  readonly #parts: KeysParts;
  readonly #presetHash: string | undefined;
  readonly #touched = new Map<string, number>();

  constructor(parts: KeysParts) {
    this.#parts = parts;
    this.#presetHash = parts.preset && hashToken(parts.preset.reveal());
  }

  /**
   * Makes a key for all sessions, with no grant that its maker lacks. Throws FORBIDDEN naming the grant, or QUOTA. Only
   * this call returns the text.
   */
  async create(
    by: KeyMaker,
    wanted: { name: string; grants: readonly Grant[] },
  ): Promise<{ key: KeyView; text: string }> {
    const { workspace, sessions, named } = by.rights;
    const lacks = (grant: Grant): boolean => ![workspace, sessions, ...named.values()].every((had) => had?.has(grant));
    const wider = wanted.grants.find(lacks);
    if (wider)
      throw new WheelhouseError('FORBIDDEN', `A key cannot have the grant "${wider}" that its maker lacks.`, {
        details: { grant: wider },
      });
    const text = `${PREFIX}${randomToken()}`;
    const row = {
      person: by.person,
      name: wanted.name,
      hash: hashToken(text),
      hint: text.slice(-4),
      grants: [...new Set(wanted.grants)],
      // Until keys choose: as before, all sessions of the workspace.
      scope: 'workspace',
      sessions: [],
      expiresAt: undefined,
    } as const;
    const key = await this.#parts.store.apiKeys.add(by.workspace, row, CAPS.keysPerPerson, this.#parts.now());
    if (!key)
      throw new WheelhouseError('QUOTA', `There are ${CAPS.keysPerPerson} keys already.`, {
        hint: 'Revoke one first.',
        details: { limit: CAPS.keysPerPerson },
      });
    return { key: toView(key), text };
  }

  async list(workspace: string): Promise<KeyView[]> {
    const keys = (await this.#parts.store.apiKeys.list(workspace, this.#parts.now())).map(toView);
    if (this.#presetHash === undefined || workspace !== this.#parts.owner.workspace) return keys;
    return [
      {
        id: PRESET_ID,
        name: 'Preset key',
        hint: '',
        grants: KEY_GRANTS,
        createdAt: null,
        lastUsedAt: null,
        preset: true,
      },
      ...keys,
    ];
  }

  /** Revokes a key and at once ends its sockets and calls. Throws NOT_FOUND, or CONFLICT for the preset one. */
  async revoke(workspace: string, id: string): Promise<void> {
    if (id === PRESET_ID && workspace === this.#parts.owner.workspace) {
      throw new WheelhouseError(
        'CONFLICT',
        'The preset key comes from WHEELHOUSE_API_KEY: change or remove that and restart.',
      );
    }
    if (!(await this.#parts.store.apiKeys.revoke(workspace, id, this.#parts.now())))
      throw new WheelhouseError('NOT_FOUND', `There is no key "${id}".`);
    this.#parts.live.bump({ kind: 'key', id });
  }

  /** The credential of the key with this text; undefined for a wrong key. */
  async credentialOf(text: string): Promise<Credential | undefined> {
    const found = this.#preset(text) ?? (await this.#stored(text, undefined));
    return found && { kind: 'key', id: found.id };
  }

  /**
   * The agent of a key. `rev`: the stamp before this look-up. Throws UNAUTHENTICATED (RATE_LIMITED after too many wrong
   * keys from one address), or BAD_REQUEST for a bad X-Agent.
   */
  async principal(text: string, request: { headers: Headers; address: string }, rev: number): Promise<AgentPrincipal> {
    const found = this.#preset(text) ?? (await this.#stored(text, request.address));
    if (!found) {
      await this.#parts.limits.wrongKeysPerAddress.demand(request.address);
      throw new WheelhouseError('UNAUTHENTICATED', 'This key is not valid here.');
    }
    const agent = agentName(request.headers);
    return {
      kind: 'agent',
      id: participantId({ kind: 'agent', key: found.id, name: agent }),
      name: agent ?? shownName(found),
      person: found.person,
      workspace: found.workspace,
      rights: { ...everywhere(found.grants), server: found.grants.includes('manage') },
      rev,
      expiresAt: undefined,
      credential: { kind: 'key', id: found.id },
    };
  }

  #preset(text: string) {
    const { owner } = this.#parts;
    if (this.#presetHash === undefined || !sameHash(this.#presetHash, hashToken(text))) return undefined;
    return { id: PRESET_ID, name: 'Agent', person: owner.id, workspace: owner.workspace, grants: KEY_GRANTS };
  }

  /** @param from the caller's address, to be noted with the use; undefined: not a use */
  async #stored(text: string, from: string | undefined) {
    if (!text.startsWith(PREFIX)) return undefined;
    const hash = hashToken(text);
    const key = await this.#parts.store.apiKeys.find(hash, this.#parts.now());
    if (!key || !sameHash(key.hash, hash)) return undefined;
    if (from !== undefined) await this.#touch(key, from);
    return { ...key, grants: grantsOf(key) };
  }

  async #touch(key: ApiKey, from: string): Promise<void> {
    const now = this.#parts.now();
    if (now.getTime() - (this.#touched.get(key.id) ?? 0) < TOUCH_EVERY_MS) return;
    this.#touched.set(key.id, now.getTime());
    await this.#parts.store.apiKeys.touch(key.workspace, key.id, now, from);
  }
}

/** Replaces a name from an older server that is no longer allowed. */
function shownName({ id, name }: { readonly id: string; readonly name: string }): string {
  const plain = cleanText(name, 120);
  return plain === '' || looksReserved(plain) ? `Key ${id.slice(-4)}` : plain;
}

function toView(key: ApiKey): KeyView {
  return {
    id: key.id,
    name: key.name,
    hint: key.hint,
    grants: grantsOf(key),
    createdAt: key.createdAt,
    lastUsedAt: key.lastUsedAt,
    preset: false,
  };
}

/** The grants that this version knows; ignores unknown ones of a newer version. */
function grantsOf(key: ApiKey): Grant[] {
  return key.grants.flatMap((grant) => {
    const parsed = keyGrantSchema.safeParse(grant);
    return parsed.success ? [parsed.data] : [];
  });
}
