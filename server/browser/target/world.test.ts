import { afterEach, expect, it } from 'vitest';
import { createBudget } from '@/lib/budget/budget';
import { monotonicClock } from '@/lib/budget/clock';
import { CdpConnection } from '@/server/cdp/connection';
import { resolveCdpUrl } from '@/server/cdp/endpoint';
import { plausible, Refusal, startHostileEndpoint, type HostileEndpoint } from '@/server/testing/hostile-endpoint';
import { PageWorld } from './world';

let endpoint: HostileEndpoint | undefined;
afterEach(() => endpoint?.close());

it.each([
  ['No node with given id found', { code: 'NODE_GONE' }],
  ['Internal error', { method: 'DOM.resolveNode', detail: 'Internal error' }],
])('[SN4] Chrome refuses an element with %j: NODE_GONE only when the element is gone', async (message, error) => {
  const right = plausible();
  endpoint = await startHostileEndpoint((method, params, tell) =>
    method === 'DOM.resolveNode' ? new Refusal(message) : right(method, params, tell),
  );
  const budget = createBudget({ timeoutMs: 5_000, clock: monotonicClock });
  const url = await resolveCdpUrl(budget, endpoint.cdpUrl);
  const connection = await CdpConnection.open(budget, url, { lane: 'commands' });
  const world = await PageWorld.open(await connection.attach('T1'), 'T1');
  await expect(world.resolve(budget, 1)).rejects.toMatchObject(error);
  connection.close();
  budget.dispose();
});
