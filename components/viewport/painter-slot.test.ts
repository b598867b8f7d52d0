import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arrive, decoded, emptySlot, type NumberedFrame, type Slot } from './painter-slot';

const frame = (seq: number, tab = 't1'): NumberedFrame => ({ tab, seq });

describe('painter slot', () => {
  it('[FR2] decodes the first picture, and of those that come meanwhile only the newest', () => {
    const first = arrive(emptySlot(), frame(1));
    const second = arrive(first.slot, frame(2));
    const third = arrive(second.slot, frame(3));
    expect([first.decode, second.decode, third.decode]).toEqual([frame(1), undefined, undefined]);
    expect(third.skipped).toEqual([frame(2)]);
    expect(decoded(third.slot)).toEqual({
      slot: { decoding: frame(3), waiting: undefined, shown: frame(1) },
      skipped: [],
      decode: frame(3),
    });
  });

  it('[FR2] passes over a picture that is older than what is shown', () => {
    const shown = decoded(arrive(emptySlot<NumberedFrame>(), frame(7)).slot).slot;
    expect(arrive(shown, frame(7)).skipped).toEqual([frame(7)]);
    expect(arrive(shown, frame(6)).decode).toBeUndefined();
  });

  it('[FR3] takes the first picture of another tab whatever its number', () => {
    const shown = decoded(arrive(emptySlot<NumberedFrame>(), frame(900)).slot).slot;
    expect(arrive(shown, frame(1, 't2')).decode).toEqual(frame(1, 't2'));
  });

  it('goes on with the next picture when one cannot be decoded', () => {
    const busy = arrive(arrive(emptySlot<NumberedFrame>(), frame(1)).slot, frame(2)).slot;
    expect(decoded(busy, true)).toEqual({
      slot: { decoding: frame(2), waiting: undefined, shown: undefined },
      skipped: [],
      decode: frame(2),
    });
  });

  it('[FR2] gives every picture back its credit exactly once, and never draws an older one after a newer', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.record({ seq: fc.integer({ min: 1, max: 30 }) }), fc.constant('decoded' as const)), {
          maxLength: 80,
        }),
        (moves) => {
          let slot: Slot<NumberedFrame> = emptySlot();
          let arrived = 0;
          let credits = 0;
          let last = 0;
          for (const move of moves) {
            const current = slot.decoding;
            const step = move === 'decoded' ? decoded(slot) : arrive(slot, frame(move.seq));
            if (move !== 'decoded') arrived += 1;
            if (move === 'decoded' && current) {
              credits += 1;
              expect(current.seq).toBeGreaterThan(last);
              last = current.seq;
            }
            credits += step.skipped.length;
            slot = step.slot;
          }
          const held = [slot.decoding, slot.waiting].filter(Boolean).length;
          expect(credits + held).toBe(arrived);
        },
      ),
    );
  });
});
