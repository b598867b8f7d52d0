import { expect, it } from 'vitest';
import { stateOf } from '@/server/session/testing/crashes';
import { ask } from '@/server/testing/socket-client';
import { useServerFixture } from '@/server/testing/server-fixture';

/** A server of its own: its Chrome ends. */
const fixture = useServerFixture('<title>Only</title>', {});

it('[BR5][CO8] the only tab of a Chrome that ends in an orderly way keeps its lease, its private hold and its help request', async () => {
  const id = await fixture.open('bot');
  const agent = fixture.agent('bot');
  await ask(agent, 'session.join', { session: id });
  void ask(agent, 'control', {
    session: id,
    tab: 't1',
    do: 'ask-human',
    reason: 'The code, please',
    timeoutMs: 60_000,
  });
  const session = fixture.inside(id);
  await expect.poll(() => session.control('t1').questions?.length).toBe(1);
  await fixture.control(id, { do: 'take', private: true, reason: 'a code' });
  const down = stateOf(fixture.server, id, 'browser-down');
  // It closes its pages before it is gone.
  void session.init.contextRef.browser.lanes.bulk.browser.sendMayFail('Browser.close');
  await down;
  await stateOf(fixture.server, id, 'live');

  expect(session.control('t1')).toMatchObject({
    holder: { name: 'Owner' },
    private: expect.objectContaining({ by: expect.objectContaining({ name: 'Owner' }) }),
    questions: [{ reason: 'The code, please' }],
  });
}, 60_000);
