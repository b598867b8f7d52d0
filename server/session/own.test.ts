import { expect, it } from 'vitest';
import { everywhere, type Grant } from '@/lib/rights/grants';
import type { Principal } from '@/server/access/principal';
import { demandFloodPolicy, demandOwn } from './own';

it('[BR7] a session may switch off the flood limits in a Chrome of its own; in a shared one only with the grant manage', () => {
  const outcome = (
    grants: readonly Grant[],
    isolation: string | undefined,
    limitFloods: boolean | undefined,
  ): string => {
    try {
      demandFloodPolicy({ rights: everywhere(grants) }, { policy: { limitFloods }, isolation });
      return 'allowed';
    } catch (error) {
      return error instanceof Error && 'code' in error ? String(error.code) : String(error);
    }
  };

  expect([
    outcome(['watch', 'drive'], undefined, false),
    outcome(['watch', 'drive'], 'context', false),
    outcome(['watch', 'drive'], 'default', false),
  ]).toEqual(['FORBIDDEN', 'FORBIDDEN', 'FORBIDDEN']);
  expect([
    outcome(['watch', 'drive'], 'browser', false),
    outcome(['manage'], undefined, false),
    outcome(['watch', 'drive'], undefined, true),
    outcome(['watch', 'drive'], undefined, undefined),
  ]).toEqual(['allowed', 'allowed', 'allowed', 'allowed']);
});

it('[AU4] the wheel gives a guest no file of others', () => {
  const base = { id: 'g_mia', name: 'Guest: Mia', workspace: 'w', rights: everywhere(['drive', 'files']), rev: 0 };
  const link = { id: 'sh_1', session: 's_1', tab: undefined, since: '', by: 'Ada' };
  const mia: Principal = { ...base, kind: 'guest', credential: { kind: 'link', id: 'g_mia' }, link, expiresAt: 1 };
  const held = {
    ...({ state: 'held', epoch: 1, since: 0, reason: 'taken', takenFrom: undefined, privateHold: undefined } as const),
    holder: { id: 'g_mia', name: 'Guest: Mia', kind: 'human' } as const,
  };
  const session = { id: 's_1', leases: { leases: new Map([['t1', held]]) } };
  const remove = (participant: string) => () => demandOwn(mia, { what: 'The file', session, maker: { participant } });

  expect(remove('a1')).toThrow('The file is not yours.');
  expect(remove('g_mia')).not.toThrow();
});
