import { isConnectionLoss, ServerConnection, type ServerConnectionOptions } from './server-connection';
import { FrameRoutes, type StreamSink } from './frame-routes';
import { TabRoutes } from './tab-routes';
import { randomId } from './random-id';
import { Subscriptions } from './subscriptions';
import * as change from './client-state';
import { fromWire, WheelhouseError } from '@/lib/errors/error';
import { withheldSchema } from '@/lib/rights/grants';
import type { Reply } from '@/lib/actions/reply';
import type { Action } from '@/lib/actions/kinds';
import { PROTOCOL_VERSION, type ClientAnswers, type ClientEvent, type ClientPayload } from '@/lib/protocol/catalog';
import type { BufferNews } from '@/lib/buffers/news';
import type { CursorNews } from '@/lib/presence/cursors';
import type { ClientStore } from './client-store';
import type { z } from 'zod';
import { PUSHES } from './answers';
import { withEvents } from './client-state';
import { gapBefore } from './timeline-log';
import type { TimelineEvent } from '@/lib/protocol/views';

/**
 * The most pages that are fetched to close a gap in a timeline, and events per page. Older events are fetched when a
 * person scrolls back.
 */
const MOST_PAGES = 10;

const PAGE = 500;

interface PushTargets {
  readonly store: ClientStore;
  readonly frames: FrameRoutes;
  readonly buffers: TabRoutes<BufferNews>;
  readonly cursors: TabRoutes<CursorNews>;
  /** Called with a push that could not be parsed. */
  readonly trouble: (thrown: unknown) => void;
  /** Called when a patch does not fit the revision of the known snapshot. */
  readonly unfit: (snapshot: string) => void;
}

type StreamRequest = ClientPayload<'stream.open'>;
type StreamQuality = Pick<StreamRequest, 'tier' | 'size'>;

/** A stream that a page has opened. */
export interface OpenStream {
  readonly close: () => void;
  /** Chooses another quality, also for later openings (FR6). Without a size, the size stays. */
  readonly pin: (quality: StreamQuality) => void;
}

type SnapshotRequest = ClientPayload<'snapshot.watch'>;

export interface SessionClientOptions extends Pick<
  ServerConnectionOptions,
  'url' | 'workspace' | 'link' | 'isSignedOut' | 'random' | 'onRoundTrip'
> {
  readonly store: ClientStore;
}

/** The page's client of the server: sends requests, keeps subscriptions open, and puts pushes into the store. */
export class SessionClient {
  readonly #connection: ServerConnection;
  readonly #store: ClientStore;
  readonly #troubled = new Set<(thrown: unknown) => void>();
  readonly #subscriptions: Subscriptions;
  readonly #frames = new FrameRoutes();
  readonly #buffers = new TabRoutes<BufferNews>();
  readonly #cursors = new TabRoutes<CursorNews>();

  constructor(options: SessionClientOptions) {
    this.#store = options.store;
    this.#connection = new ServerConnection({
      ...options,
      onConnection: (connection) => this.#store.setState({ connection }),
      onOnline: (hello) => this.#online(hello),
    });
    this.#subscriptions = new Subscriptions(() => this.#connection.online);
    listenToPushes(this.#connection, {
      store: this.#store,
      frames: this.#frames,
      buffers: this.#buffers,
      cursors: this.#cursors,
      trouble: (thrown) => this.#trouble(thrown),
      unfit: (snapshot) => this.#subscriptions.again(`snapshot ${snapshot}`),
    });
  }

  /** Connects; does nothing once connected. */
  connect(): void {
    this.#connection.start();
  }

  /** Disconnects; the next request connects again. */
  stop(): void {
    this.#connection.stop();
    this.#frames.closeAll();
  }

  /** Connects anew: the server reads who asks only then. */
  reconnect(): void {
    this.stop();
    this.connect();
  }

  /** Listens to failures that no caller awaits: a session that could not be joined, a push that could not be parsed. */
  onTrouble(listener: (thrown: unknown) => void): () => void {
    this.#troubled.add(listener);
    return () => void this.#troubled.delete(listener);
  }

  /** Reconnects now. */
  retryNow(): void {
    this.#connection.retryNow();
  }

  /** @throws WheelhouseError, see `ServerConnection.request` */
  request<E extends ClientEvent>(event: E, payload: ClientPayload<E>, timeoutMs?: number): Promise<ClientAnswers[E]> {
    this.#connection.start();
    return this.#connection.request(event, payload, timeoutMs);
  }

  /**
   * Runs one action on a tab and returns its reply. When the connection is lost meanwhile, sends the same action id
   * once more after the reconnect: the server then answers from its stored results, so the action runs once (F7).
   * @throws WheelhouseError with the error of the reply or of the server
   */
  async perform(session: string, tab: string, action: Action): Promise<Reply> {
    const payload = { session, tab, action: { id: randomId(), ...action } };
    const reply = await this.request('act', payload).catch(async (thrown: unknown) => {
      if (!isConnectionLoss(thrown) || !(await this.#backOnline())) throw thrown;
      return this.request('act', payload);
    });
    if (!reply.ok && reply.error) throw fromWire(reply.error);
    return reply;
  }

  /** Follows the list of sessions until the returned function is called. */
  watchWall(): () => void {
    return this.#keep('wall', {
      first: true,
      open: async () => {
        const { sessions } = await this.#connection.request('wall.watch', {});
        this.#store.setState((state) => change.withList(state, sessions));
      },
      close: () => this.#connection.request('wall.unwatch', {}),
    });
  }

  /** Joins a session until the returned function is called. */
  joinSession(session: string): () => void {
    return this.#keep(`join ${session}`, {
      first: true,
      open: () => this.#join(session),
      close: () => {
        this.#store.setState((state) => change.withoutSession(state, session));
        return this.#connection.request('session.leave', { session });
      },
    });
  }

  /**
   * Streams a tab's pictures to `sink` until it is closed. Opens the stream again after a reconnect, under a new id.
   */
  openStream(request: StreamRequest, sink: StreamSink): OpenStream {
    const key = `stream ${randomId()}`;
    let stream: string | undefined;
    let wanted = true;
    let present = request;
    const pinTo = (id: string, { tier, size }: StreamQuality): void =>
      void this.request('stream.pin', { stream: id, tier, ...(size && { size }) }).catch((thrown: unknown) =>
        this.#trouble(thrown),
      );
    const stop = this.#keep(key, {
      open: async () => {
        stream = undefined;
        const asked = present;
        stream = await this.#openStream(asked, sink);
        if (!wanted) this.#closeStream(stream);
        else if (asked !== present) pinTo(stream, present);
      },
      close: async () => {
        if (stream !== undefined) this.#closeStream(stream);
      },
    });
    return {
      close: () => {
        wanted = false;
        stop();
      },
      pin: (quality) => {
        present = { ...present, ...quality };
        if (stream !== undefined && this.#connection.online) pinTo(stream, present);
      },
    };
  }

  /**
   * Follows a tab's snapshot until the returned function is called.
   * @param failed called with the error when the server cannot give one
   */
  watchSnapshot(request: SnapshotRequest, failed: (thrown: unknown) => void): () => void {
    const { session, tab } = request;
    const key = change.snapshotKey(session, tab);
    const stop = this.#keep(`snapshot ${key}`, {
      open: async () => {
        try {
          const { snapshot } = await this.#connection.request('snapshot.watch', request);
          this.#store.setState((state) => change.withSnapshot(state, key, snapshot));
        } catch (thrown) {
          if (!isConnectionLoss(thrown)) failed(thrown);
        }
      },
      close: () => this.#connection.request('snapshot.unwatch', { session, tab }),
    });
    return () => {
      stop();
      this.#store.setState((state) => change.withoutSnapshot(state, key));
    };
  }

  /**
   * Follows a tab's console, errors and requests until the returned function is called: first with `all` entries, then
   * with new ones.
   */
  watchBuffers(session: string, tab: string, told: (news: BufferNews, all: boolean) => void): () => void {
    const off = this.#buffers.add(session, tab, (news) => told(news, false));
    const stop = this.#keep(`rings ${session} ${tab}`, {
      open: async () => told((await this.#connection.request('rings.watch', { session, tab })).rings, true),
      close: () => this.#connection.request('rings.unwatch', { session, tab }),
    });
    return () => {
      off();
      stop();
    };
  }

  /**
   * Hears of the pointers of others on a tab that this page streams, until the returned function is called (AU5). The
   * server sends the present ones when the stream opens.
   */
  onCursors(session: string, tab: string, told: (news: CursorNews) => void): () => void {
    return this.#cursors.add(session, tab, told);
  }

  /** Follows the files and downloads of a session until the returned function is called. */
  watchFiles(session: string): () => void {
    return this.#keep(`files ${session}`, {
      open: async () => {
        const { files } = await this.#connection.request('files.watch', { session });
        this.#store.setState((state) => change.withFiles(state, session, files));
      },
      close: () => this.#connection.request('files.unwatch', { session }),
    });
  }

  /** Follows the comments of a session until the returned function is called. */
  watchComments(session: string): () => void {
    return this.#keep(`comments ${session}`, {
      open: async () => {
        const { comments } = await this.#connection.request('comments.watch', { session });
        this.#store.setState((state) => change.withComments(state, session, comments, true));
      },
      close: () => this.#connection.request('comments.unwatch', { session }),
    });
  }

  /** Measures the round trip; does nothing while the connection is lost. */
  async ping(): Promise<void> {
    if (!this.#connection.online) return;
    await this.#connection
      .request('hello', { protocol: PROTOCOL_VERSION })
      .catch((thrown: unknown) => this.#trouble(thrown));
  }

  /** Fetches events older than those in the store; returns their number. */
  async loadOlder(session: string, limit = 200): Promise<number> {
    const before = this.#store.getState().timelines.get(session)?.[0]?.seq;
    const { events } = await this.request('timeline.list', {
      session,
      limit,
      ...(before === undefined ? {} : { before }),
    });
    this.#store.setState((state) => change.withEvents(state, session, events));
    return events.length;
  }

  #keep(
    key: string,
    subscription: { open: () => Promise<unknown>; close: () => Promise<unknown>; first?: boolean },
  ): () => void {
    this.#connection.start();
    return this.#subscriptions.keep(key, {
      first: subscription.first ?? false,
      open: () => void subscription.open().catch((thrown: unknown) => this.#trouble(thrown)),
      close: () => void subscription.close().catch((thrown: unknown) => this.#trouble(thrown)),
    });
  }

  /**
   * Reports a failure, unless the connection was lost, which the banner shows, the session or tab is gone, which the
   * next state shows, or all rights are withheld, which the page shows.
   */
  #trouble(thrown: unknown): void {
    if (isConnectionLoss(thrown) || isGone(thrown) || isWithheld(thrown)) return;
    for (const listener of this.#troubled) listener(thrown);
  }

  #online(hello: ClientAnswers['hello']): void {
    const { you, demoAvailable, workspace, link, role, grants, server, withheld } = hello;
    this.#store.setState({
      you,
      demoAvailable,
      workspace: workspace ?? undefined,
      link,
      rights: { role, grants, server, withheld, link },
    });
    this.#frames.closeAll();
    this.#subscriptions.reopen();
  }

  async #join(session: string): Promise<void> {
    try {
      const answer = await this.#connection.request('session.join', { session });
      const known = this.#store.getState().timelines.get(session) ?? [];
      this.#store.setState(
        change.withEvents(change.withSession(this.#store.getState(), answer.session), session, answer.timeline),
      );
      await closeGap(this.#connection, this.#store, session, known, answer.timeline);
    } catch (thrown) {
      if (!(thrown instanceof WheelhouseError) || thrown.code !== 'NOT_FOUND') throw thrown;
      this.#store.setState((state) => change.withGone(state, session, thrown.message));
    }
  }

  async #openStream(request: StreamRequest, sink: StreamSink): Promise<string> {
    this.#frames.openingBegins();
    try {
      const { stream } = await this.#connection.request('stream.open', request);
      this.#frames.openingEnds(stream, sink);
      return stream;
    } catch (thrown) {
      this.#frames.openingEnds();
      throw thrown;
    }
  }

  #closeStream(stream: string): void {
    this.#frames.close(stream);
    if (this.#connection.online)
      void this.#connection.request('stream.close', { stream }).catch((thrown: unknown) => this.#trouble(thrown));
  }

  /** Resolves true once the connection is online again, false when it will not reconnect by itself. */
  #backOnline(): Promise<boolean> {
    return new Promise((resolve) => {
      const stop = this.#store.subscribe(({ connection }) => {
        if (connection.state === 'connecting' || connection.state === 'reconnecting') return;
        stop();
        resolve(connection.state === 'online');
      });
    });
  }
}

function isWithheld(thrown: unknown): boolean {
  return thrown instanceof WheelhouseError && withheldSchema.safeParse(thrown.details?.['reason']).success;
}

function isGone(thrown: unknown): boolean {
  return thrown instanceof WheelhouseError && (thrown.code === 'NOT_FOUND' || thrown.code === 'TAB_NOT_FOUND');
}

/** Parses the server's pushes: state goes to the store, pictures to their painters. */
function listenToPushes(
  connection: ServerConnection,
  { store, frames, buffers, cursors, trouble, unfit }: PushTargets,
): void {
  const push = <T>(event: string, schema: z.ZodType<T>, then: (data: T) => void): void => {
    connection.on(event, (data) => {
      const parsed = schema.safeParse(data);
      if (parsed.success) then(parsed.data);
      else trouble(parsed.error);
    });
  };
  push('session.state', PUSHES['session.state'], (session) =>
    store.setState((state) => change.withPushedSession(state, session)),
  );
  push('session.gone', PUSHES['session.gone'], ({ id, reason, said }) =>
    store.setState((state) => change.withGone(state, id, reason, said)),
  );
  push('rights', PUSHES.rights, (rights) => store.setState((state) => change.withRights(state, rights)));
  push('timeline', PUSHES.timeline, ({ session, events }) =>
    store.setState((state) => change.withEvents(state, session, events)),
  );
  push('snapshot', PUSHES.snapshot, ({ session, tab, snapshot }) =>
    store.setState((state) => change.withSnapshot(state, change.snapshotKey(session, tab), snapshot)),
  );
  push('snapshot.patch', PUSHES['snapshot.patch'], ({ session, tab, patch }) => {
    const key = change.snapshotKey(session, tab);
    const next = change.withPatch(store.getState(), key, patch);
    if (next) store.setState(next);
    else unfit(key);
  });
  push('rings', PUSHES.rings, (news) => buffers.deliver(news.session, news.tab, news.rings));
  push('cursors', PUSHES.cursors, ({ session, tab, ...news }) => cursors.deliver(session, tab, news));
  push('files', PUSHES.files, ({ session, files }) =>
    store.setState((state) => change.withFiles(state, session, files)),
  );
  push('comments', PUSHES.comments, ({ session, comments }) =>
    store.setState((state) => change.withComments(state, session, comments)),
  );
  push('stream.status', PUSHES['stream.status'], (status) => frames.status(status));
  connection.on('frame', (meta, picture, painted) => frame(frames, meta, picture, painted));
}

function isCredit(value: unknown): value is () => void {
  return typeof value === 'function';
}

/** Returns the credit also for a picture that cannot be parsed. */
function frame(frames: FrameRoutes, meta: unknown, picture: unknown, painted: unknown): void {
  const parsed = PUSHES.frame.safeParse(meta);
  const credit = isCredit(painted) ? painted : () => undefined;
  if (parsed.success && picture instanceof ArrayBuffer) frames.frame({ meta: parsed.data, picture, painted: credit });
  else credit();
}

/**
 * Fetches the events between the newest known one and the oldest one of a join, so that a lost connection loses no
 * event.
 */
async function closeGap(
  connection: ServerConnection,
  store: ClientStore,
  session: string,
  known: readonly TimelineEvent[],
  fresh: readonly TimelineEvent[],
): Promise<void> {
  let first = fresh;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const before = gapBefore(known, first);
    if (before === undefined) return;
    const { events } = await connection.request('timeline.list', { session, before, limit: PAGE });
    if (events.length === 0) return;
    store.setState((state) => withEvents(state, session, events));
    first = events;
  }
}
