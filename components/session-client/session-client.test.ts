import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server, type Socket } from 'socket.io';
import { afterEach, describe, expect, it } from 'vitest';
import { PROTOCOL_VERSION, type RightsView } from '@/lib/protocol/catalog';
import type { SessionView, TimelineEvent } from '@/lib/protocol/views';
import { SessionClient } from './session-client';
import { Deferred } from '@/lib/async/deferred';
import { createClientStore } from './client-store';
import type { ClientState } from './client-state';

type Answer = (ack: unknown) => void;
type Handler = (payload: Record<string, unknown>, socket: Socket) => unknown;

const you = { id: 'p', name: 'Ana', kind: 'human', colour: 0, online: true, grants: [] };
const workspace = { id: 'w_1', name: 'Home' };
const rights: RightsView = { role: 'member', grants: ['watch', 'drive'], server: false, withheld: null };
const hello = { you, protocol: PROTOCOL_VERSION, demoAvailable: true, workspace, ...rights };
const reply = { ok: true, id: 'r', kind: 'click', tab: 't1', url: '', startedAt: '', ms: 1, warnings: [] };
const session: SessionView = {
  id: 's',
  name: 'a',
  state: 'live',
  stateReason: '',
  createdAt: '',
  browser: { id: 'b', product: '', origin: 'launched' },
  isolation: 'context',
  viewport: { width: 1, height: 1 },
  activeTab: null,
  tabs: [],
  participants: [],
  lastEvent: null,
  version: 1,
};
const event = (seq: number): TimelineEvent => ({
  seq,
  id: `${seq}`,
  phase: 'event',
  at: '',
  actor: { id: 'a', name: 'a', kind: 'agent' },
  door: 'http',
  kind: 'click',
  text: '',
});

const closers: (() => void)[] = [];
afterEach(() => closers.splice(0).forEach((close) => close()));

/** A real Socket.IO server on loopback that answers by `handlers`, and a client of it. */
async function clientWith(
  handlers: Readonly<Record<string, Handler>>,
  admit: () => Error | undefined = () => undefined,
  link?: string,
) {
  const http: HttpServer = createServer();
  const io = new Server(http, { transports: ['websocket'], serveClient: false });
  io.use((_, next) => next(admit()));
  io.on('connection', (socket) => {
    socket.onAny((name: string, payload: Record<string, unknown>, answer: Answer) => {
      const data = (handlers[name] ?? (() => (name === 'hello' ? hello : {})))(payload, socket);
      if (data !== undefined) answer({ ok: true, data });
    });
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const { port } = addressOf(http);
  const store = createClientStore();
  const client = new SessionClient({
    ...{ store, link },
    url: `http://127.0.0.1:${port}`,
    isSignedOut: async () => false,
    random: () => 0,
  });
  closers.push(
    () => client.stop(),
    () => void io.close(),
  );
  const until = (done: (state: ClientState) => boolean) =>
    new Promise<ClientState>((resolve) => {
      const look = (state: ClientState) => done(state) && resolve(state);
      closers.push(store.subscribe(look));
      look(store.getState());
    });
  return { client, store, until };
}

function addressOf(http: HttpServer): AddressInfo {
  const address = http.address();
  if (address === null || typeof address === 'string') throw new Error('The test server does not listen.');
  return address;
}

describe('RoomClient', () => {
  it('[F7] sends an action again under the same id when the line broke before its answer', async () => {
    const ids: unknown[] = [];
    const { client, until } = await clientWith({
      act: ({ action }, socket) => {
        ids.push(typeof action === 'object' && action !== null && 'id' in action ? action.id : undefined);
        if (ids.length > 1) return reply;
        socket.disconnect(true);
        return undefined;
      },
    });
    client.watchWall();
    await until(({ connection }) => connection.state === 'online');
    await expect(client.perform('s', 't1', { kind: 'click', ref: 'e1' })).resolves.toMatchObject({ ok: true });
    expect(ids).toEqual([ids[0], ids[0]]);
    expect(ids[0]).toMatch(/^[0-9a-f]{24}$/);
  });

  it('[DO2] turns a reply that is not ok into its error', async () => {
    const error = { code: 'COVERED', message: 'It is covered.', hint: 'Close it.', retry: 'after-snapshot' };
    const { client, until } = await clientWith({ act: () => ({ ...reply, ok: false, error }) });
    client.watchWall();
    await until(({ connection }) => connection.state === 'online');
    await expect(client.perform('s', 't1', { kind: 'click', ref: 'e1' })).rejects.toMatchObject({
      code: 'COVERED',
      hint: 'Close it.',
    });
  });

  it('[FR6] tells the server another quality of a stream, and opens the stream with it after a lost line', async () => {
    const told: string[] = [];
    const enough = new Deferred();
    const pinned = new Deferred();
    const { client, until } = await clientWith({
      'wall.watch': () => ({ sessions: [] }),
      'stream.open': ({ tier }) => {
        told.push(`open ${String(tier)}`);
        if (told.length === 4) enough.resolve();
        return { stream: 'v1' };
      },
      'stream.pin': ({ tier }, socket) => {
        told.push(`pin ${String(tier)}`);
        pinned.resolve();
        if (tier === 'standard') socket.disconnect(true);
        return {};
      },
    });
    client.watchWall();
    await until(({ connection }) => connection.state === 'online');
    const sink = { onOpen: () => undefined, onFrame: () => undefined, onStatus: () => undefined };
    const stream = client.openStream({ session: 's', tab: 't1', tier: 'auto' }, sink);
    // Chosen after the request for the stream, before its answer.
    await Promise.resolve();
    stream.pin({ tier: 'low' });
    await pinned.promise;
    stream.pin({ tier: 'standard' });
    await enough.promise;
    stream.close();
    expect(told).toEqual(['open auto', 'pin low', 'pin standard', 'open standard']);
  });

  it('[TL1] loses no event of the timeline over a lost line', async () => {
    let joins = 0;
    const all = [1, 2, 3, 4, 5, 6, 7, 8].map(event);
    const { client, until } = await clientWith({
      'session.join': (_, socket) => {
        joins += 1;
        if (joins === 1) setTimeout(() => socket.disconnect(true), 0);
        return { session, timeline: joins === 1 ? all.slice(0, 2) : all.slice(6) };
      },
      'timeline.list': ({ before }) => ({ events: all.filter(({ seq }) => seq < Number(before)).slice(-2) }),
    });
    client.joinSession('s');
    const state = await until(({ timelines }) => timelines.get('s')?.length === 8);
    expect(state.timelines.get('s')).toEqual(all);
  });

  it('says that nobody is signed in, that the workspace is not there, and that the page is outdated, instead of trying for ever', async () => {
    const refused = Object.assign(new Error('UNAUTHENTICATED'), {
      data: { code: 'UNAUTHENTICATED', message: '', hint: '', retry: 'no' },
    });
    const signedOut = await clientWith({}, () => refused);
    signedOut.client.watchWall();
    await signedOut.until(({ connection }) => connection.state === 'signed-out');
    const missing = Object.assign(new Error('NOT_FOUND'), { data: { ...refused.data, code: 'NOT_FOUND' } });
    const elsewhere = await clientWith({}, () => missing);
    elsewhere.client.watchWall();
    await elsewhere.until(({ connection }) => connection.state === 'no-workspace');
    const outdated = await clientWith({ hello: () => ({ ...hello, protocol: PROTOCOL_VERSION + 1 }) });
    outdated.client.watchWall();
    await outdated.until(({ connection }) => connection.state === 'outdated');
  });

  it('[T9][AU4] a guest whose link ended is told why at the next handshake, at once, and it tries no more', async () => {
    const over = Object.assign(new Error('UNAUTHENTICATED'), {
      data: { code: 'UNAUTHENTICATED', message: '', hint: '', retry: 'no', details: { reason: 'revoked' } },
    });
    const seen: unknown[] = [];
    const without = Object.assign(new Error('UNAUTHENTICATED'), { data: { ...over.data, details: {} } });
    const refusals = [without, over];
    const link = { id: 'sh_1', session: 's', tab: null, grants: ['watch'], expiresAt: '' };
    const { client, until } = await clientWith(
      {
        hello: (_payload, { handshake: { auth, query } }) => {
          seen.push(auth, query['link']);
          return { ...hello, workspace: null, role: null, link };
        },
        'session.join': (_payload, socket) => void socket.disconnect(true),
      },
      () => (seen.length > 0 ? refusals.shift() : undefined),
      'sh_1',
    );
    client.joinSession('s');
    const { connection } = await until((state) => state.connection.state === 'link-over');

    expect(connection).toEqual({ state: 'link-over', why: 'revoked' });
    expect(seen).toEqual([{ link: 'sh_1' }, 'sh_1']);
  });

  it('[AU3] has the new rights at once when the server tells them', async () => {
    const lowered: RightsView = { ...rights, role: 'viewer', grants: ['watch'] };
    const { client, until, store } = await clientWith({
      'wall.watch': (_payload, socket) => {
        socket.emit('rights', lowered);
        return { sessions: [] };
      },
    });
    client.watchWall();
    await until((state) => state.rights?.role === 'viewer');

    expect(store.getState()).toMatchObject({ rights: lowered, you: { id: 'p', grants: ['watch'] } });
  });

  it('[BU2] gives up a request that is not answered in its time', async () => {
    const { client, until } = await clientWith({ copy: () => undefined });
    client.watchWall();
    await until(({ connection }) => connection.state === 'online');
    await expect(client.request('copy', { session: 's', tab: 't1', epoch: 1, cut: false }, 30)).rejects.toMatchObject({
      code: 'TIMEOUT',
    });
  });
});
