import { FILES } from '@/server/features/files/file-transfers';
import { WheelhouseError } from '@/lib/errors/error';
import type { Grant } from '@/lib/rights/grants';
import { concerns } from '@/server/access/live-rights';
import { refusalOf, type Thing } from '@/server/access/may';
import { CLOSED_TO_GUESTS } from '@/server/access/principal';
import type { ChromeBrowser } from '@/server/browser/chrome-browser';
import type { Caller } from '@/server/session/caller';
import { demandOwn, type Maker } from '@/server/session/own';
import type { Session } from '@/server/session/session';
import type { SessionTab } from '@/server/session/session-tab';
import type { Services } from './services';

/** The fields by which a request names each kind of thing. */
export interface Addresses {
  connection: object;
  workspace: object;
  server: object;
  session: { readonly session: string };
  tab: { readonly session: string; readonly tab: string };
  file: { readonly session: string; readonly file: string };
  download: { readonly session: string; readonly download: string };
  browser: { readonly browser: string };
  key: { readonly key: string };
  invitation: { readonly invitation: string };
  member: { readonly member: string };
  account: object;
  link: { readonly session: string; readonly link: string };
}

/**
 * What `find` passes to the handler for each kind. Files, keys, invitations, members and links stay ids: the handler
 * may be about to create the file.
 */
export interface Found {
  connection: object;
  workspace: object;
  server: object;
  session: { readonly session: Session };
  tab: { readonly session: Session; readonly sessionTab: SessionTab };
  file: { readonly session: Session; readonly file: string };
  download: { readonly session: Session; readonly download: string };
  browser: { readonly browser: ChromeBrowser };
  key: { readonly key: string };
  invitation: { readonly invitation: string };
  member: { readonly member: string };
  account: object;
  link: { readonly session: Session; readonly link: string };
}

export type ThingKind = keyof Addresses;

/** The right that a route or an event requires of its caller. */
export interface Right<K extends ThingKind> {
  /** The grant on the thing. A thing in a session also requires `watch`. */
  readonly grant: Grant;
  readonly thing: K;
  /** Only the maker of the thing, the holder of the lease and managers may call. The text starts the refusal (CO2). */
  readonly own?: string | undefined;
  /** Only people may call. The text is the message of the FORBIDDEN error for agents. */
  readonly peopleOnly?: string | undefined;
  /** Guests of share links may call, too, with the grants of their link; all else is closed to them (AU4). */
  readonly guests?: boolean | undefined;
}

/** A call at a door, before its thing is found. */
export interface DoorCall {
  readonly services: Services;
  readonly caller: Caller;
}

interface Made {
  readonly session: Session;
  readonly maker: Maker | undefined;
  /** The tab that the thing belongs to; undefined means the whole session. */
  readonly tab?: string;
}

interface ThingRow<Address, Entity> {
  /** The thing as `may` takes it. Does not check that the thing exists. */
  about(workspace: string, address: Address): Thing;
  /** Throws NOT_FOUND, TAB_NOT_FOUND or TAB_AMBIGUOUS when the thing does not exist. */
  find(call: DoorCall, address: Address): Entity;
  /** The session and maker of a thing; absent for kinds that have no maker. Throws NOT_FOUND for a file. */
  made?(entity: Entity, call: DoorCall): Made;
}

const inSession = (
  kind: 'session' | 'tab' | 'file' | 'download' | 'link',
  workspace: string,
  session: string,
  id: string,
): Thing => ({
  kind,
  id,
  session,
  workspace,
});

const sessionAt = (
  { services, caller }: DoorCall,
  { session }: { readonly session: string },
): { session: Session } => ({
  session: services.hub.get(caller.principal.workspace, session),
});

/** Every kind of thing that a request can name. */
const THINGS: { readonly [K in ThingKind]: ThingRow<Addresses[K], Found[K]> } = {
  connection: { about: (workspace) => ({ kind: 'connection', id: workspace, workspace }), find: () => ({}) },
  workspace: { about: (workspace) => ({ kind: 'workspace', id: workspace, workspace }), find: () => ({}) },
  server: { about: (workspace) => ({ kind: 'server', id: 'server', workspace }), find: () => ({}) },
  session: {
    about: (workspace, { session }) => inSession('session', workspace, session, session),
    find: sessionAt,
    made: ({ session }) => ({ session, maker: makerOf(session) }),
  },
  tab: {
    about: (workspace, { session, tab }) => inSession('tab', workspace, session, tab),
    find: (call, address) => {
      const { session } = sessionAt(call, address);
      return { session, sessionTab: session.findTab(call.caller, address.tab) };
    },
    made: ({ session, sessionTab }) => ({ session, maker: makerOf(session), tab: sessionTab.tab.id }),
  },
  file: {
    about: (workspace, { session, file }) => inSession('file', workspace, session, file),
    find: (call, { session, file }) => ({ ...sessionAt(call, { session }), file }),
    made: ({ session, file }, { caller }) => ({
      session,
      maker: participant(FILES.of(session).shownTo(caller.principal).ownerOf(file)),
    }),
  },
  download: {
    about: (workspace, { session, download }) => inSession('download', workspace, session, download),
    find: (call, { session, download }) => ({ ...sessionAt(call, { session }), download }),
    made: ({ session, download }) => ({
      session,
      maker: participant(FILES.of(session).downloads.find(download).by?.id),
    }),
  },
  browser: {
    about: (workspace, { browser }) => ({ kind: 'browser', id: browser, workspace }),
    find: ({ services, caller }, { browser }) => ({
      browser: services.browsers.get(caller.principal.workspace, browser),
    }),
  },
  key: {
    about: (workspace, { key }) => ({ kind: 'key', id: key, workspace }),
    find: (_call, address) => address,
  },
  invitation: {
    about: (workspace, { invitation }) => ({ kind: 'invitation', id: invitation, workspace }),
    find: (_call, address) => address,
  },
  member: {
    about: (workspace, { member }) => ({ kind: 'member', id: member, workspace }),
    find: (_call, address) => address,
  },
  link: {
    about: (workspace, { session, link }) => inSession('link', workspace, session, link),
    find: (asker, { session, link }) => ({ ...sessionAt(asker, { session }), link }),
  },
  account: { about: (workspace) => ({ kind: 'account', id: 'account', workspace }), find: () => ({}) },
};

const participant = (id: string | undefined): Maker | undefined => (id === undefined ? undefined : { participant: id });
const makerOf = ({ init: { maker } }: Session): Maker | undefined => maker && { credential: maker };

/**
 * Returns the refusal when the caller lacks the right, else undefined. Checks live rights by the address alone, before
 * any lookup, so a caller without the right cannot find out whether the thing exists.
 */
export function refused<K extends ThingKind>(
  { services: { access }, caller: { principal } }: DoorCall,
  { grant, thing, peopleOnly, guests = false }: Right<K>,
  address: Addresses[K],
): WheelhouseError | undefined {
  const about = THINGS[thing].about(principal.workspace, address);
  const isLive = access.isLive(principal);
  if (isLive && principal.kind === 'guest' && !guests) return new WheelhouseError('FORBIDDEN', CLOSED_TO_GUESTS);
  const grants: readonly Grant[] = 'session' in about ? [grant, 'watch'] : [grant];
  const refusal = grants.flatMap((one) => refusalOf(access.may(principal, one, about)) ?? [])[0];
  if (refusal || peopleOnly === undefined || principal.kind === 'human') return refusal;
  return new WheelhouseError('FORBIDDEN', peopleOnly);
}

/** Throws UNAUTHENTICATED, NOT_FOUND or FORBIDDEN when the caller lacks the right. */
export function demandRight<K extends ThingKind>(call: DoorCall, right: Right<K>, address: Addresses[K]): void {
  const refusal = refused(call, right, address);
  if (refusal) throw refusal;
}

/**
 * Calls `end` with the refusal when a change of rights takes the right from the caller (AU3). Returns a function that
 * stops watching: call it when the call is over.
 */
export function endsWithRight<K extends ThingKind>(
  call: DoorCall,
  right: Right<K>,
  address: Addresses[K],
  end: (refusal: WheelhouseError) => void,
): () => void {
  return call.services.access.rights.onChange((change) => {
    if (!concerns(change, call.caller.principal)) return;
    const refusal = refused(call, right, address);
    if (refusal) end(refusal);
  });
}

/**
 * Checks the caller's right, finds the thing and checks who made it, then returns the thing for the handler. Throws
 * what `demandRight` throws, NOT_FOUND, TAB_NOT_FOUND, TAB_AMBIGUOUS, CONTROL_HELD.
 */
export function admit<K extends ThingKind>(call: DoorCall, right: Right<K>, address: Addresses[K]): Found[K] {
  demandRight(call, right, address);
  const row = THINGS[right.thing];
  const found = row.find(call, address);
  const made = right.own === undefined ? undefined : row.made?.(found, call);
  if (right.own !== undefined && made) demandOwn(call.caller.principal, { what: right.own, ...made });
  return found;
}
