import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TraceScanner } from './scanner';

/** Feeds the text in pieces of `size` characters, and returns the events found. */
function scanned(text: string, size: number, longest = 1_000): { events: unknown[]; skipped: number } {
  const scanner = new TraceScanner(longest);
  const texts: string[] = [];
  for (let at = 0; at < text.length; at += size) texts.push(...scanner.feed(text.slice(at, at + size)));
  return { events: texts.map((event): unknown => JSON.parse(event)), skipped: scanner.skipped };
}

const anyEvent = fc.record({
  name: fc.oneof(fc.string(), fc.constantFrom('"}', '\\"{', ']}', '"traceEvents":[')),
  args: fc.jsonValue(),
});

describe('a trace that arrives in pieces', () => {
  it('[PS5] is taken apart into its events, wherever it is cut', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 6 }), fc.integer({ min: 1, max: 40 }), (events, size) => {
        const text = JSON.stringify({
          metadata: { note: '"traceEvents":[{}]' },
          traceEvents: events,
          after: [{ name: 'no event' }],
        });
        expect(scanned(text, size, 100_000)).toEqual({ events: JSON.parse(JSON.stringify(events)), skipped: 0 });
      }),
      { numRuns: 500 },
    );
  });

  it.each([1, 7, 10_000])(
    '[PS5] one event beyond the limit is skipped and counted; its neighbours are not (pieces of %i)',
    (size) => {
      const text = JSON.stringify({
        traceEvents: [{ a: 1 }, { long: 'x'.repeat(2_000), deep: [{ b: '}' }] }, { c: 3 }],
      });
      expect(scanned(text, size)).toEqual({ events: [{ a: 1 }, { c: 3 }], skipped: 1 });
    },
  );

  it('[PS5] half an event at the end does not count', () => {
    expect(scanned('{"traceEvents":[{"a":1},{"b":', 5)).toEqual({ events: [{ a: 1 }], skipped: 0 });
  });
});
