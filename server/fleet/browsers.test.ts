import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createBudget } from '@/lib/budget/budget';
import { monotonicClock } from '@/lib/budget/clock';
import { WheelhouseError } from '@/lib/errors/error';
import { restartSharedTestServer, sharedTestServer, startTestServer, TEST_KEY } from '@/server/testing/server';

/** Chromes that run with a profile below this folder. */
function chromesIn(dataDir: string): number {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => commandOf(pid).includes(`--user-data-dir=${dataDir}`)).length;
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    // It ended in this very moment.
    return '';
  }
}

/** A budget that ends as soon as the Chrome has a process. */
async function endWhen(begun: () => boolean, budget: { abort(error: WheelhouseError): void }): Promise<void> {
  while (!begun()) await new Promise((resolve) => setImmediate(resolve));
  budget.abort(new WheelhouseError('ABORTED', 'The client went away.'));
}

describe.runIf(process.platform === 'linux')('the shared Chrome', () => {
  it('[BU2] starts for the second caller when the first one disconnects', async () => {
    const server = await startTestServer();
    const { browsers, access } = server.running.services;
    const first = createBudget({ timeoutMs: 20_000, clock: monotonicClock });
    const second = createBudget({ timeoutMs: 20_000, clock: monotonicClock });
    const [one, two] = [
      browsers.shared(first, access.owner.workspace),
      browsers.shared(second, access.owner.workspace),
    ];
    first.abort(new WheelhouseError('ABORTED', 'The client went away.'));
    const ends = await Promise.allSettled([one, two]);
    const listed = browsers.list(access.owner.workspace).length;
    first.dispose();
    second.dispose();
    await server.close();

    expect(ends.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    expect(listed).toBe(1);
  });

  it('[F29] leaves no process and no profile when its only caller disconnects while it starts', async () => {
    const server = await startTestServer();
    const { browsers, access } = server.running.services;
    const budget = createBudget({ timeoutMs: 20_000, clock: monotonicClock });
    const launch = browsers.launch(budget, access.owner.workspace, true);
    const ended = endWhen(() => chromesIn(server.dataDir) > 0, budget);
    await expect(launch).rejects.toMatchObject({ code: 'ABORTED' });
    await ended;
    while (chromesIn(server.dataDir) > 0) await new Promise((resolve) => setImmediate(resolve));
    await expect.poll(() => readdirSync(path.join(server.dataDir, 'chrome')), { timeout: 15_000 }).toEqual([]);
    budget.dispose();
    await server.close();
  }, 60_000);

  it("[SE1] a session's own Chrome stays its own after a restart, and ends with it", async () => {
    const made = await (await sharedTestServer()).api('POST', '/api/v1/sessions', { isolation: 'browser' });
    const second = await restartSharedTestServer();
    onTestFinished(() => second.close());
    const other = await second.api('POST', '/api/v1/sessions', {});
    const browserOf = (body: unknown): unknown =>
      typeof body === 'object' && body !== null && 'browser' in body ? body.browser : undefined;
    const id = typeof made.body === 'object' && made.body !== null && 'id' in made.body ? String(made.body.id) : '';
    await second.api('DELETE', `/api/v1/sessions/${id}`);
    const left = second.running.services.browsers
      .list(second.running.services.access.owner.workspace)
      .map((view) => view.id);

    expect(browserOf(other.body)).not.toEqual(browserOf(made.body));
    expect(left).toHaveLength(1);
    expect(browserOf(other.body)).toMatchObject({ id: left[0] });
  }, 40_000);
});

describe.runIf(process.platform === 'linux')('a Chrome of its own, while the store answers nothing', () => {
  it.each(['browsers.get', 'sessions.add'])(
    '[BU3] is not waited for beyond the budget, and goes, when that begins with %s',
    async (begins) => {
      const budget = createBudget({ timeoutMs: 30_000, clock: monotonicClock });
      let silent = false;
      const server = await startTestServer({
        disturb: (what, reach) => {
          if (what === begins) {
            silent = true;
            budget.abort(new WheelhouseError('ABORTED', 'The client went away.'));
          }
          return silent ? new Promise(() => undefined) : reach();
        },
      });
      const { hub, access, browsers } = server.running.services;
      const headers = { authorization: `Bearer ${TEST_KEY}` };
      const principal = await access.authentication.requirePrincipal({ headers, address: '' });
      const made = hub.create(budget, { principal, door: 'http' }, { isolation: 'browser' });
      await expect(made).rejects.toMatchObject({ code: 'ABORTED' });
      await expect.poll(() => chromesIn(server.dataDir), { timeout: 15_000 }).toBe(0);
      await expect.poll(() => browsers.list(principal.workspace)).toEqual([]);
      silent = false;
      budget.dispose();
      await server.close();
    },
    40_000,
  );

  it('[BU3] ends without waiting for the store', async () => {
    let silent = false;
    const server = await startTestServer({
      disturb: (_, reach) => (silent ? new Promise(() => undefined) : reach()),
    });
    const { access, browsers } = server.running.services;
    const budget = createBudget({ timeoutMs: 30_000, clock: monotonicClock });
    const browser = await browsers.launch(budget, access.owner.workspace, true);
    silent = true;
    await browsers.remove(browser);
    silent = false;
    budget.dispose();

    await expect.poll(() => browsers.list(access.owner.workspace)).toEqual([]);
    await server.close();
  }, 40_000);
});
