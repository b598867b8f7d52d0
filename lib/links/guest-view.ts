import type { Comment, CommentView } from '@/lib/comments/comment';
import type { DownloadView, FileOrigin, FileView } from '@/lib/files/views';
import type { ParticipantView, SessionView, TabView, TimelineEvent } from '@/lib/protocol/views';

/** A guest of a share link, as far as it decides what they see. */
export interface GuestSight {
  /** Participant id. */
  readonly id: string;
  /** The only tab that they see; undefined: all. */
  readonly tab: string | undefined;
  /** When the link was made: they see no row of before. ISO 8601. */
  readonly since: string;
}

/** The kinds of timeline rows that guests see beside actions; the others tell of the server and of other people. */
const OF_GUESTS: ReadonlySet<string> = new Set(['control', 'dialog', 'navigation', 'tab', 'join', 'leave', 'comment']);

/**
 * What a guest sees of a session (AU4): the tabs of their link, those who are here by name, addresses without what
 * stands behind the path; nothing of the workspace, its policies and its people.
 */
export function guestSessionView(view: SessionView, guest: GuestSight): SessionView {
  const { id, name, state, stateReason, stateSaid, restored, createdAt, isolation, viewport, version } = view;
  const tabs = view.tabs.filter(({ id }) => guest.tab === undefined || id === guest.tab);
  const isShown = (tab: string | null | undefined): boolean => tabs.some(({ id }) => id === tab);
  const last = view.lastEvent && guestEvents([view.lastEvent], guest)[0];
  return {
    ...{ id, name, state, stateReason, createdAt, isolation, viewport, version },
    ...(stateSaid && { stateSaid }),
    ...(restored && { restored }),
    browser: { ...view.browser, id: '' },
    tabs: tabs.map((tab) => guestTab(tab, guest, isShown)),
    activeTab: isShown(view.activeTab) ? view.activeTab : (tabs[0]?.id ?? null),
    participants: view.participants
      .filter(({ id, online }) => online || tabs.some(({ control }) => control.holder?.id === id))
      .map((one) => guestParticipant(one, isShown)),
    ...(view.comments && { comments: view.comments }),
    lastEvent: last ?? null,
  };
}

/** The rows of a timeline that a guest sees, without what is for agents and members in them. */
export function guestEvents(events: readonly TimelineEvent[], { tab, since }: GuestSight): TimelineEvent[] {
  const shown = events.filter(
    (event) =>
      event.at >= since &&
      (event.phase !== 'event' || OF_GUESTS.has(event.kind)) &&
      (tab === undefined || event.tab === tab || event.kind === 'join' || event.kind === 'leave'),
  );
  return shown.map(({ receipt: _receipt, did: _did, picture: _picture, actionId: _id, ...row }) =>
    withPlainAddresses(row),
  );
}

/**
 * Whether a guest may have a file: no trace, which shows the page past its covers; of a link to one tab only what
 * they put there, or that tab downloaded.
 */
export function isFileOfGuest({ from, owner, tabs = [] }: FileOrigin, { id, tab }: GuestSight): boolean {
  return from !== 'trace' && (tab === undefined || owner === id || tabs.includes(tab));
}

/** Whether a guest may read a comment. */
export function isCommentOfGuest({ at, tab }: Pick<Comment, 'at' | 'tab'>, { since, tab: only }: GuestSight): boolean {
  return at >= since && (only === undefined || tab === only);
}

export function guestComment({ anchor, ...comment }: CommentView): CommentView {
  return { ...comment, ...(anchor && { anchor: { ...anchor, url: plainAddress(anchor.url) } }) };
}

export function guestFile({ url, ...file }: FileView): FileView {
  return { ...file, ...(url !== undefined && { url: plainAddress(url) }) };
}

/** A popup that only downloads is a tab that the guest of a link to one tab does not see. */
export function guestDownload({ tab, ...download }: DownloadView, { tab: only }: GuestSight): DownloadView {
  const shown = only ?? tab;
  return { ...download, url: plainAddress(download.url), ...(shown !== undefined && { tab: shown }) };
}

function guestTab(tab: TabView, guest: GuestSight, isShown: (tab: string | undefined) => boolean): TabView {
  const { targetId: _target, opener, ...rest } = tab;
  const held = tab.control.holder?.id === guest.id;
  return {
    ...rest,
    url: held ? tab.url : plainAddress(tab.url),
    ...(opener !== undefined && isShown(opener) && { opener }),
  };
}

/** Without grants, also of the guest, who reads theirs from the link: so all guests of a link see the same. */
function guestParticipant(one: ParticipantView, isShown: (tab: string | undefined) => boolean): ParticipantView {
  const { watching, grants, ...rest } = one;
  return {
    ...rest,
    mayDrive: grants.includes('drive'),
    grants: [],
    ...(watching !== undefined && isShown(watching) && { watching }),
  };
}

/** An address without query and fragment, which hold what is not for everybody. */
function plainAddress(url: string): string {
  return url.replace(/[?#].*$/su, '');
}

const ADDRESSES = /\bhttps?:\/\/[^\s"'“”<>]+/g;

/** The same for every address in the texts of a value. */
function withPlainAddresses<T>(value: T): T;
function withPlainAddresses(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(ADDRESSES, plainAddress);
  if (Array.isArray(value)) return value.map((one) => withPlainAddresses<unknown>(one));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]: [string, unknown]) => [name, withPlainAddresses(inner)]),
  );
}
