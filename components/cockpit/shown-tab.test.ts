import { describe, expect, it } from 'vitest';
import { neighbourTab, shownTab } from './shown-tab';
import type { SessionView, TabView } from '@/lib/protocol/views';

const free = { state: 'free', holder: null, epoch: 1, since: '', reason: '', takenFrom: null } as const;
const tab = (id: string, state: TabView['health']['state'] = 'ready'): TabView => ({
  id,
  targetId: id,
  url: '',
  title: '',
  active: false,
  health: { state, since: '', reason: '' },
  control: free,
  canGoBack: false,
  canGoForward: false,
});
const session = (tabs: TabView[], activeTab: string | null): SessionView => ({
  id: 's',
  name: '',
  state: 'live',
  stateReason: '',
  createdAt: '',
  browser: { id: 'b', product: '', origin: 'launched' },
  isolation: 'context',
  viewport: { width: 1, height: 1 },
  activeTab,
  tabs,
  participants: [],
  lastEvent: null,
  version: 1,
});

describe('the tab shown', () => {
  it('[SE2] is the picked one while it is open, else the active one, else the first', () => {
    const three = session([tab('t1'), tab('t2', 'closed'), tab('t3')], 't3');
    expect(shownTab(three, 't1')?.id).toBe('t1');
    expect(shownTab(three, 't2')?.id).toBe('t3');
    expect(shownTab(three, undefined)?.id).toBe('t3');
    expect(shownTab(session([tab('t1')], 'gone'), undefined)?.id).toBe('t1');
    expect(shownTab(session([], null), undefined)).toBeUndefined();
  });

  it('goes round the end of the strip, closed tabs left out', () => {
    const three = session([tab('t1'), tab('t2', 'closed'), tab('t3')], 't1');
    expect([
      neighbourTab(three, 't3', 1)?.id,
      neighbourTab(three, 't1', -1)?.id,
      neighbourTab(three, 't1', 1)?.id,
    ]).toEqual(['t1', 't3', 't3']);
  });
});
