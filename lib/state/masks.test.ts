import { expect, it } from 'vitest';
import { joinMasks, maskOf, type Mask } from './masks';

const numbers = (count: number, from = 1): number[] => Array.from({ length: count }, (_, at) => from + at);
const place = (frameId: string) => ({ frameId, loaderId: `L ${frameId}`, targetId: 'page', topLoaderId: 'L page' });
const mask = (frameId: string, fields: number[]): Mask => ({ ...place(frameId), fields });

it('[CO8] a frame with too many fields keeps its mask and those of others: all its fields are masked', () => {
  const hostile = maskOf(place('hostile'), numbers(501, 100));
  const both = joinMasks([mask('page', [1, 2])], [hostile]);

  expect(both).toEqual([mask('page', [1, 2]), { ...mask('hostile', numbers(500, 100)), all: true }]);
  expect(joinMasks(both, [mask('hostile', [7])]).map(({ frameId, all }) => [frameId, all])).toEqual([
    ['page', undefined],
    ['hostile', true],
  ]);
});

it('[CO8] where many frames have many, the oldest are masked as a whole', () => {
  const many = numbers(11).map((at) => mask(`f${at}`, numbers(500, at * 10_000)));
  const kept = joinMasks([mask('page', [1, 2])], many);

  expect(kept.map(({ frameId, fields, all }) => [frameId, fields.length, all])).toEqual([
    ['page', 0, true],
    ['f1', 0, true],
    ...numbers(10).map((at) => [`f${at + 1}`, 500, undefined]),
  ]);
});

it('[CO8] another document in a frame starts a new mask', () => {
  const next = { ...mask('page', [9]), loaderId: 'later' };
  expect(joinMasks([{ ...mask('page', [1]), all: true }], [next])).toEqual([next]);
});

it('[CO8] refuses a mask under an unknown document', () => {
  expect(() => maskOf({ ...place('page'), topLoaderId: '' }, [1])).toThrow(
    expect.objectContaining({ code: 'TAB_UNRESPONSIVE' }),
  );
});
