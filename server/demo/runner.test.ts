import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createDemoRunner, type DemoRunner, type DemoRunnerOptions } from '@/server/demo/runner';
import { createLineLog, type LineLog } from '@/server/demo/testing/line-log';

/** Real children: small programs in place of the agent, run by Node itself. */

// Chrome and child processes share few cores with everything else here.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let log: LineLog;
let runner: DemoRunner;

beforeEach(() => {
  log = createLineLog();
});
afterEach(() => runner.stop());

const STAYS = `console.log('Session s7 is open'); process.on('SIGTERM', () => process.exit(0)); setInterval(() => {}, 1000);`;
const STUBBORN = `process.on('SIGTERM', () => console.log('no')); console.log('ready'); setInterval(() => {}, 1000);`;

function runnerOf(program: string, options: Partial<DemoRunnerOptions> = {}): DemoRunner {
  runner = createDemoRunner({
    logger: log.logger,
    siteHost: '127.0.0.1',
    agentCommand: { file: process.execPath, args: ['-e', program] },
    apiUrl: 'http://127.0.0.1:7400',
    ...options,
  });
  return runner;
}

const KEY = { apiKey: 'the-key-that-must-not-be-logged' };

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('demo runner', () => {
  it('[DM1] starts shop and agent, and ends both', async () => {
    const started = await runnerOf(STAYS).start(KEY);
    const session = await started.session;
    const shop = await fetch(started.siteUrl);
    const running = runner.status();

    await runner.stop();

    expect([shop.status, session]).toEqual([200, 's7']);
    expect(running).toEqual({ state: 'running', siteUrl: started.siteUrl, pid: started.pid, session: 's7' });
    expect(isAlive(started.pid)).toBe(false);
    expect(runner.status()).toEqual({ state: 'stopped' });
    await expect(fetch(started.siteUrl)).rejects.toThrow();
  });

  it('[DM1] starts one agent however often it is called, also at the same time', async () => {
    runnerOf(STAYS);

    const [first, second] = await Promise.all([runner.start(KEY), runner.start(KEY)]);
    const third = await runner.start(KEY);

    expect([second.pid, third.pid]).toEqual([first.pid, first.pid]);
  });

  it('[DM1] starts again after a stop, also during the stop', async () => {
    const first = await runnerOf(STAYS).start(KEY);

    const stopping = runner.stop();
    const second = await runner.start(KEY);
    await stopping;

    expect(second.pid).not.toBe(first.pid);
    expect([isAlive(first.pid), isAlive(second.pid)]).toEqual([false, true]);
  });

  it('[DM1] leaves nothing behind when it is stopped while starting', async () => {
    const starting = runnerOf(STAYS).start(KEY);

    await runner.stop();
    const { pid } = await starting;

    expect(isAlive(pid)).toBe(false);
    expect(runner.status()).toEqual({ state: 'stopped' });
  });

  it('[DM1] shows that the agent has ended, keeps the shop, and starts a new agent in it', async () => {
    const first = await runnerOf(`process.exitCode = 3`).start(KEY);
    const session = await first.session;
    const ended = runner.status();
    const second = await runner.start(KEY);

    expect(session).toBeUndefined();
    expect(ended).toEqual({ state: 'ended', siteUrl: first.siteUrl, exit: { code: 3, signal: null } });
    expect(second.siteUrl).toBe(first.siteUrl);
    expect(second.pid).not.toBe(first.pid);
  });

  it('[DM1] kills an agent that does not end when asked', async () => {
    const { pid } = await runnerOf(STUBBORN, { graceMs: 50 }).start(KEY);
    await log.said(/ready/);

    await runner.stop();

    expect(isAlive(pid)).toBe(false);
  });

  it('[AU6] passes the agent its settings only, and keeps the key out of the log', async () => {
    await runnerOf(`console.log(JSON.stringify(process.env))`, { agentEnv: { DEMO_ROUNDS: '2' } }).start(KEY);
    const line = await log.said(/^\{/);

    expect(Object.keys(JSON.parse(line)).toSorted()).toEqual([
      'DEMO_ROUNDS',
      'DEMO_URL',
      'DEMO_WATCH_STDIN',
      'NODE_ENV',
      'WHEELHOUSE_API_KEY',
      'WHEELHOUSE_URL',
    ]);
    expect(JSON.parse(line)).toMatchObject({ WHEELHOUSE_API_KEY: '[hidden]', WHEELHOUSE_URL: 'http://127.0.0.1:7400' });
  });

  it('[AC8] fails with INTERNAL when the program is missing, and leaves no shop open', async () => {
    const starting = runnerOf('', { agentCommand: { file: '/nowhere/agent', args: [] } }).start(KEY);

    await expect(starting).rejects.toMatchObject({
      code: 'INTERNAL',
      message: 'The demo could not be started.',
      cause: { code: 'ENOENT' },
    });
    expect(runner.status()).toEqual({ state: 'stopped' });
  });

  it('[DM1] leaves no agent behind when the server is killed', async () => {
    runnerOf(STAYS);
    const silent = createServer();
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const address = silent.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const called = once(silent, 'request');
    const host = spawn(
      process.execPath,
      ['--import', 'tsx', 'server/demo/testing/runner-host.ts', `http://127.0.0.1:${port}`],
      { stdio: 'ignore' },
    );
    const [request] = await called;

    host.kill('SIGKILL');

    await once(request.socket, 'close');
    silent.closeAllConnections();
    silent.close();
  });
});
