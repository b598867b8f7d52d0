import type { SessionView, TabView } from '@/lib/protocol/views';

/** The open tabs, in the order of the strip. */
export function openTabs(session: SessionView): readonly TabView[] {
  return session.tabs.filter((tab) => tab.health.state !== 'closed');
}

/** The tab to show: the one that this person picked while it is open, else the active tab, else the first (SE2). */
export function shownTab(session: SessionView, picked: string | undefined): TabView | undefined {
  const tabs = openTabs(session);
  return tabs.find((tab) => tab.id === picked) ?? tabs.find((tab) => tab.id === session.activeTab) ?? tabs[0];
}

/** The next or previous open tab; wraps around at both ends. */
export function neighbourTab(session: SessionView, from: string | undefined, step: 1 | -1): TabView | undefined {
  const tabs = openTabs(session);
  const at = tabs.findIndex((tab) => tab.id === from);
  return at === -1 ? tabs[0] : tabs[(at + step + tabs.length) % tabs.length];
}
