import { describe, expect, it } from 'vitest';
import type { RightsView } from '@/lib/protocol/catalog';
import { IN_WORKSPACE, ROLES } from '@/lib/rights/roles';
import { maySee, SETTINGS_NAMES } from './settings-pages';

const seen = (rights: RightsView | undefined) => SETTINGS_NAMES.filter((page) => maySee(page, rights));

describe('the pages of the settings', () => {
  it('[AU3] are shown to those who may see them', () => {
    const views = ROLES.map((role): RightsView => ({
      ...{ role, grants: [...IN_WORKSPACE[role]], server: false, withheld: null },
    }));

    expect(views.map(seen)).toEqual([
      ['account', 'general'],
      ['account', 'general', 'keys'],
      ['account', 'general', 'people', 'keys', 'log'],
      ['account', 'general', 'people', 'keys', 'log'],
    ]);
    expect(views.map((view) => seen({ ...view, server: true }).includes('about'))).toEqual([true, true, true, true]);
  });

  it('[AU2] of a workspace that asks for a second factor leave only the account', () => {
    expect(seen({ role: 'owner', grants: [], server: false, withheld: 'SECOND_FACTOR_NEEDED' })).toEqual(['account']);
    expect(seen(undefined)).toEqual(['account', 'general']);
  });
});
