import { isDeepStrictEqual } from 'node:util';
import type { ClientPayload, RightsView } from '@/lib/protocol/catalog';
import type { SessionView } from '@/lib/protocol/views';
import { WheelhouseError } from '@/lib/errors/error';
import type { Budget } from '@/lib/budget/budget';
import { CAPS } from '@/server/access/limits';
import { linkOffer } from '@/server/access/link-views';
import { concerns } from '@/server/access/live-rights';
import type { Caller } from '@/server/session/caller';
import type { Session } from '@/server/session/session';
import type { Services } from '../services';
import { refused } from '../things';
import { SessionWatch, type WatchConnection } from './session-watch';
import type { WheelhouseSocket } from './socket-types';

/** One connection with its caller, followed sessions and streams. Its end releases all of them. */
export class SocketConnection implements WatchConnection {
  /** The budgets of the running calls; the close of the connection aborts them (BU2). */
  readonly calls = new Set<Budget>();
  readonly #watches = new Map<string, SessionWatch>();
  readonly #offs: readonly (() => void)[];
  #wall: (() => void) | undefined;
  /** What the client was told last; nothing before its `hello`. */
  #told: RightsView | undefined;
  #streams = 0;

  constructor(
    readonly services: Services,
    readonly socket: WheelhouseSocket,
    readonly caller: Caller,
  ) {
    this.#offs = [
      services.hub.onEnded.on((session, reason) => this.#gone(session, reason)),
      services.access.rights.onChange((change) => {
        if (concerns(change, caller.principal)) this.#rightsChanged();
      }),
    ];
  }

  /** What the caller may in the workspace, or by their link; the client hears of each change from now on. */
  tellRights(): RightsView {
    const { principal } = this.caller;
    const { rights, workspace } = principal;
    const role =
      principal.kind === 'human' ? this.services.access.rights.roleOf(workspace, principal.person) : undefined;
    this.#told = {
      ...{ role: role ?? null, grants: [...rights.workspace] },
      ...{ server: rights.server === true, withheld: rights.withheld ?? null },
      ...(principal.kind === 'guest' && { link: linkOffer(principal) }),
    };
    return this.#told;
  }

  /** Follows every session of the workspace that the caller may watch. A repeated call only returns the list. */
  watchWall(): SessionView[] {
    const { hub } = this.services;
    const { workspace } = this.caller.principal;
    if (!this.#wall) {
      const offs = [
        hub.onSession.on((session) => {
          if (session.workspace === workspace && this.#mayWatch(session)) this.#follow(session).wall = true;
        }),
      ];
      this.#wall = () => offs.forEach((off) => off());
    }
    return this.#followAll().map((session) => session.view(this.caller.principal));
  }

  #followAll(): Session[] {
    const sessions = this.services.hub.list(this.caller.principal.workspace).filter((one) => this.#mayWatch(one));
    for (const session of sessions) this.#follow(session).wall = true;
    return sessions;
  }

  unwatchWall(): void {
    this.#wall?.();
    this.#wall = undefined;
    for (const watch of this.#watches.values()) {
      watch.wall = false;
      this.#dropIdle(watch);
    }
  }

  /** Makes the caller a participant and starts pushing state and timeline. Throws QUOTA. */
  join(session: Session): void {
    const watch = this.#follow(session);
    try {
      watch.join();
    } finally {
      this.#dropIdle(watch);
    }
  }

  leave(id: string): void {
    const watch = this.#watches.get(id);
    if (!watch) return;
    watch.leave(true);
    this.#dropIdle(watch);
  }

  /** The watch of a followed session. Throws CONFLICT when the connection does not follow it. */
  watch(id: string): SessionWatch {
    const watch = this.#watches.get(id);
    if (watch) return watch;
    throw new WheelhouseError('CONFLICT', 'This connection does not follow that session yet.', {
      hint: 'Send session.join or wall.watch first.',
    });
  }

  /** Like `watch`, for calls that release something. Undefined after the session's end, which released everything. */
  followed(id: string): SessionWatch | undefined {
    return this.#watches.get(id);
  }

  /** Returns an id for a new stream. Throws QUOTA. */
  nextStream(): string {
    const open = [...this.#watches.values()].reduce((sum, watch) => sum + watch.streams, 0);
    const limit = CAPS.streamsPerSocket;
    if (open >= limit)
      throw new WheelhouseError('QUOTA', `This connection looks at ${limit} pictures already.`, {
        hint: 'Close a stream first: stream.close.',
        details: { limit },
      });
    this.#streams += 1;
    return `v${this.#streams}`;
  }

  pinStream(payload: ClientPayload<'stream.pin'>): void {
    for (const watch of this.#watches.values()) watch.pinStream(payload);
  }

  closeStream(stream: string): void {
    for (const watch of this.#watches.values()) watch.closeStream(stream);
  }

  dispose(): void {
    for (const budget of this.calls) budget.abort(new WheelhouseError('ABORTED', 'The connection was closed.'));
    for (const off of this.#offs) off();
    this.#wall?.();
    for (const watch of this.#watches.values()) watch.dispose();
    this.#watches.clear();
  }

  /** Sessions that the caller may not watch any more are gone, those that they now may join the wall. */
  #rightsChanged(): void {
    for (const { session } of [...this.#watches.values()])
      if (!this.#mayWatch(session)) this.#gone(session, 'You may not see this session any more.');
    if (this.#wall) this.#followAll();
    const told = this.#told;
    if (!told) return;
    const rights = this.tellRights();
    if (!isDeepStrictEqual(rights, told)) this.socket.emit('rights', rights);
  }

  #mayWatch({ id }: Session): boolean {
    return refused(this, { grant: 'watch', thing: 'session', guests: true }, { session: id }) === undefined;
  }

  #follow(session: Session): SessionWatch {
    const known = this.#watches.get(session.id);
    if (known) return known;
    const watch = new SessionWatch(this, session);
    this.#watches.set(session.id, watch);
    return watch;
  }

  #dropIdle(watch: SessionWatch): void {
    if (watch.wall || watch.joined) return;
    watch.dispose();
    this.#watches.delete(watch.session.id);
  }

  #gone(session: Session, reason: string): void {
    const watch = this.#watches.get(session.id);
    if (!watch) return;
    watch.dispose();
    this.#watches.delete(session.id);
    this.socket.emit('session.gone', { id: session.id, reason, said: session.status.why?.said });
  }
}
