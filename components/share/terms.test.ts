import { expect, it } from 'vitest';
import type { LinkView } from '@/lib/links/link-view';
import { draftOf, problemsOf, requestOf } from './terms';

const OLD: LinkView = {
  ...{ session: 's_1', by: 'p_1' },
  ...{ id: 'sh_1', tab: null, grants: ['watch', 'drive', 'clipboard'], maxViewers: 5, password: true },
  ...{ createdAt: '', expiresAt: '', ended: null, wrong: 0, uses: [] },
};

it('[AU4] a new link watches the session for an hour, unless its maker chooses otherwise', () => {
  const draft = draftOf(undefined);
  const full = { ...draft, drive: true, files: true, clipboard: true, oneTab: true, viewers: ' 3 ', passcode: 'mill' };
  expect([
    requestOf(draft, undefined, 't1'),
    requestOf({ ...full, life: 'week' }, undefined, 't1'),
    requestOf({ ...draft, clipboard: true }, undefined),
  ]).toEqual([
    { grants: ['watch'], expiresIn: 3_600 },
    {
      grants: ['watch', 'drive', 'files', 'clipboard'],
      ...{ expiresIn: 604_800, maxViewers: 3, password: 'mill', tab: 't1' },
    },
    { grants: ['watch'], expiresIn: 3_600 },
  ]);
});

it('[AU4] a change leaves end, viewers and passcode of a link as they are, or takes the limits away', () => {
  const draft = draftOf(OLD);
  expect([
    requestOf(draft, OLD),
    requestOf({ ...draft, drive: false, viewers: '', passcodeOff: true, life: 'day' }, OLD),
    requestOf({ ...draft, viewers: '6', passcode: 'other' }, OLD),
  ]).toEqual([
    { grants: ['watch', 'drive', 'clipboard'] },
    { grants: ['watch'], expiresIn: 86_400, maxViewers: null, password: null },
    { grants: ['watch', 'drive', 'clipboard'], maxViewers: 6, password: 'other' },
  ]);
});

it.each(['0', '101', '1.5', 'ten', '-1'])('[AU4] "%s" is no number of viewers', (viewers) => {
  expect(problemsOf({ ...draftOf(undefined), viewers })).toEqual({ viewers: true, passcode: false });
});

it('[AU4] a passcode has four characters at least', () => {
  const wrong = (passcode: string) => problemsOf({ ...draftOf(undefined), passcode }).passcode;
  expect(['', 'abc', 'abcd'].map(wrong)).toEqual([false, true, false]);
});
