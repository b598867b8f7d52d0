import { describe, expect, it } from 'vitest';
import { aComment } from '@/components/testing/views';
import {
  EMPTY_CLIENT_STATE,
  withComments,
  withEvents,
  withGone,
  withList,
  withPatch,
  withPushedSession,
  withRights,
  withSession,
  withSnapshot,
} from './client-state';
import { gapBefore } from './timeline-log';
import type { SessionView, SnapshotView, TimelineEvent } from '@/lib/protocol/views';

const session = (version: number, name = 'a'): SessionView => ({
  id: 's',
  name,
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
  version,
});
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
const snapshot = (revision: number, url = 'u'): SnapshotView => ({
  text: `${revision}`,
  refs: [],
  stats: {
    lines: 0,
    chars: 0,
    tokens: 0,
    refs: 0,
    interactive: 0,
    depth: 0,
    ms: { total: 0, ax: 0, dom: 0, format: 0 },
  },
  revision,
  source: { kind: 'ax', reason: '' },
  url,
  title: '',
});
const seqs = (events: readonly TimelineEvent[] | undefined) => events?.map(({ seq }) => seq);

describe('what a guest may', () => {
  it('[AU4] is what their link gives at the moment: the view of a session is the same for all its guests', () => {
    const person = (id: string) => ({ id, name: id, kind: 'human' as const, colour: 1, online: true, grants: [] });
    const link = { id: 'sh_1', session: 's', tab: null, by: 'Ana', name: 'Kiln', grants: ['watch'], expiresAt: '' };
    const rights = { role: null, grants: [], server: false, withheld: null };
    const guest = withRights({ ...EMPTY_CLIENT_STATE, you: person('g_mia') }, { ...rights, link });
    const here = withPushedSession(guest, { ...session(1), participants: [person('p_ana'), person('g_mia')] });
    const given = withRights(here, { ...rights, link: { ...link, grants: ['watch', 'drive'] } });
    const grants = (state: typeof here) => state.sessions.get('s')?.participants.map((one) => one.grants);

    expect([grants(here), grants(given)]).toEqual([
      [[], ['watch']],
      [[], ['watch', 'drive']],
    ]);
  });
});

describe('room state', () => {
  it('drops an older state that arrives late, but believes a join of a restarted server', () => {
    const state = withList(EMPTY_CLIENT_STATE, [session(7, 'new')]);
    expect(withPushedSession(state, session(6, 'old')).sessions.get('s')?.name).toBe('new');
    expect(withSession(state, session(1, 'restarted')).sessions.get('s')?.name).toBe('restarted');
  });

  it('remembers why a session is gone until it is there again', () => {
    const gone = withGone(withList(EMPTY_CLIENT_STATE, [session(1)]), 's', 'ended');
    expect([gone.sessions.has('s'), gone.gone.get('s')]).toEqual([false, { reason: 'ended', wasHere: true }]);
    expect(withGone(EMPTY_CLIENT_STATE, 's', 'no such session').gone.get('s')).toEqual({
      reason: 'no such session',
      wasHere: false,
    });
    expect(withSession(gone, session(2)).gone.has('s')).toBe(false);
  });

  it('[TL1] keeps events by their number, each once, whatever the order they come in', () => {
    const state = [[event(3)], [event(1), event(2)], [event(2), event(4)]].reduce(
      (client, events) => withEvents(client, 's', events),
      EMPTY_CLIENT_STATE,
    );
    expect(seqs(state.timelines.get('s'))).toEqual([1, 2, 3, 4]);
  });

  it('finds what is missing after a reconnect', () => {
    expect(gapBefore([event(1), event(2)], [event(5), event(6)])).toBe(5);
    expect(gapBefore([event(1), event(2)], [event(3)])).toBeUndefined();
    expect(gapBefore([event(1), event(2)], [event(2), event(3)])).toBeUndefined();
    expect(gapBefore([], [event(90)])).toBeUndefined();
  });

  it('[TL3] keeps all open comments and the latest 200 others, however many come', () => {
    const news = Array.from({ length: 300 }, (_, at) => aComment(at + 1, { open: at === 0 }));
    const kept = news.reduce((state, one) => withComments(state, 's', [one]), EMPTY_CLIENT_STATE).comments.get('s');

    expect([kept?.size, kept?.has('c_1'), kept?.has('c_100'), kept?.has('c_101')]).toEqual([201, true, false, true]);
  });

  it('[SN8] changes the lines that a patch names, and takes none for another revision', () => {
    const ref = (name: string) => ({ ref: name, role: 'button', name: '' });
    const whole: SnapshotView = {
      ...snapshot(4),
      text: '- list\n  - button [ref=e1]\n  - button [ref=e2]',
      refs: [ref('e1'), ref('e2')],
    };
    const state = withSnapshot(EMPTY_CLIENT_STATE, 'k', whole);
    const { text: _text, ...about } = snapshot(5);
    const patch = {
      ...about,
      since: 4,
      refs: [ref('e7')],
      edits: [{ at: 2, remove: 1, insert: ['  - button [ref=e7]', '  - text "e2"'] }],
    };
    const pair = withPatch(state, 'k', patch)?.snapshots.get('k');
    expect(pair).toEqual({
      before: whole,
      now: {
        ...snapshot(5),
        text: '- list\n  - button [ref=e1]\n  - button [ref=e7]\n  - text "e2"',
        refs: [ref('e1'), ref('e7')],
      },
    });
    expect([withPatch(state, 'k', { ...patch, since: 3 }), withPatch(EMPTY_CLIENT_STATE, 'k', patch)]).toEqual([
      undefined,
      undefined,
    ]);
  });

  it('[SN8] keeps the snapshot before the newest, and drops an older revision of the same page', () => {
    const state = [snapshot(1), snapshot(2), snapshot(1)].reduce(
      (client, one) => withSnapshot(client, 'k', one),
      EMPTY_CLIENT_STATE,
    );
    expect(state.snapshots.get('k')).toEqual({ now: snapshot(2), before: snapshot(1) });
    expect(withSnapshot(state, 'k', snapshot(1, 'other page')).snapshots.get('k')?.now).toEqual(
      snapshot(1, 'other page'),
    );
  });
});
