import { describe, expect, it } from 'vitest';
import { FloodGauge, type FloodLook, type FloodStep } from './gauge';
import { floodLimits } from './limits';

const LIMITS = floodLimits(2, { told: 2_048, most: 3_072 });
const NOTHING: FloodLook['totals'] = { navigations: 0, popups: 0, downloads: 0, console: 0, requests: 0, dialogs: 0 };
const IDLE: FloodLook['levels'] = { processor: 0, script: 0, memory: 0, frames: 1 };

/** The steps of a page that is looked at once a second; `at` says what it has done by then. */
function steps(seconds: number, at: (second: number) => Partial<FloodLook>): string[] {
  const gauge = new FloodGauge(LIMITS);
  const told = (step: FloodStep | undefined, second: number): string[] => (step ? [`${second} s: ${step.do} (${step.kind})`] : []);
  return Array.from({ length: seconds }, (_, second) => told(gauge.look({ now: second * 1_000, totals: NOTHING, levels: IDLE, person: false, ...at(second) }), second)).flat();
}

describe('FloodGauge', () => {
  it('[AC6] slows a page that writes without end, then puts it aside', () => {
    expect(steps(20, (second) => ({ totals: { ...NOTHING, console: second * 2_000 } }))).toEqual(['4 s: slow (console)', '17 s: park (console)']);
  });

  it('[AC6] leaves a page alone that writes, asks and computes as lively pages do', () => {
    expect(steps(300, (second) => ({ totals: { ...NOTHING, console: second * 100, requests: second * 20, navigations: second * 5 }, levels: { ...IDLE, processor: 1 } }))).toEqual([]);
  });

  it('[AC6] slows one burst for a while, and never puts it aside', () => {
    expect(steps(60, (second) => ({ totals: { ...NOTHING, console: second < 5 ? 0 : 50_000 } }))).toEqual(['6 s: slow (console)', '29 s: release (console)']);
  });

  it('[AC6] goes on with a slowed flood, though it makes less of everything now', () => {
    expect(steps(20, (second) => ({ totals: { ...NOTHING, console: second < 5 ? second * 2_000 : 10_000 + (second - 5) * 250 } }))).toEqual(['4 s: slow (console)', '17 s: park (console)']);
  });

  it('[BR7] says a minute before to a person at the wheel that their page is put aside', () => {
    expect(steps(100, (second) => ({ totals: { ...NOTHING, requests: second * 200 }, person: true }))).toEqual(['10 s: slow (requests)', '21 s: warn (requests)', '81 s: park (requests)']);
  });

  it('[AC6] closes a tab whose processes go on after its page was put aside', () => {
    expect(steps(90, () => ({ levels: { ...IDLE, script: 1, processor: 1 } }))).toEqual(['5 s: slow (script)', '60 s: park (script)', '68 s: close (script)']);
  });

  it('[AC6] puts aside at once what takes more memory than a session may have', () => {
    expect(steps(10, (second) => ({ levels: { ...IDLE, memory: second * 1_073_741_824 } }))).toEqual(['3 s: slow (memory)', '6 s: park (memory)']);
  });
});
