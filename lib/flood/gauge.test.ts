import { describe, expect, it } from 'vitest';
import { FloodGauge, type FloodLook, type FloodStep } from './gauge';
import { COUNTED, floodLimits, MEASURED, type CountedKind, type MeasuredKind } from './limits';

const LIMITS = floodLimits(2, { slowMb: 2_048, parkMb: 3_072 });
const NOTHING: FloodLook['totals'] = { navigations: 0, popups: 0, downloads: 0, console: 0, requests: 0, dialogs: 0 };
const IDLE: FloodLook['levels'] = { processor: 0, script: 0, memory: 0, frames: 1 };

/**
 * The gauge's steps for a page that is sampled once a second; `at` gives its counts and levels by then. `emptyAfter`:
 * seconds until the empty page has replaced it.
 */
function steps(seconds: number, at: (second: number) => Partial<FloodLook>, emptyAfter = 0): string[] {
  const gauge = new FloodGauge(LIMITS);
  let emptyAt = Number.POSITIVE_INFINITY;
  const told = (step: FloodStep | undefined, second: number): string[] => {
    if (step?.do === 'park') emptyAt = second + emptyAfter;
    if (second >= emptyAt) gauge.emptied(second * 1_000);
    return step ? [`${second} s: ${step.do} (${step.kind})`] : [];
  };
  return Array.from({ length: seconds }, (_, second) =>
    told(gauge.look({ now: second * 1_000, totals: NOTHING, levels: IDLE, person: false, ...at(second) }), second),
  ).flat();
}

describe('FloodGauge', () => {
  it('[AC6] slows a page that writes without end, then puts it aside', () => {
    expect(steps(40, (second) => ({ totals: { ...NOTHING, console: second * 2_000 } }))).toEqual([
      '5 s: slow (console)',
      '33 s: park (console)',
    ]);
  });

  it('[AC6] counts a flood although a busy machine lets samples be further apart than the window is long', () => {
    const gauge = new FloodGauge(LIMITS);
    const sample = (second: number, perSecond: number): string | undefined =>
      gauge.look({
        now: second * 1_000,
        totals: { ...NOTHING, console: second * perSecond },
        levels: IDLE,
        person: false,
      })?.do;
    const at = [0, 15, 30, 45, 60];

    expect(at.map((second) => sample(second, 2_000))).toEqual([undefined, undefined, 'slow', 'park', undefined]);
    gauge.anew();
    expect(at.map((second) => sample(second + 60, 400))).toEqual(at.map(() => undefined));
  });

  it('[AC6] leaves a page alone that writes, asks and computes as lively pages do', () => {
    expect(
      steps(300, (second) => ({
        totals: { ...NOTHING, console: second * 100, requests: second * 20, navigations: second * 5 },
        levels: { ...IDLE, processor: 1 },
      })),
    ).toEqual([]);
  });

  /** Loads of ordinary pages for each second, with the samples: none may be slowed or put aside. */
  const honest: readonly (readonly [
    string,
    Partial<Record<CountedKind, (second: number) => number>>,
    Partial<Record<MeasuredKind, (second: number) => number>>,
  ])[] = [
    [
      'computes for 20 s once',
      {},
      { processor: (second) => (second < 20 ? 1 : 0), script: (second) => (second < 20 ? 1 : 0) },
    ],
    ['draws a canvas 60 times a second', {}, { processor: () => 1.2 }],
    [
      'plays a film on a canvas with sound',
      { requests: () => 4 },
      { processor: () => 2.5, memory: () => 600 * 1_048_576 },
    ],
    [
      'scrolls without end: 300 requests in 10 s',
      { requests: (second) => (second < 10 ? 30 : 0), navigations: () => 1 },
      { processor: () => 1, memory: () => 900 * 1_048_576 },
    ],
    ['is a development server, 50 lines a second', { console: () => 50, requests: () => 5 }, {}],
    [
      'loads 3 000 modules of a development server in 5 s',
      { requests: (second) => (second < 5 ? 600 : 2) },
      { processor: (second) => (second < 8 ? 2 : 0) },
    ],
    ['is a dashboard that asks 20 times a second', { requests: () => 20 }, {}],
    ['opens 3 popups', { popups: (second) => (second === 5 ? 3 : 0) }, {}],
    [
      'has 30 downloads, one after another, by actions of an agent',
      { downloads: (second) => (second < 10 ? 3 : 0) },
      {},
    ],
    ['goes 5 addresses a second by pushState', { navigations: () => 5, requests: () => 10 }, {}],
    [
      'writes its address 60 times a second while a map is dragged for 8 s',
      { navigations: (second) => (second < 8 ? 60 : 0) },
      { processor: () => 1 },
    ],
    [
      'is a game on WebGL and wasm at one core, for minutes',
      {},
      { processor: () => 1, memory: () => 1_500 * 1_048_576 },
    ],
    ['computes with a worker for each of two cores, beside a full machine', {}, { processor: () => 3 }],
    [
      'shows 80 frames of advertisements',
      { requests: (second) => (second < 6 ? 100 : 10) },
      { frames: () => 80, processor: () => 2 },
    ],
  ];
  for (const [what, counts, measured] of honest) {
    it(`[AC6] does nothing to a page that ${what}`, () => {
      const totals: Record<CountedKind, number> = { ...NOTHING };
      const did = steps(300, (second) => {
        for (const kind of COUNTED) totals[kind] += counts[kind]?.(second) ?? 0;
        return {
          totals: { ...totals },
          levels: {
            ...IDLE,
            ...Object.fromEntries(MEASURED.flatMap((kind) => (measured[kind] ? [[kind, measured[kind](second)]] : []))),
          },
        };
      });

      expect(did).toEqual([]);
    });
  }

  it('[AC6] slows a single burst for a while, and never puts it aside', () => {
    expect(steps(60, (second) => ({ totals: { ...NOTHING, console: second < 5 ? 0 : 50_000 } }))).toEqual([
      '7 s: slow (console)',
      '29 s: release (console)',
    ]);
  });

  it('[AC6] keeps a flood slowed although it now produces less', () => {
    expect(
      steps(40, (second) => ({
        totals: { ...NOTHING, console: second < 5 ? second * 2_000 : 10_000 + (second - 5) * 250 },
      })),
    ).toEqual(['5 s: slow (console)', '33 s: park (console)']);
  });

  it('[BR7] warns a person who holds the lease a minute before their page is put aside', () => {
    expect(steps(100, (second) => ({ totals: { ...NOTHING, requests: second * 200 }, person: true }))).toEqual([
      '21 s: slow (requests)',
      '37 s: warn (requests)',
      '97 s: park (requests)',
    ]);
  });

  it('[BR7] does so also when samples are further apart than that minute', () => {
    const gauge = new FloodGauge(LIMITS);
    const did = [0, 100, 200, 300, 400].map(
      (second) =>
        gauge.look({
          now: second * 1_000,
          totals: { ...NOTHING, requests: second * 200 },
          levels: IDLE,
          person: true,
        })?.do,
    );
    expect(did).toEqual([undefined, undefined, 'slow', 'warn', 'park']);
  });

  it('[AC6] closes a tab whose processes go on after its page was put aside', () => {
    expect(steps(140, () => ({ levels: { ...IDLE, script: 1, processor: 1 } }))).toEqual([
      '30 s: slow (script)',
      '120 s: park (script)',
      '128 s: close (script)',
    ]);
  });

  it('[AC6] counts that time from when the empty page is there', () => {
    expect(steps(150, () => ({ levels: { ...IDLE, script: 1, processor: 1 } }), 10)).toEqual([
      '30 s: slow (script)',
      '120 s: park (script)',
      '138 s: close (script)',
    ]);
  });

  it('[AC6] puts aside at once a page that takes more memory than a session may have', () => {
    expect(steps(10, (second) => ({ levels: { ...IDLE, memory: second * 1_073_741_824 } }))).toEqual([
      '3 s: slow (memory)',
      '6 s: park (memory)',
    ]);
  });
});
