import { expect, it } from 'vitest';
import { z } from 'zod';
import { useServerFixture } from '@/server/testing/server-fixture';

const fixture = useServerFixture(
  '<title>Left</title><button id="b" onclick="window.clicks = (window.clicks ?? 0) + 1">Press</button><script>window.own = 0; setInterval(() => { own += 1; }, 20)</script>',
);

it('[CO3][F11] the next run of the server, too, stops what an agent left running, while a person holds the lease', async () => {
  const id = await fixture.open();
  await fixture.server.act(id, { kind: 'evaluate', fn: '() => { setInterval(() => b.click(), 30); }' });
  await fixture.control(id, { do: 'take' });
  await fixture.restart();

  const { hub, access } = fixture.server.running.services;
  await expect
    .poll(() => hub.list(access.owner.workspace).some((session) => session.id === id && session.registry.size > 0), {
      timeout: 20_000,
    })
    .toBe(true);
  const session = fixture.inside(id);
  await expect
    .poll(() => session.control('t1').inForce?.map(({ state }) => state), { timeout: 20_000 })
    .toEqual(['stopped', 'in-force']);
  const { evaluate } = session.activeSessionTab().tab.sessions;
  const read = async (): Promise<number[]> => {
    const { result } = await evaluate.send('Runtime.evaluate', {
      expression: '[window.clicks ?? 0, own]',
      returnByValue: true,
    });
    return z.array(z.number()).parse(result.value);
  };
  const [before = 0, own = 0] = await read();
  await expect.poll(async () => ((await read())[1] ?? 0) - own, { timeout: 20_000 }).toBeGreaterThan(20);
  const [after] = await read();

  expect(after).toBe(before);
}, 90_000);
