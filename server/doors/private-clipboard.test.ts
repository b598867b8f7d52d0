import { expect, it } from 'vitest';
import { z } from 'zod';
import { driving, PRIVATE_PAGE, soon } from '@/server/testing/private-page';
import { ask } from '@/server/testing/socket-client';
import { useServerFixture } from '@/server/testing/server-fixture';

const SECRET = 'narwhal58mango';
const fixture = useServerFixture({ '/': PRIVATE_PAGE, '/said': 'ok' });
const result = z.object({ result: z.object({ value: z.string() }) });

it('[CO8] [SE6] text copied in a private tab can be pasted there and nowhere else, neither during nor after the hold', async () => {
  const { id, person, type } = await driving(fixture);
  const act = (tab: string, action: { kind: 'press'; keys: string[]; selector: string }): Promise<unknown> =>
    ask(person, 'act', { session: id, tab, action });
  await ask(person, 'act', { session: id, tab: 't1', action: { kind: 'tab', do: 'open', url: `${fixture.site}/` } });
  await ask(person, 'control', { session: id, tab: 't2', do: 'release', scope: 'tab' });
  const field = async (tab: string): Promise<string> => {
    const answer = await fixture.inside(id).registry.get(tab)?.tab.sessions.sentinel.send('Runtime.evaluate', {
      expression: 'f.value',
    });
    return result.parse(answer).result.value;
  };
  await ask(person, 'control', { session: id, tab: 't1', do: 'take', scope: 'tab', private: true });
  await type(SECRET);
  await soon(async () => (await field('t1')) === SECRET);
  await act('t1', { kind: 'press', selector: '#f', keys: ['Control+A', 'Control+C', 'End', 'Control+V'] });
  const pasted = await fixture.server.act(id, { kind: 'press', selector: '#f', keys: ['Control+V'], tab: 't2' });
  const meanwhile = [await field('t1'), await field('t2'), pasted.error?.code];
  await ask(person, 'control', { session: id, tab: 't1', do: 'take', scope: 'tab', private: false });
  await soon(() => fixture.inside(id).visibility.visibilityEpoch('t1') !== undefined);
  await ask(person, 'control', { session: id, tab: 't1', do: 'hand-back' });
  const after = await fixture.server.act(id, { kind: 'clipboard', do: 'get', tab: 't2' });

  expect([meanwhile, after.value]).toEqual([[`${SECRET}${SECRET}`, '', undefined], { scope: 'session', text: '' }]);
});
