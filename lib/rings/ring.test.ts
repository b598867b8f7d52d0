import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Ring } from './ring';

const LIMITS = { keep: 5, perSecond: 3 };
const text = (text: string) => (): { text: string } => ({ text });

describe('a ring', () => {
  it('[PS1] keeps the last entries with ids that only grow', () => {
    const ring = new Ring({ keep: 2, perSecond: 10 });
    for (const word of ['a', 'b', 'c']) ring.add(0, text(word));

    expect(ring.read({})).toEqual({ items: [{ text: 'b', id: 2, rev: 2 }, { text: 'c', id: 3, rev: 3 }], next: 3, dropped: 0 });
  });

  it('[F25] counts exactly what came too fast, and a second later takes more', () => {
    const ring = new Ring(LIMITS);
    for (let line = 0; line < 10; line += 1) ring.add(0, text(`early ${line}`));
    ring.add(999, text('still early'));
    ring.add(1_000, text('late'));

    expect(ring.read({})).toMatchObject({ items: [{ id: 1 }, { id: 2 }, { id: 3 }, { id: 12, text: 'late' }], next: 12, dropped: 8 });
  });

  it('[F25] passes over what comes too fast without a look, and counts it', () => {
    const ring = new Ring(LIMITS);
    const passed = Array.from({ length: 6 }, (_, line) => ring.passOver(0) || (ring.add(0, text(`line ${line}`)), false));

    expect([passed, ring.passOver(1_000)]).toEqual([[false, false, false, true, true, true], false]);
    expect(ring.read({})).toMatchObject({ items: [{ id: 1 }, { id: 2 }, { id: 3 }], next: 6, dropped: 3 });
  });

  it('[F25] makes nothing of an entry that is not kept', () => {
    const ring = new Ring({ keep: 5, perSecond: 0 });
    ring.add(0, () => {
      throw new Error('made');
    });

    expect(ring.dropped).toBe(1);
  });

  it('[PS1] gives a reader what changed since, the oldest change first', () => {
    const ring = new Ring(LIMITS);
    ring.add(0, text('a'));
    ring.add(0, text('b'));
    const { next } = ring.read({});
    ring.change(1, { text: 'a, done' });
    ring.add(0, text('c'));

    expect(ring.read({ since: next })).toEqual({ items: [{ text: 'a, done', id: 1, rev: 3 }, { text: 'c', id: 4, rev: 4 }], next: 4, dropped: 0 });
  });

  it('[PS1] cleared, it is empty and goes on counting', () => {
    const ring = new Ring(LIMITS);
    ring.add(0, text('a'));
    const cleared = ring.clear();
    ring.add(0, text('b'));

    expect([cleared, ring.read({}).items]).toEqual([1, [{ text: 'b', id: 3, rev: 3 }]]);
  });

  it('[PS1] a reader with any page size sees every entry once, in the order of its change', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('add', 'change', 'read'), { maxLength: 60 }), fc.integer({ min: 1, max: 4 }), (steps, limit) => {
        const ring = new Ring<{ text: string }>({ keep: 1_000, perSecond: 1_000 });
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
        return seen.every((rev, index) => index === 0 || rev > (seen[index - 1] ?? 0)) && kept.every((rev) => seen.includes(rev));
      }),
    );
  });
});
