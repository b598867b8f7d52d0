import { cleanText } from '@/lib/text/clean';
import { looksReserved } from '@/lib/text/reserved-name';
import { KEY_GRANTS, keyGrantSchema, type Grant } from '@/lib/rights/grants';
import type { ApiKey } from '@/server/store/api-keys';
import type { KeyReach } from './live-rights';

/** The sessions of a key: those that it makes or is given, all of its workspace, or these beside its own. */
export type KeySessions = 'own' | 'workspace' | readonly string[];

export interface KeyView {
  readonly id: string;
  readonly name: string;
  /** The key's last four characters; empty for the preset key. */
  readonly hint: string;
  /** The person that it belongs to. */
  readonly person: string;
  /** The key that made it, and with which it ends. */
  readonly madeBy: string | null;
  readonly grants: readonly Grant[];
  readonly sessions: KeySessions;
  readonly createdAt: string | null;
  readonly expiresAt: string | null;
  /** When it got its present text, where that is not its first. */
  readonly rotatedAt: string | null;
  readonly lastUsedAt: string | null;
  /** The address that it was used from last. */
  readonly lastUsedFrom: string | null;
  /** The key comes from WHEELHOUSE_API_KEY and is not in the database. */
  readonly preset: boolean;
}

export const PRESET_ID = 'k_preset';

/** The view of the key in WHEELHOUSE_API_KEY, which belongs to the first owner. */
export function presetView(person: string): KeyView {
  return {
    ...{ id: PRESET_ID, name: 'Preset key', hint: '', person, grants: KEY_GRANTS, sessions: 'workspace', preset: true },
    ...{ madeBy: null, createdAt: null, expiresAt: null, rotatedAt: null, lastUsedAt: null, lastUsedFrom: null },
  };
}

export function viewOf(key: ApiKey): KeyView {
  const { id, name, hint, person, madeBy, scope, sessions, createdAt, expiresAt, rotatedAt, lastUsedAt, lastUsedFrom } =
    key;
  return {
    ...{ id, name, hint, person, madeBy, grants: grantsOf(key), sessions: scope === 'named' ? sessions : scope },
    ...{ createdAt, expiresAt, rotatedAt, lastUsedAt, lastUsedFrom, preset: false },
  };
}

/** The columns of the sessions that a key sees. */
export function scopeOf(sessions: KeySessions): Pick<ApiKey, 'scope' | 'sessions'> {
  return typeof sessions === 'string'
    ? { scope: sessions, sessions: [] }
    : { scope: 'named', sessions: [...new Set(sessions)] };
}

/** What a key was made with, as its rights count it. */
export function keyReach(key: Pick<ApiKey, 'id' | 'grants' | 'scope' | 'sessions'>): KeyReach {
  return { id: key.id, grants: grantsOf(key), scope: key.scope, sessions: key.sessions };
}

/** Replaces a name from an older server that is no longer allowed. */
export function shownName({ id, name }: { readonly id: string; readonly name: string }): string {
  const plain = cleanText(name, 120);
  return plain === '' || looksReserved(plain) ? `Key ${id.slice(-4)}` : plain;
}

/** The grants that this version knows; ignores unknown ones of a newer version. */
function grantsOf(key: Pick<ApiKey, 'grants'>): Grant[] {
  return key.grants.flatMap((grant) => {
    const parsed = keyGrantSchema.safeParse(grant);
    return parsed.success ? [parsed.data] : [];
  });
}
