import { expect, it } from 'vitest';
import { FakeClock } from '@/lib/budget/fake-clock';
import type { SavedTab } from '@/lib/state/saved';
import { RecentTabCloses } from './recent-tab-closes';

const tab = (id: string): SavedTab => ({ id, url: `https://example.org/${id}`, lastRef: 0 });
const ids = ({ tabs }: { tabs: readonly SavedTab[] }): string[] => tabs.map(({ id }) => id);

it('[BR5] tabs that Chrome closed while it ended count as open until then, in their order, with the active one', () => {
  const closings = new RecentTabCloses(new FakeClock());
  closings.closes({ tab: tab('t10'), lease: undefined, popup: false, active: 't2' });
  closings.closes({ tab: tab('t2'), lease: undefined, popup: true, active: 't2' });
  const all = closings.ended([]);

  expect([ids(all), all.active]).toEqual([['t2', 't10'], 't2']);
  expect(closings.ended([tab('t1')])).toEqual({ tabs: [tab('t1')], active: undefined, leases: new Map() });
});

it('[BR5] a tab that was closed long before stays closed, and so does a popup that closed itself beside open tabs', () => {
  const clock = new FakeClock();
  const closings = new RecentTabCloses(clock);
  closings.closes({ tab: tab('t1'), lease: undefined, popup: false, active: 't1' });
  clock.advance(5_001);
  closings.closes({ tab: tab('t3'), lease: undefined, popup: true, active: 't3' });
  closings.closes({ tab: tab('t4'), lease: undefined, popup: false, active: 't2' });

  expect(ids(closings.ended([tab('t2')]))).toEqual(['t2', 't4']);
});

it('[BR5][SE2] the last tab, which continued with an empty page, is restored at its address', () => {
  const closings = new RecentTabCloses(new FakeClock());
  closings.closes({ tab: tab('t2'), lease: undefined, popup: false, active: 't2' });

  expect(closings.ended([{ ...tab('t2'), url: '' }])).toMatchObject({ tabs: [tab('t2')], active: 't2' });
});
