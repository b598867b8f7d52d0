import { unreadIn } from '@/components/comments/unread';
import type { SessionView, TabView } from '@/lib/protocol/views';
import { sessionLease, LEASE_ORDER, type SessionLease, type LeaseKind } from '@/components/lease-state';

/** One card of the wall. */
export interface WallEntry {
  readonly session: SessionView;
  readonly lease: SessionLease;
  /** The tab whose stream the card shows: the one that the state is about, else the active one. */
  readonly tab: TabView | undefined;
}

export const SORTS = ['newest', 'activity', 'name'] as const;
export type Sort = (typeof SORTS)[number];

export interface WallFilter {
  readonly state: LeaseKind | undefined;
  /** Browser id. */
  readonly browser: string | undefined;
  /** Participant id of the lease's holder. */
  readonly driver: string | undefined;
  readonly search: string;
}

export const NO_FILTER: WallFilter = { state: undefined, browser: undefined, driver: undefined, search: '' };

/** @param you participant id of the reader */
export function toEntry(session: SessionView, you: string | undefined): WallEntry {
  const lease = sessionLease(session, you);
  const shown = lease.tab ?? session.activeTab;
  return { session, lease, tab: session.tabs.find((tab) => tab.id === shown) ?? session.tabs[0] };
}

/** Like `toEntry`, but an unchanged session keeps its entry, so that its card is not rendered again. */
export function rememberEntries(you: string | undefined): (session: SessionView) => WallEntry {
  const entries = new WeakMap<SessionView, WallEntry>();
  return (session) => {
    const entry = entries.get(session) ?? toEntry(session, you);
    entries.set(session, entry);
    return entry;
  };
}

/** Counts the sessions in each state. */
export function countStates(entries: readonly WallEntry[]): Readonly<Record<LeaseKind, number>> {
  const counts: Record<LeaseKind, number> = { help: 0, stuck: 0, human: 0, agent: 0, idle: 0 };
  for (const { lease } of entries) counts[lease.kind] += 1;
  return counts;
}

export function isUrgent({ lease }: WallEntry): boolean {
  return urgency(lease.kind) > 0;
}

/**
 * Sessions that need a person, the most urgent first: "Needs you", "Stuck", then those with a new comment for this
 * reader. `seen`: the comments that they know, by session.
 */
export function needingAttention(
  entries: readonly WallEntry[],
  seen: ReadonlyMap<string, number> = new Map(),
): readonly WallEntry[] {
  return entries
    .filter((entry) => isUrgent(entry) || unreadIn(entry.session, seen) > 0)
    .sort((a, b) => urgency(b.lease.kind) - urgency(a.lease.kind));
}

/** Entries that fit the filter: those that need a person first, the others in the chosen order. */
export function arrange(entries: readonly WallEntry[], filter: WallFilter, sort: Sort): readonly WallEntry[] {
  const words = wordsOf(filter.search);
  return entries
    .filter((entry) => fits(entry, filter) && words.every((word) => searchText(entry).includes(word)))
    .sort((a, b) => urgency(b.lease.kind) - urgency(a.lease.kind) || compare(a.session, b.session, sort));
}

/** Choices of the filters: participants who hold a lease, and browsers in use. `you`: the word for the reader. */
export function filterChoices(
  entries: readonly WallEntry[],
  you: string,
): { readonly drivers: ReadonlyMap<string, string>; readonly browsers: ReadonlyMap<string, string> } {
  const drivers = new Map<string, string>();
  const browsers = new Map<string, string>();
  for (const { session, lease } of entries) {
    if (lease.holder) drivers.set(lease.holder.id, lease.mine ? you : lease.holder.name);
    browsers.set(session.browser.id, session.browser.product);
  }
  return { drivers, browsers };
}

/** Counts the set filters of the view menu. */
export function countFilters(filter: WallFilter): number {
  return Number(filter.browser !== undefined) + Number(filter.driver !== undefined);
}

function urgency(kind: LeaseKind): number {
  if (kind !== 'help' && kind !== 'stuck') return 0;
  return LEASE_ORDER.length - LEASE_ORDER.indexOf(kind);
}

function fits({ session, lease }: WallEntry, filter: WallFilter): boolean {
  if (filter.state !== undefined && lease.kind !== filter.state) return false;
  if (filter.browser !== undefined && session.browser.id !== filter.browser) return false;
  return filter.driver === undefined || lease.holder?.id === filter.driver;
}

const fold = (text: string) => text.normalize('NFKC').toLocaleLowerCase();

function wordsOf(search: string): readonly string[] {
  return fold(search)
    .split(/\s+/u)
    .filter((word) => word !== '');
}

function searchText({ session, lease }: WallEntry): string {
  const pages = session.tabs.flatMap((tab) => [tab.title, tab.url, tab.label ?? '']);
  const people = session.participants.map((participant) => participant.name);
  return fold([session.name, ...pages, ...people, lease.holder?.name ?? ''].join('\n'));
}

/** Rounds the last activity to a minute, so that the cards of busy agents do not keep changing places. */
const ACTIVITY_STEP_MS = 60_000;

function compare(a: SessionView, b: SessionView, sort: Sort): number {
  if (sort === 'name') return a.name.localeCompare(b.name) || a.id.localeCompare(b.id);
  if (sort === 'activity') return activity(b) - activity(a) || newest(a, b);
  return newest(a, b);
}

function newest(a: SessionView, b: SessionView): number {
  return Date.parse(b.createdAt) - Date.parse(a.createdAt) || a.id.localeCompare(b.id);
}

function activity(session: SessionView): number {
  return Math.floor(Date.parse(session.lastEvent?.at ?? session.createdAt) / ACTIVITY_STEP_MS);
}
