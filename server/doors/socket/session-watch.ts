import { FILES } from '@/server/features/files/file-transfers';
import { COMMENTS } from '@/server/features/comments/comments';
import { HELP_REQUESTS } from '@/server/features/help/help-requests';
import { HANDOVER } from '@/server/features/control/handover';
import { SNAPSHOT_FEED } from '@/server/features/streams/streams';
import type { StreamRequest } from '@/server/features/streams/tab-streams';
import type { Budget } from '@/lib/budget/budget';
import type { WheelhouseError } from '@/lib/errors/error';
import type { ClientPayload } from '@/lib/protocol/catalog';
import { qualityOf } from '@/lib/stream/quality';
import type { SnapshotView, TimelineEvent } from '@/lib/protocol/views';
import type { CommentView } from '@/lib/comments/comment';
import type { FilesNews } from '@/lib/files/views';
import type { BufferNews } from '@/lib/buffers/news';
import type { Grant } from '@/lib/rights/grants';
import type { Principal } from '@/server/access/principal';
import type { Session } from '@/server/session/session';
import type { SessionTab } from '@/server/session/session-tab';
import { demandOpenTo } from '@/server/session/rights';
import { CommentsFeed } from './comments-feed';
import { FilesFeed } from './files-feed';
import { BufferFeed } from './buffer-feed';
import { StreamPresence } from './stream-presence';
import { StatePushes, type StateFollower } from './state-pushes';
import { ViewedTab } from './viewed-tab';
import type { Services } from '../services';
import { refused } from '../things';
import type { Caller } from '@/server/session/caller';
import type { WheelhouseSocket } from './socket-types';

/** The part of the connection that a watch needs. */
export interface WatchConnection {
  readonly services: Services;
  readonly socket: WheelhouseSocket;
  readonly caller: Caller;
  nextStream(): string;
}

/** What one connection follows of one session: state, timeline, pictures, snapshots, buffers, files and comments. */
export class SessionWatch implements StateFollower {
  readonly socket: WheelhouseSocket;
  readonly viewer: Principal;
  /** The connection follows the session for the wall. */
  wall = false;
  readonly #offs: (() => void)[] = [];
  readonly #streams = new Map<string, ViewedTab>();
  readonly #snapshots = new Map<string, () => void>();
  readonly #buffers = new Map<string, BufferFeed>();
  #files: FilesFeed | undefined;
  #comments: CommentsFeed | undefined;
  #leave: (() => number) | undefined;
  #timeline: TimelineEvent[] = [];

  constructor(
    private readonly connection: WatchConnection,
    readonly session: Session,
  ) {
    const pushes = StatePushes.of(session);
    this.socket = connection.socket;
    this.viewer = connection.caller.principal;
    this.#offs.push(pushes.follow(this));
    this.#offs.push(
      session.timeline.onEvent.on((event) => {
        if (this.#leave) this.#timeline.push(event);
      }),
    );
    this.#offs.push(
      session.timeline.onPicture.on((event) => {
        if (!this.#leave) return;
        this.#timeline.push(event);
        pushes.plan(this);
      }),
    );
  }

  get joined(): boolean {
    return this.#leave !== undefined;
  }

  join(): void {
    this.#leave ??= this.session.join(this.connection.caller);
  }

  /** `willing`: the client asked to leave. False: the connection ended and may come back (CO7). */
  leave(willing: boolean): void {
    const left = this.#leave?.();
    this.#leave = undefined;
    if (left === 0) this.#letGo(willing);
    for (const stop of this.#snapshots.values()) stop();
    this.#snapshots.clear();
    for (const feed of this.#buffers.values()) feed.dispose();
    this.#buffers.clear();
    this.unwatchFiles();
    this.unwatchComments();
  }

  /** The number of open picture streams. */
  get streams(): number {
    return this.#streams.size;
  }

  openStream(payload: ClientPayload<'stream.open'>): string {
    const stream = this.connection.nextStream();
    const { socket, caller } = this.connection;
    const request: StreamRequest = {
      stream,
      quality: qualityOf(payload.tier, payload.size),
      maxFps: payload.maxFps,
      gate: () => this.#refused('watch')?.message,
      viewer: caller.principal.id,
      isGuest: caller.principal.kind === 'guest',
      // Socket.IO sends the Buffer unchanged; the browser receives an ArrayBuffer.
      send: (meta, picture, painted) => socket.emit('frame', meta, picture, painted),
      status: (status) => socket.emit('stream.status', status),
    };
    const presence = payload.tier === 'thumbnail' ? undefined : this.#presence();
    const viewed = new ViewedTab(this.session, request, presence);
    viewed.show(this.session.active.shownName(caller.principal, payload.tab));
    this.#streams.set(stream, viewed);
    return stream;
  }

  /** Does nothing for a stream that is not of this watch. */
  pinStream({ stream, tier, size }: ClientPayload<'stream.pin'>): void {
    this.#streams.get(stream)?.choose(tier, size);
  }

  closeStream(stream: string): void {
    this.#streams.get(stream)?.dispose();
    this.#streams.delete(stream);
  }

  /** Throws FORBIDDEN for options that are not open to a guest, BAD_REQUEST for a selector on masked fields. */
  async watchSnapshot(
    budget: Budget,
    sessionTab: SessionTab,
    options: ClientPayload<'snapshot.watch'>['options'],
  ): Promise<SnapshotView> {
    demandOpenTo(this.connection.caller.principal, { kind: 'snapshot', ...options });
    const tab = sessionTab.tab.id;
    this.unwatchSnapshot(tab);
    const { socket } = this.connection;
    const where = { session: this.session.id, tab };
    const { first, stop } = await SNAPSHOT_FEED.of(sessionTab).watch(
      budget,
      this.connection.caller.principal.id,
      options,
      (news) => {
        if (this.#refused('watch')) return;
        if ('text' in news) socket.emit('snapshot', { ...where, snapshot: news });
        else socket.emit('snapshot.patch', { ...where, patch: news });
      },
    );
    this.#snapshots.get(tab)?.();
    this.#snapshots.set(tab, stop);
    return first;
  }

  unwatchSnapshot(tab: string): void {
    this.#snapshots.get(tab)?.();
    this.#snapshots.delete(tab);
  }

  /** Sends new console, error and request rows of the tab from now on. Returns the present rows. */
  watchBuffers({ tab }: SessionTab): BufferNews {
    this.unwatchBuffers(tab.id);
    const { socket, services } = this.connection;
    const feed = new BufferFeed(tab.watch, services.clock, (news) => {
      if (!this.#refused('watch')) socket.emit('rings', { session: this.session.id, tab: tab.id, rings: news });
    });
    this.#buffers.set(tab.id, feed);
    return feed.news();
  }

  unwatchBuffers(tab: string): void {
    this.#buffers.get(tab)?.dispose();
    this.#buffers.delete(tab);
  }

  /**
   * Sends changes of the session's files and downloads from now on, while the caller may watch them. Returns their
   * present state.
   */
  watchFiles(): FilesNews {
    this.unwatchFiles();
    const { id } = this.session;
    const { socket, services, caller } = this.connection;
    const files = FILES.of(this.session).shownTo(caller.principal);
    this.#files = new FilesFeed(files, services.clock, (news) => {
      if (!this.#refused('files')) socket.emit('files', { session: id, files: this.session.secrets.shown(news) });
    });
    return this.#files.news(true);
  }

  unwatchFiles(): void {
    this.#files?.dispose();
    this.#files = undefined;
  }

  /** Sends changed comments from now on. Returns the present ones. */
  watchComments(): CommentView[] {
    this.unwatchComments();
    const { id, secrets } = this.session;
    const { socket, services, caller } = this.connection;
    const comments = COMMENTS.of(this.session);
    this.#comments = new CommentsFeed(comments, caller.principal, services.clock, {
      isWritable: () => socket.conn.transport.writable,
      tell: (changed) => {
        if (!this.#refused('watch')) socket.emit('comments', { session: id, comments: secrets.shown(changed) });
      },
    });
    return comments.latest(caller.principal);
  }

  unwatchComments(): void {
    this.#comments?.dispose();
    this.#comments = undefined;
  }

  dispose(): void {
    this.leave(false);
    for (const off of this.#offs.splice(0)) off();
    for (const viewed of this.#streams.values()) viewed.dispose();
    this.#streams.clear();
  }

  #presence(): StreamPresence {
    const { socket, caller } = this.connection;
    return new StreamPresence(this.session, caller.principal.id, (tab, news) => {
      if (!socket.conn.transport.writable) return false;
      socket.emit('cursors', { session: this.session.id, tab, ...news });
      return true;
    });
  }

  /**
   * Called before every push, because the caller may lose the right at any time (AU3). Guests get pushes of what an
   * event that is open to them began.
   */
  #refused(grant: Grant): WheelhouseError | undefined {
    return refused(this.connection, { grant, thing: 'session', guests: true }, { session: this.session.id });
  }

  mayWatch(): boolean {
    return this.#refused('watch') === undefined;
  }

  pushed(): void {
    const events = this.session.shownTo(this.viewer, this.#timeline.splice(0));
    if (events.length > 0) this.socket.emit('timeline', { session: this.session.id, events });
  }

  /**
   * Releases the leases and claimed help requests of a participant who leaves on request. After a lost connection,
   * keeps a person's leases for a grace period; an agent keeps its own and may continue by HTTP (CO10).
   */
  #letGo(willing: boolean): void {
    const { id, kind } = this.connection.caller.principal;
    const handover = HANDOVER.of(this.session);
    if (willing) {
      handover.left(id, 'released');
      HELP_REQUESTS.of(this.session).claimerLeft(id);
    } else if (kind !== 'agent') handover.lost(id);
  }
}
