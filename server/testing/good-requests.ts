import { CLIENT_EVENTS, type ClientEvent } from '@/lib/protocol/catalog';

/**
 * A good body for each route below `/api/v1` that cannot be understood without one. Used by the tests that send
 * everything to both doors; a new route that needs a body fails there until it is here.
 */
export const GOOD_BODIES: Readonly<Record<string, object>> = {
  'PATCH /sessions/:s': { name: 'Taken' },
  'PATCH /sessions/:s/access': { watchOnly: true },
  'PATCH /sessions/:s/policy': { egress: null },
  'POST /sessions/:s/tabs/:t/act': { kind: 'none' },
  'POST /sessions/:s/tabs/:t/steps': { step: 'none' },
  'POST /sessions/:s/tabs/:t/control': { do: 'take' },
  'PUT /sessions/:s/tabs/:t/cookies': { cookies: [{ name: 'a', value: 'b' }] },
  'PUT /sessions/:s/tabs/:t/storage/local': { values: { a: 'b' } },
  'PUT /sessions/:s/tabs/:t/storage/session': { values: { a: 'b' } },
  'PUT /sessions/:s/tabs/:t/emulation': { timezone: 'Europe/London' },
  'PATCH /members/:id': { role: 'viewer' },
  'PATCH /keys/:id': { name: 'Taken' },
  'PATCH /invitations/:id': { role: 'viewer' },
  'POST /sessions/:s/links': {},
  'POST /sessions/:s/tabs/:t/comments': { text: 'Look here' },
  'PATCH /sessions/:s/links/:id': {},
  'POST /workspaces': { name: 'Made' },
  'PATCH /workspace': {},
  'POST /workspace/guard/check': { url: 'http://example.com/' },
};

/** Likewise the queries. */
export const GOOD_QUERIES: Readonly<Record<string, string>> = {
  'GET /sessions/:s/guard/check': '?url=http://example.com/',
};

/** Method and path of a route as the tables above name it. */
export function shortName({ method, path }: { readonly method: string; readonly path: string }): string {
  return `${method} ${path.replace('/api/v1', '')}`;
}

/** The event of this name; throws where there is none. */
export function eventOf(name: string): ClientEvent {
  const found = Object.keys(CLIENT_EVENTS).find((event): event is ClientEvent => event === name);
  if (!found) throw new Error(`There is no event ${name}.`);
  return found;
}

/** A good payload for each event, about the first tab of a session. */
export function goodPayloads(session: string): Readonly<Record<ClientEvent, object>> {
  const tab = { session, tab: 't1' };
  return {
    hello: { protocol: 1 },
    'wall.watch': {},
    'wall.unwatch': {},
    'session.join': { session },
    'session.leave': { session },
    'stream.open': { ...tab, tier: 'thumbnail' },
    'stream.pin': { stream: 'v1', tier: 'auto' },
    'stream.close': { stream: 'v1' },
    input: { ...tab, epoch: 0, geometry: 0, event: { type: 'move', x: 1, y: 1, buttons: 0, modifiers: 0 } },
    copy: { ...tab, epoch: 0, cut: false },
    act: { ...tab, action: { kind: 'none' } },
    control: { ...tab, do: 'release' },
    'snapshot.watch': { ...tab, options: {} },
    'snapshot.unwatch': tab,
    'rings.watch': tab,
    'rings.unwatch': tab,
    'files.watch': { session },
    'files.unwatch': { session },
    'comments.watch': { session },
    'comments.unwatch': { session },
    'element.at': { ...tab, x: 1, y: 1 },
    'element.box': { ...tab, ref: 'e1' },
    cursor: { ...tab, at: { x: 1, y: 1 } },
    hand: { session, up: true },
    'timeline.list': { session },
  };
}
