import type { SessionView, TimelineEvent } from '@/lib/protocol/views';
import { WheelhouseError } from '@/lib/errors/error';
import type { Budget } from '@/lib/budget/budget';
import { CAPS } from '@/server/access/limits';
import type { Caller } from '@/server/session/caller';
import type { Session } from '@/server/session/session';
import type { Services } from '../services';
import { refused } from '../things';
import { SessionWatch, type WatchConnection } from './session-watch';
import type { WheelhouseSocket } from './socket-types';

/** One connection: who it is, which sessions it follows, what it looks at. Everything it opened ends with it. */
export class SocketConnection implements WatchConnection {
  /** What this connection waits for; ended when it closes (BU2). */
  readonly calls = new Set<Budget>();
  readonly #watches = new Map<string, SessionWatch>();
  readonly #offEnded: () => void;
  #wall: (() => void) | undefined;
  #streams = 0;

  constructor(
    readonly services: Services,
    readonly socket: WheelhouseSocket,
    readonly caller: Caller,
  ) {
    this.#offEnded = services.hub.onEnded.on((session, reason) => this.#gone(session, reason));
  }

  /**
   * Follows every session of the workspace that this caller may watch; calls again are answered with the list and
   * change nothing.
   */
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
    const sessions = hub.list(workspace).filter((session) => this.#mayWatch(session));
    for (const session of sessions) this.#follow(session).wall = true;
    return sessions.map((session) => session.view(this.caller.principal.id));
  }

  unwatchWall(): void {
    this.#wall?.();
    this.#wall = undefined;
    for (const watch of this.#watches.values()) {
      watch.wall = false;
      this.#dropIdle(watch);
    }
  }

  /** Becomes a participant; state and timeline are pushed from now on. */
  join(session: Session): void {
    this.#follow(session).join();
  }

  leave(id: string): void {
    const watch = this.#watches.get(id);
    if (!watch) return;
    watch.leave(true);
    this.#dropIdle(watch);
  }

  /** The watch of a session that this connection follows. Throws CONFLICT when it does not. */
  watch(id: string): SessionWatch {
    const watch = this.#watches.get(id);
    if (watch) return watch;
    throw new WheelhouseError('CONFLICT', 'This connection does not follow that session yet.', {
      hint: 'Send session.join or wall.watch first.',
    });
  }

  /** The same for letting go of something: with a session that has ended everything was let go already. */
  followed(id: string): SessionWatch | undefined {
    return this.#watches.get(id);
  }

  /** A name for one more stream. Throws QUOTA. */
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

  closeStream(stream: string): void {
    for (const watch of this.#watches.values()) watch.closeStream(stream);
  }

  push(session: SessionView): void {
    this.socket.emit('session.state', session);
  }

  pushTimeline(session: string, events: TimelineEvent[]): void {
    this.socket.emit('timeline', { session, events });
  }

  dispose(): void {
    for (const budget of this.calls) budget.abort(new WheelhouseError('ABORTED', 'The connection was closed.'));
    this.#offEnded();
    this.#wall?.();
    for (const watch of this.#watches.values()) watch.dispose();
    this.#watches.clear();
  }

  #mayWatch({ id }: Session): boolean {
    return refused(this, { grant: 'watch', thing: 'session' }, { session: id }) === undefined;
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
    this.socket.emit('session.gone', { id: session.id, reason });
  }
}
