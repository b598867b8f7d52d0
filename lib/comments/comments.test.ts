import { describe, expect, it } from 'vitest';
import type { Actor } from '@/lib/protocol/views';
import { anchorIsGone, anchorState, clipped, onPage, presentBox, type ElementPlace, type PresentPage } from './anchor';
import { commentSchema, type Comment } from './comment';
import { newsOf, undelivered } from './delivery';
import { mentionsIn } from './mentions';
import { countsOf, isOpen } from './thread';

const ADA: Actor = { id: 'p_ada', name: 'Ada', kind: 'human' };
const BOT: Actor = { id: 'k_bot', name: 'bot', kind: 'agent' };

const comment = (seq: number, fields: Partial<Comment> = {}): Comment =>
  commentSchema.parse({
    ...{ id: `c_${seq}`, seq, tab: 't1', text: `Number ${seq}`, by: ADA, at: '2026-11-23T08:00:00.000Z' },
    ...{ mentions: [], forAgents: true, ...fields },
  });
const page = (document: string, fields: Partial<PresentPage> = {}): PresentPage => ({
  ...{ document, documentOf: () => undefined, knows: () => true, ...fields },
});
const given = (all: readonly Comment[], agent = 'k_bot', had: readonly string[] = []): string[] =>
  undelivered(all, agent, new Set(had)).comments.map(({ id }) => id);

describe('what an agent gets', () => {
  it('[TL3] is each open comment once, oldest first, ten at a time', () => {
    const all = Array.from({ length: 12 }, (_, index) => comment(12 - index));
    const first = undelivered(all, 'k_bot', new Set());
    const had = first.comments.map(({ id }) => id);

    expect([had[0], had.length, first.more]).toEqual(['c_1', 10, 2]);
    expect(given(all, 'k_bot', had)).toEqual(['c_11', 'c_12']);
    expect(
      given(
        all,
        'k_bot',
        all.map(({ id }) => id),
      ),
    ).toEqual([]);
    expect(given(all, 'k_other')).toHaveLength(10);
  });

  it('[TL3] is what somebody said who may drive, or passed on', () => {
    const watched = comment(1, { forAgents: false });
    const passed = comment(2, { forAgents: false, passed: { by: ADA, at: '2026-11-23T08:01:00.000Z' } });

    expect(given([watched, passed])).toEqual(['c_2']);
  });

  it('[TL3] is nothing that agents said', () => {
    expect(given([comment(1), comment(2, { by: BOT })])).toEqual(['c_1']);
  });

  it('[TL3] is for the agents that it mentions, where it mentions any', () => {
    const all = [comment(1, { mentions: ['k_bot/Mia'] }), comment(2, { mentions: ['p_bob'] })];

    expect([given(all, 'k_bot/Mia'), given(all, 'k_bot')]).toEqual([['c_1', 'c_2'], ['c_2']]);
  });

  it('[SN4][TL3] names the element by its ref while its document is there, afterwards by role and name alone', () => {
    const anchor = { ref: 'e7', role: 'button', name: 'Pay', document: 'd1', url: 'https://shop.example/' };
    const one = comment(1, { anchor });
    const words = { id: 'c_1', text: 'Number 1', by: 'Ada', role: 'button', name: 'Pay' };

    expect(newsOf(one, page('d1'))).toEqual({ ...words, ref: 'e7' });
    expect([newsOf(one, page('d2')), newsOf(one, undefined)]).toEqual([words, words]);
    expect(newsOf(one, page('d1', { knows: () => false }))).toEqual(words);
    expect(newsOf(comment(2), page('d1'))).toEqual({ id: 'c_2', text: 'Number 2', by: 'Ada' });
  });
});

describe('where a comment is', () => {
  it('[TL3] is its place on the page, wherever that is scrolled to', () => {
    const box = { x: 100, y: 200, width: 40, height: 20 };
    const stored = onPage(box, { pageX: 10, pageY: 1_000 });

    expect(stored).toEqual({ x: 110, y: 1_200, width: 40, height: 20 });
  });

  it('[TL3] is gone when the page was replaced, also by the same address, its frame was, or its tab closed', () => {
    const anchor = { document: 'd1', url: 'https://shop.example/' };
    const framed = { ...anchor, frame: { id: 'f1', document: 'd7' } };
    const withFrame = (document: string) => page('d1', { documentOf: (id) => (id === 'f1' ? document : undefined) });

    expect([anchorIsGone(anchor, page('d1')), anchorIsGone(anchor, page('d2'))]).toEqual([false, true]);
    expect(anchorIsGone(anchor, undefined)).toBe(true);
    expect([withFrame('d7'), withFrame('d8'), page('d1')].map((one) => anchorIsGone(framed, one))).toEqual([
      false,
      true,
      true,
    ]);
  });

  it('[TL3] is here, or moved with its element', () => {
    const box = { x: 100, y: 200, width: 40, height: 20 };
    const anchor = { document: 'd1', url: 'https://shop.example/', box };
    const state = (place: ElementPlace, document = 'd1') => anchorState(anchor, page(document), place);

    expect([state(undefined), state({ ...box, x: 102 }), state({ ...box, y: 203 }), state(box, 'd2')]).toEqual([
      'here',
      'here',
      'moved',
      'gone',
    ]);
    expect(state(null)).toBe('gone');
  });

  it('[TL3] moves with its element, also a box that was drawn beside it', () => {
    const element = { x: 100, y: 200, width: 40, height: 20 };
    const anchor = { document: 'd1', url: 'https://shop.example/', box: element };
    const drawn = { ...anchor, box: { x: 90, y: 190, width: 60, height: 40 }, elementBox: element };
    const place = { ...element, y: 500 };

    expect([presentBox(anchor, place), presentBox(drawn, place)]).toEqual([place, { ...drawn.box, y: 490 }]);
    expect([presentBox(anchor, null), presentBox(drawn, undefined)]).toEqual([element, drawn.box]);
    expect([anchorState(drawn, page('d1'), element), anchorState(drawn, page('d1'), place)]).toEqual(['here', 'moved']);
  });

  it('[TL3] is the part of a drawn box that lies within the page', () => {
    const area = { width: 800, height: 600 };
    const drawn = { x: -20, y: 580, width: 50, height: 50 };

    expect(clipped(drawn, area)).toEqual({ x: 0, y: 580, width: 30, height: 20 });
    expect([clipped({ ...drawn, x: -50 }, area), clipped({ ...drawn, y: 600 }, area)]).toEqual([undefined, undefined]);
  });
});

describe('a thread', () => {
  const all = new Map(
    [
      comment(1),
      comment(2, { by: BOT, reply: 'c_1' }),
      comment(3, { by: BOT, mentions: ['p_ada'], tab: 't2' }),
      comment(4, { mentions: ['p_ada'] }),
    ].map((one) => [one.id, one]),
  );
  const open = (closed: readonly string[] = []): string[] =>
    [...all.values()].filter((one) => isOpen(one, all, new Set(closed))).map(({ id }) => id);

  it('[TL3] is open until its first comment is resolved, and while its tab is there', () => {
    expect([open(), open(['t2'])]).toEqual([
      ['c_1', 'c_2', 'c_3', 'c_4'],
      ['c_1', 'c_2', 'c_4'],
    ]);
    all.set('c_1', comment(1, { resolved: { by: ADA, at: '2026-11-23T08:01:00.000Z' } }));
    expect(open()).toEqual(['c_3', 'c_4']);
    all.set('c_1', comment(1));
  });

  it('[TL3] concerns who is mentioned in it or answered, but not by themselves', () => {
    const counts = (who: string) => countsOf([...all.values()], who, all);

    expect(counts('p_ada')).toEqual({ open: 4, mine: 2, last: 3 });
    expect(counts('p_bob')).toEqual({ open: 4, mine: 0 });
  });
});

describe('whom a comment mentions', () => {
  const people = [
    { id: 'p_1', name: 'Ada' },
    { id: 'p_2', name: 'Ada Lovelace' },
    { id: 'g_1', name: 'Guest: Mia' },
    { id: 'k_1/bot', name: 'shop-bot' },
    { id: 'p_3', name: '李雷' },
    { id: 'p_4', name: '' },
  ];

  it.each([
    ['@ada look', ['p_1']],
    ['ask @Ada Lovelace, then @ada', ['p_2', 'p_1']],
    ['@shop-bot: click it, @Guest: Mia', ['k_1/bot', 'g_1']],
    ['请看@李雷这里', ['p_3']],
    ['@Adam ada@ada.com @ @@', []],
    ['@ada @ada @ada', ['p_1']],
  ])('[TL3] %s', (text, mentioned) => {
    expect(mentionsIn(text, people)).toEqual(mentioned);
  });

  it('[TL3] are ten at most', () => {
    const many = Array.from({ length: 20 }, (_, index) => ({ id: `p_${index}`, name: `n${index}x` }));
    expect(mentionsIn(many.map(({ name }) => `@${name}`).join(' '), many)).toHaveLength(10);
  });
});
