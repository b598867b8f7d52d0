import type { Grant } from '@/lib/rights/grants';
import { LIFETIMES, type Lifetime } from '../lifetimes';
import type { KeyView } from '../api';

/**
 * Whether this reader may give a key a new text: whoever has the text acts as the key's person, so it is only theirs.
 * The preset key is the server's.
 */
export function mayRotate(key: Pick<KeyView, 'person' | 'preset'>, you: string | undefined): boolean {
  return !key.preset && key.person === you;
}

/** What the dialog offers of a key. */
export interface KeyLimits {
  readonly grant: (grant: Grant) => boolean;
  readonly scope: (scope: 'own' | 'named' | 'workspace') => boolean;
  readonly session: (id: string) => boolean;
  readonly life: (life: Lifetime | 'never' | 'same') => boolean;
}

const ALL: KeyLimits = { grant: () => true, scope: () => true, session: () => true, life: () => true };

/** Of the key of somebody else, nobody gives more than it has (AU2). `now`: milliseconds. */
export function limitsOf(old: KeyView | undefined, you: string | undefined, now: number): KeyLimits {
  if (!old || old.person === you) return ALL;
  const { grants, sessions, expiresAt } = old;
  const sees = typeof sessions === 'string' ? [] : sessions;
  const end = expiresAt === null ? Infinity : Date.parse(expiresAt);
  return {
    grant: (grant) => grants.includes(grant),
    scope: (scope) => scope === 'own' || sessions === 'workspace' || (scope === 'named' && sees.length > 0),
    session: (id) => sessions === 'workspace' || sees.includes(id),
    life: (life) => {
      if (life === 'same') return true;
      return life === 'never' ? end === Infinity : now + LIFETIMES[life] * 1_000 <= end;
    },
  };
}
