import { FILES } from '@/server/features/files/file-transfers';
import { HELP_REQUESTS } from '@/server/features/help/help-requests';
import { HANDOVER } from '@/server/features/control/handover';
import { SNAPSHOT_FEED } from '@/server/features/streams/streams';
import { Timer } from '@/lib/async/timers';
import type { Budget } from '@/lib/budget/budget';
import type { WheelhouseError } from '@/lib/errors/error';
import type { ClientPayload } from '@/lib/protocol/catalog';
import type { SessionView, SnapshotView, TimelineEvent } from '@/lib/protocol/views';
import type { FilesNews } from '@/lib/files/views';
import type { BufferNews } from '@/lib/buffers/news';
import type { Grant } from '@/lib/rights/grants';
import type { Session } from '@/server/session/session';
import type { SessionTab } from '@/server/session/session-tab';
import { FilesFeed } from './files-feed';
import { BufferFeed } from './buffer-feed';
import { ViewedTab } from './viewed-tab';
import type { Services } from '../services';
import { refused } from '../things';
import type { Caller } from '@/server/session/caller';
import type { WheelhouseSocket } from './socket-types';

/** The shortest interval between two pushes of state, milliseconds; one push carries all changes since the last. */
const PUSH_EVERY_MS = 50;

/** The part of the connection that a watch needs. */
export interface WatchConnection {
  readonly services: Services;
  readonly socket: WheelhouseSocket;
  readonly caller: Caller;
  nextStream(): string;
  push(session: SessionView): void;
  pushTimeline(session: string, events: TimelineEvent[]): void;
}

/** What one connection follows of one session: state, timeline, pictures, snapshots, buffers and files. */
export class SessionWatch {
  /** The connection follows the session for the wall. */
  wall = false;
  readonly #offs: (() => void)[] = [];
  readonly #streams = new Map<string, ViewedTab>();
  readonly #snapshots = new Map<string, () => void>();
  readonly #buffers = new Map<string, BufferFeed>();
  #files: FilesFeed | undefined;
  #leave: (() => number) | undefined;
  readonly #pushing: Timer;
  #timeline: TimelineEvent[] = [];

  constructor(
    private readonly connection: WatchConnection,
    readonly session: Session,
  ) {
    this.#pushing = new Timer(connection.services.clock);
    this.#offs.push(session.onChange.on(() => this.#plan()));
    this.#offs.push(
      session.timeline.onEvent.on((event) => {
        if (this.#leave) this.#timeline.push(event);
      }),
    );
    this.#offs.push(
      session.timeline.onPicture.on((event) => {
        if (!this.#leave) return;
        this.#timeline.push(event);
        this.#plan();
      }),
    );
    this.#plan();
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
  }

  /** The number of open picture streams. */
  get streams(): number {
    return this.#streams.size;
  }

  openStream(payload: ClientPayload<'stream.open'>): string {
    const stream = this.connection.nextStream();
    const { socket, caller } = this.connection;
    const viewed = new ViewedTab(this.session, {
      stream,
      tier: payload.tier,
      maxFps: payload.maxFps,
      gate: () => this.#refused('watch')?.message,
      viewer: caller.principal.id,
      // Socket.IO sends the Buffer unchanged; the browser receives an ArrayBuffer.
      send: (meta, picture, painted) => socket.emit('frame', meta, picture, painted),
      status: (status) => socket.emit('stream.status', status),
    });
    viewed.show(payload.tab);
    this.#streams.set(stream, viewed);
    if (payload.tier !== 'thumbnail') this.#watching(payload.tab);
    return stream;
  }

  closeStream(stream: string): void {
    this.#streams.get(stream)?.dispose();
    this.#streams.delete(stream);
  }

  async watchSnapshot(
    budget: Budget,
    sessionTab: SessionTab,
    options: ClientPayload<'snapshot.watch'>['options'],
  ): Promise<SnapshotView> {
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
    const files = FILES.of(this.session);
    const { socket, services } = this.connection;
    this.#files = new FilesFeed(files, services.clock, (news) => {
      if (!this.#refused('files')) socket.emit('files', { session: id, files: this.session.secrets.shown(news) });
    });
    return this.#files.news(true);
  }

  unwatchFiles(): void {
    this.#files?.dispose();
    this.#files = undefined;
  }

  dispose(): void {
    this.leave(false);
    this.#pushing.stop();
    for (const off of this.#offs.splice(0)) off();
    for (const viewed of this.#streams.values()) viewed.dispose();
    this.#streams.clear();
  }

  #watching(tab: string): void {
    const shown = tab === 'active' ? this.session.activeTab : tab;
    this.session.participants.watch(this.connection.caller.principal.id, shown);
    this.session.changed();
  }

  /** Called before every push, because the caller may lose the right at any time (AU3). */
  #refused(grant: Grant): WheelhouseError | undefined {
    return refused(this.connection, { grant, thing: 'session' }, { session: this.session.id });
  }

  #plan(): void {
    this.#pushing.ensure(PUSH_EVERY_MS, () => this.#push());
  }

  #push(): void {
    if (this.#refused('watch')) return;
    this.connection.push(this.session.view(this.connection.caller.principal.id));
    const events = this.#timeline.splice(0);
    if (events.length > 0) this.connection.pushTimeline(this.session.id, events);
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
    } else if (kind === 'human') handover.lost(id);
  }
}
