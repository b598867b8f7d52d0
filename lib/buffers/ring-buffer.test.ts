import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RingBuffer } from './ring-buffer';

const LIMITS = { keep: 7, perSecond: 3, latest: 2 };
const text = (text: string) => (): { text: string } => ({ text });
const texts = (ring: RingBuffer<{ text: string }>): string[] => ring.read({}).items.map((entry) => entry.text);

describe('a ring buffer', () => {
  it('[PS1] keeps the last entries with ids that only grow', () => {
    const ring = new RingBuffer<{ text: string }>({ keep: 2, perSecond: 10, latest: 0 });
    for (const word of ['a', 'b', 'c']) ring.add(0, text(word));

    expect(ring.read({})).toEqual({
      items: [
        { text: 'b', id: 2, rev: 2 },
        { text: 'c', id: 3, rev: 3 },
      ],
      next: 3,
      dropped: 0,
    });
  });

  it('[PS1] drops nothing while there is room, however fast entries come', () => {
    const ring = new RingBuffer<{ text: string }>(LIMITS);
    for (let line = 1; line <= 7; line += 1) ring.add(0, text(`${line}`));

    expect([texts(ring), ring.dropped]).toEqual([['1', '2', '3', '4', '5', '6', '7'], 0]);
  });

  it('[PS1] [F25] of a burst keeps the first and the newest; its middle is shed, and counted exactly', () => {
    const ring = new RingBuffer<{ text: string }>(LIMITS);
    for (let line = 1; line <= 12; line += 1) ring.add(0, text(`${line}`));

    expect([texts(ring), ring.dropped]).toEqual([['1', '2', '3', '9', '10', '11', '12'], 5]);
  });

  it('[PS1] [F25] a burst leaves some of the entries from before it', () => {
    const ring = new RingBuffer<{ text: string }>(LIMITS);
    for (let line = 1; line <= 3; line += 1) ring.add(0, text(`before ${line}`));
    for (let line = 1; line <= 9; line += 1) ring.add(2_000, text(`${line}`));

    expect([texts(ring), ring.dropped]).toEqual([['before 2', 'before 3', '1', '2', '3', '8', '9'], 4]);
  });

  it('[F25] parses only the entries that are kept after a burst, and counts the rest unparsed', () => {
    const ring = new RingBuffer<{ text: string }>(LIMITS);
    const made: number[] = [];
    const come = (line: number): void => {
      const make = (): { text: string } => (made.push(line), { text: `${line}` });
      if (!ring.addLazy(0, 1, make)) ring.add(0, make);
    };
    for (let line = 1; line <= 1_000; line += 1) come(line);
    ring.parseLazy();

    expect(made).toEqual([1, 2, 3, 4, 5, 6, 7, 997, 998, 999, 1_000]);
    expect(ring.read({})).toMatchObject({
      items: [{ id: 1 }, { id: 2 }, { id: 3 }, { id: 997 }, { id: 998 }, { id: 999 }, { id: 1_000, text: '1000' }],
      next: 1_000,
      dropped: 993,
    });
  });

  it('[F25] holds no more unread than a few megabytes; the newest stays', () => {
    const ring = new RingBuffer<{ text: string }>({ keep: 60, perSecond: 20, latest: 20 });
    for (let line = 1; line <= 200; line += 1)
      if (!ring.addLazy(0, 1_048_576, text(`${line}`))) ring.add(0, text(`${line}`));

    expect([texts(ring).slice(-4), ring.dropped + texts(ring).length]).toEqual([['197', '198', '199', '200'], 200]);
  });

  it('[PS1] removes entries that a reader has seen only when they are the oldest', () => {
    const ring = new RingBuffer<{ text: string }>(LIMITS);
    for (let line = 1; line <= 9; line += 1) ring.add(0, text(`${line}`));
    ring.read({});
    ring.add(0, text('10'));

    expect([texts(ring), ring.dropped]).toEqual([['2', '3', '6', '7', '8', '9', '10'], 2]);
  });

  it('[PS1] accepts the first entries of the next burst a second later', () => {
    const ring = new RingBuffer<{ text: string }>(LIMITS);
    for (let line = 1; line <= 9; line += 1) ring.add(0, text(`${line}`));
    for (let line = 10; line <= 13; line += 1) ring.add(1_000, text(`${line}`));

    expect([texts(ring), ring.dropped]).toEqual([['7', '8', '9', '10', '11', '12', '13'], 2]);
  });

  it('[PS1] gives a reader the entries that changed since, the oldest change first', () => {
    const ring = new RingBuffer<{ text: string }>(LIMITS);
    ring.add(0, text('a'));
    ring.add(0, text('b'));
    const { next } = ring.read({});
    ring.change(1, { text: 'a, done' });
    ring.add(0, text('c'));

    expect(ring.read({ since: next })).toEqual({
      items: [
        { text: 'a, done', id: 1, rev: 3 },
        { text: 'c', id: 4, rev: 4 },
      ],
      next: 4,
      dropped: 0,
    });
  });

  it('[PS1] after clear it is empty, and its ids continue', () => {
    const ring = new RingBuffer<{ text: string }>(LIMITS);
    ring.add(0, text('a'));
    const cleared = ring.clear();
    ring.add(0, text('b'));

    expect([cleared, ring.read({}).items]).toEqual([1, [{ text: 'b', id: 3, rev: 3 }]]);
  });

  it('[PS1] a reader with any page size sees every entry once, in the order of its change', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('add', 'change', 'read'), { maxLength: 60, size: 'max' }),
        fc.integer({ min: 1, max: 4 }),
        (steps, limit) => {
          const ring = new RingBuffer<{ text: string }>({ keep: 1_000, perSecond: 1_000, latest: 0 });
          const seen: number[] = [];
          let since = 0;
          const read = (): void => {
            const page = ring.read({ since, limit });
            seen.push(...page.items.map(({ rev }) => rev));
            since = page.next;
          };
          for (const step of steps) {
            if (step === 'add') ring.add(0, text('x'));
            else if (step === 'change') ring.change(1, { text: 'y' });
            else read();
          }
          while (since < ring.cursor) read();
          const kept = ring.read({}).items.map(({ rev }) => rev);
          return (
            seen.every((rev, index) => index === 0 || rev > (seen[index - 1] ?? 0)) &&
            kept.every((rev) => seen.includes(rev))
          );
        },
      ),
    );
  });
});
