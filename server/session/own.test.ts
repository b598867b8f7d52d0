import { expect, it } from 'vitest';
import { everywhere, type Grant } from '@/lib/rights/grants';
import { demandFloodPolicy } from './own';

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
