import { describe, expect, it } from 'vitest';
import { aComment } from '@/components/testing/views';
import { boxBetween, boxByKey } from './drawn-box';
import { fitting, mentionBefore, mentionParts, withMention } from './mention';
import { readSeen, ToldComments, unreadIn, withSeen } from './unread';
import { groupsOf, marksOf } from './threads';

describe('threads', () => {
  it('[TL3] are in groups by where their page is, the newest first, with their answers below', () => {
    const all = [
      aComment(1),
      aComment(2, { reply: 'c_1' }),
      aComment(3, { state: 'gone' }),
      aComment(4, { tab: 't2' }),
      aComment(5, { open: false }),
      aComment(6),
      aComment(7, { reply: 'c_unknown' }),
    ];
    const groups = groupsOf(all.toReversed(), 't1');
    const ids = [groups.here, groups.gone, groups.elsewhere, groups.past].map((group) =>
      group.map(({ first }) => first.seq),
    );

    expect(ids).toEqual([[7, 6, 1], [3], [4], [5]]);
    expect(groups.here[2]?.answers.map(({ seq }) => seq)).toEqual([2]);
  });

  it('[TL3] have a mark on the picture while they are open and their place is there', () => {
    const anchor = { box: { x: 1, y: 2, width: 3, height: 4 }, document: 'd', url: '' };
    const placed = aComment(1, { anchor, state: 'here' });
    const without = [
      aComment(2, { anchor, state: 'gone' }),
      aComment(3, { anchor, state: 'here', tab: 't2' }),
      aComment(4, { anchor, state: 'here', open: false }),
      aComment(5),
      aComment(6, { anchor: { document: 'd', url: '' }, state: 'here' }),
    ];

    expect(marksOf([placed, ...without], 't1')).toEqual([placed]);
  });
});

describe('a mention', () => {
  it.each([
    ['ask @ad', 7, { at: 4, query: 'ad' }],
    ['@', 1, { at: 0, query: '' }],
    ['@Guest: M', 9, { at: 0, query: 'Guest: M' }],
    ['@ada', 0, undefined],
    ['ada@example', 11, undefined],
    ['@ada\nthen', 9, undefined],
    ['no one', 6, undefined],
  ])('[TL3] is being typed in %j at %i or not', (text, caret, draft) => {
    expect(mentionBefore(text, caret)).toEqual(draft);
  });

  it('[TL3] is completed by name or by a word of it, and the caret stands behind it', () => {
    const people = [{ name: 'Ada' }, { name: 'Guest: Mia' }, { name: 'shop-bot' }];
    expect(['', 'MI', 'bot', 'x'].map((query) => fitting(people, query).map(({ name }) => name))).toEqual([
      ['Ada', 'Guest: Mia', 'shop-bot'],
      ['Guest: Mia'],
      ['shop-bot'],
      [],
    ]);
    expect(withMention('ask @mi please', { at: 4, query: 'mi' }, 'Guest: Mia')).toEqual({
      text: 'ask @Guest: Mia please',
      caret: 16,
    });
  });

  it('[TL3] offers no name once one is written out in full', () => {
    const people = [{ name: 'Anna' }, { name: 'Anna B' }, { name: 'Annabel' }];
    const offered = ['ann', 'anna', 'Anna ', 'Anna B', 'Anna be quick', 'annab'].map((query) =>
      fitting(people, query).map(({ name }) => name),
    );
    expect(offered).toEqual([['Anna', 'Anna B', 'Annabel'], [], [], [], [], ['Annabel']]);
  });

  it('[TL3] stands out in the text, the longest name first', () => {
    expect(mentionParts('@Ada Lovelace and @ada, not @adam', ['Ada', 'Ada Lovelace'])).toEqual([
      ...['', '@Ada Lovelace', ' and ', '@ada', ', not @adam'],
    ]);
    expect(mentionParts('请看@李雷这里', ['李雷'])).toEqual(['请看', '@李雷', '这里']);
    expect(mentionParts('a+b (c)', ['a+b', '(c)'])).toEqual(['a+b (c)']);
  });
});

describe('comments for the reader', () => {
  const session = (id: string, last?: number) => ({
    id,
    ...(last !== undefined && { comments: { open: 5, mine: 2, last } }),
  });

  it('[TL3] are new until the newest of them was seen, also after one is resolved', () => {
    const seen = readSeen(withSeen(readSeen('no JSON'), 's1', 7));
    const sessions = [session('s1', 8), session('s1', 7), session('s1', 5), session('s2', 1), session('s2')];
    expect(sessions.map((one) => unreadIn(one, seen))).toEqual([2, 0, 0, 2, 0]);
  });

  it('[TL3] are told once, and not those that were there when the page was loaded', () => {
    const told = new ToldComments();
    const steps = [[session('s1', 3)], [session('s1', 3)], [session('s1', 4), session('s2', 1)], [session('s1', 3)]];
    expect([...steps, [session('s1', 4)]].map((now) => told.fresh(now).map(({ id }) => id))).toEqual([
      ...[[], [], ['s1', 's2'], [], []],
    ]);
  });
});

describe('a box on the picture', () => {
  const page = { width: 800, height: 600 };

  it('[TL3] lies between the corners in any order, within the page; a press alone means the point', () => {
    expect(boxBetween({ x: 50, y: 60 }, { x: 10, y: 20 }, page)).toEqual({ x: 10, y: 20, width: 40, height: 40 });
    expect(boxBetween({ x: 790, y: 590 }, { x: 900, y: 900 }, page)).toEqual({ x: 790, y: 590, width: 10, height: 10 });
    expect(boxBetween({ x: 100, y: 100 }, { x: 101, y: 100 }, page)).toMatchObject({ y: 88, height: 24 });
  });

  it('[TL3] is put, moved and sized by arrow keys', () => {
    const first = boxByKey(undefined, 'ArrowDown', false, page);
    expect(first).toEqual({ x: 352, y: 276, width: 96, height: 48 });
    expect(boxByKey(first, 'ArrowRight', false, page)).toMatchObject({ x: 376, width: 96 });
    expect(boxByKey(first, 'ArrowLeft', true, page)).toMatchObject({ x: 352, width: 72 });
    expect(boxByKey({ x: 0, y: 0, width: 24, height: 24 }, 'ArrowUp', true, page)).toMatchObject({ y: 0, height: 24 });
    expect(boxByKey({ x: 0, y: 0, width: 96, height: 24 }, 'ArrowLeft', false, page)).toMatchObject({ x: 0 });
    expect(boxByKey(first, 'a', false, page)).toBeUndefined();
  });
});
