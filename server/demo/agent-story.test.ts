import puppeteer, { type Browser } from 'puppeteer-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createDemoRunner, type DemoRunner } from '@/server/demo/runner';
import { startApiDouble, TEST_KEY, type ApiDouble } from '@/server/demo/testing/api-double';
import { refused } from '@/server/demo/testing/api-outcome';
import { createLineLog, type LineLog } from '@/server/demo/testing/line-log';
import { bundledProgram } from '@/server/testing/program';
import { sharedTestChrome, type TestChrome } from '@/server/testing/chrome';

/**
 * The agent as it is shipped, started by the runner, shopping in the real shop with a real Chrome through the API's
 * contract.
 */

// Chrome and child processes share few cores with everything else here.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let chrome: TestChrome;
let browser: Browser;
let api: ApiDouble;
let log: LineLog;
let runner: DemoRunner;

beforeAll(async () => {
  chrome = await sharedTestChrome();
  browser = await puppeteer.connect({ browserWSEndpoint: chrome.wsUrl });
});
afterAll(async () => {
  await browser.disconnect();
  await chrome.close();
});
beforeEach(async () => {
  api = await startApiDouble(browser);
  log = createLineLog();
});
afterEach(async () => {
  await runner.stop();
  await api.close();
});

function runnerWith(rounds: number, apiUrl = api.url): DemoRunner {
  runner = createDemoRunner({
    logger: log.logger,
    siteHost: '127.0.0.1',
    agentCommand: { file: process.execPath, args: [bundledProgram('bin/demo-agent.ts')] },
    apiUrl,
    agentEnv: { DEMO_ROUNDS: String(rounds), DEMO_PACE_MS: '0' },
  });
  return runner;
}

async function effects(siteUrl: string): Promise<unknown> {
  const response = await fetch(`${siteUrl}/__effects`);
  return response.json();
}

describe('the demo agent', () => {
  it("[DM1] orders once a round, with a hanging script in each, and then idles; [AC8] looks again after a stale ref, a covered target or an unknown outcome, and repeats nothing; [CO5] finds its way back when a person has led the page elsewhere, stops when one takes the lease, and continues with the person's result", async () => {
    const codes = ['REF_STALE_DOCUMENT', 'COVERED', 'OUTCOME_UNKNOWN', 'TIMEOUT'];
    // In the first round, and where the second one goes.
    const takes = ['Placing', 'Galway'];
    api.intercept = (action) => {
      const code = action.kind === 'click' ? codes.shift() : undefined;
      if (code !== undefined) return refused(code);
      const [next] = takes;
      if (next === undefined || !`${String(action['note'])} ${String(action['text'])}`.includes(next)) return undefined;
      takes.shift();
      api.take();
      return refused('CONTROL_LOST', 409);
    };
    const { siteUrl, session } = await runnerWith(2).start({ apiKey: TEST_KEY });
    await log.said(/A person has the wheel/);
    await api.page()?.goto(`${siteUrl}/playground`);
    api.handBack('');
    await log.said(/A person has the wheel/, 2);
    await api.page()?.locator('aria/Town or city').fill('York');
    api.handBack('It goes to York');
    await log.said(/All rounds are done/);

    expect([await session, codes, takes]).toEqual(['s1', [], []]);
    expect(await effects(siteUrl)).toMatchObject({
      // The third finds the way back.
      searches: 3,
      addToCart: 2,
      orderAttempts: 2,
      ordersRejected: 0,
      orders: 2,
    });
    expect(log.lines).toContain('Mia handed the wheel back, with a note: "It goes to York"');
    expect(await api.page()?.$eval('main', (main) => main.innerText)).toMatch(/York H91 E9KA/);
    expect(api.actions.filter(({ kind }) => kind === 'evaluate')).toMatchObject([
      { timeoutMs: 1_000 },
      { timeoutMs: 1_000 },
    ]);
    expect(api.actions.every(({ id, note }) => typeof id === 'string' && typeof note === 'string')).toBe(true);
    expect(runner.status()).toMatchObject({ state: 'running', session: 's1' });
  });

  it('[BR7] ends its session when it is stopped, but not while a person drives', async () => {
    await runnerWith(1).start({ apiKey: TEST_KEY });
    await log.said(/Opening Monstera/);
    await runner.stop();
    const first = [...api.ended];
    api.take();
    await runnerWith(1).start({ apiKey: TEST_KEY });
    await log.said(/A person has the wheel/);
    await runner.stop();

    expect(first).toEqual(['s1']);
    expect(api.ended).toEqual(['s1']);
    expect(log.lines.at(-1)).toBe('A person is driving, so the session stays open.');
  });

  it('[AC8] reports a refused key in one line and ends', async () => {
    const { session } = await runnerWith(1).start({ apiKey: 'a-key-that-nobody-has-ever-made' });

    expect(await session).toBeUndefined();
    expect(log.lines).toEqual(['The double says UNAUTHENTICATED. (UNAUTHENTICATED)', 'None.']);
    expect(runner.status()).toMatchObject({ state: 'ended', exit: { code: 1, signal: null } });
  });

  it('[AC8] reports in one line that nothing answers, and ends', async () => {
    const { session } = await runnerWith(1, 'http://127.0.0.1:1').start({ apiKey: TEST_KEY });

    expect(await session).toBeUndefined();
    expect(log.lines).toEqual(['Nothing answers at http://127.0.0.1:1. (UNREACHABLE)', 'Is Wheelhouse running there?']);
  });
});
