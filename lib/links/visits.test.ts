import { expect, it } from 'vitest';
import { FakeClock } from '@/lib/budget/fake-clock';
import { VISIT_MS, Visits } from './visits';

const fixture = () => {
  const clock = new FakeClock();
  const visits = new Visits(clock, ['g_old']);
  const come = (...guests: string[]): (() => void)[] =>
    guests.map((guest) => {
      visits.enter(guest, undefined);
      return visits.connect(guest);
    });
  return { clock, visits, come };
};

it('[AU4] a link that is full lets nobody else in, but those who are in', () => {
  const { visits, come } = fixture();
  come('g_1', 'g_2');

  expect([visits.enter('g_3', 2), visits.enter('g_2', 2), visits.enter('g_3', 3)]).toEqual(['full', 'here', 'came']);
  expect([visits.connections, visits.guests]).toEqual([2, ['g_old', 'g_1', 'g_2', 'g_3']]);
});

it('[AU4] the place of a guest who has gone is free a minute after their last call', () => {
  const { clock, visits, come } = fixture();
  const [leave] = come('g_1', 'g_2');
  clock.advance(VISIT_MS);
  leave?.();
  clock.advance(VISIT_MS - 1);
  const before = [visits.isHere('g_1'), visits.enter('g_3', 2)];
  clock.advance(1);

  expect(before).toEqual([true, 'full']);
  expect([visits.isHere('g_1'), visits.enter('g_3', 2), visits.enter('g_1', 2)]).toEqual([false, 'came', 'full']);
});

it('[AU4] a lower limit leaves its places to those who came first, and counts nobody who has gone', () => {
  const { clock, visits, come } = fixture();
  const [, leave] = come('g_1', 'g_2', 'g_3', 'g_4');
  leave?.();
  clock.advance(VISIT_MS);

  expect([visits.endBeyond(undefined), visits.endBeyond(3), visits.endBeyond(2), visits.endBeyond(1)]).toEqual([
    [],
    [],
    ['g_4'],
    ['g_3'],
  ]);
  expect([visits.connections, visits.enter('g_4', 2)]).toEqual([1, 'came']);
});
