import { expect, it } from 'vitest';
import { LiveCredentials } from './liveness';

it('[R3] ended credentials are remembered for a day, and forgotten after that', () => {
  let time = Date.parse('2026-01-01T00:00:00Z');
  const live = new LiveCredentials(() => new Date(time));
  for (let n = 0; n < 1_000; n += 1) live.bump({ kind: 'cookie', id: `l_${n}` });
  time += 3_600_000;
  live.bump({ kind: 'cookie', id: 'l_0' });
  live.prune();
  expect(live.remembered).toBe(1_000);
  time += 86_000_000;
  live.prune();
  expect(live.remembered).toBe(1);
});
