import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { byOwner } from '@/server/access/keys';
import { childEnvironment } from '@/server/config/child-environment';
import { startTestServer } from '@/server/testing/server';
import { endsWithTest } from './testing/ends-with-test';

const KEY = 'wh_canary_key_0123456789abcdef';
const SECRET = 'canary_webhook_secret_0123456789';
const CANARY = 'canary_of_the_surroundings';

function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    // It ended in this very moment.
    return '';
  }
}

/** The fields of a process's status after its name: state, parent, group. */
function family(pid: number): readonly [parent: number, group: number] {
  const stat = read(pid, 'stat');
  const [, parent = '0', group = '0'] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return [Number(parent), Number(group)];
}

/** Every process that a server has started and that its Chromes have started, by its data directory. */
function childrenOf(server: number, dataDir: string): number[] {
  const pids = readdirSync('/proc')
    .filter((name) => /^\d+$/u.test(name))
    .map(Number);
  const named = pids.filter(
    (pid) =>
      pid !== server && pid !== process.pid && (read(pid, 'cmdline').includes(dataDir) || family(pid)[0] === server),
  );
  const groups = new Set(named);
  return pids.filter((pid) => groups.has(pid) || groups.has(family(pid)[1]));
}

describe('child processes', () => {
  it('[T18] get only the environment variables of a list', () => {
    expect(
      childEnvironment({
        PATH: '/bin',
        HOME: '/h',
        LC_ALL: 'C.UTF-8',
        XDG_RUNTIME_DIR: '/r',
        WHEELHOUSE_API_KEY: KEY,
        WEBHOOK_SECRET: SECRET,
        DATABASE_URL: 'x',
        AWS_SECRET_ACCESS_KEY: 'x',
        HTTP_PROXY: 'x',
        NODE_OPTIONS: 'x',
        EMPTY: undefined,
      }),
    ).toEqual({ PATH: '/bin', HOME: '/h', LC_ALL: 'C.UTF-8', XDG_RUNTIME_DIR: '/r' });
  });

  it.runIf(process.platform === 'linux')(
    '[T18] Chrome, its helpers, its keeper and the demo agent have no secret of the server in their environment',
    async () => {
      const secrets = { WHEELHOUSE_API_KEY: KEY, WEBHOOK_SECRET: SECRET, SOME_CANARY: CANARY };
      Object.assign(process.env, secrets);
      onTestFinished(() => {
        for (const name of Object.keys(secrets)) delete process.env[name];
      });
      const server = endsWithTest(await startTestServer());
      await server.session();
      const { access, demo } = server.running.services;
      await demo.start(byOwner(access.owner));

      await expect
        .poll(
          () =>
            childrenOf(process.pid, server.dataDir)
              .map((child) => read(child, 'cmdline'))
              .join('\n'),
          { timeout: 20_000 },
        )
        .toMatch(/--type=renderer[^]*demo-agent|demo-agent[^]*--type=renderer/u);
      const children = childrenOf(process.pid, server.dataDir).filter(
        (child) => !read(child, 'cmdline').includes('esbuild'),
      );
      const commands = children.map((child) => read(child, 'cmdline')).join('\n');
      expect([commands.includes('--user-data-dir='), commands.includes('wheelhouse-keeper')]).toEqual([true, true]);
      const told = children.filter((child) =>
        [KEY, SECRET, CANARY].some((secret) => read(child, 'environ').includes(secret)),
      );
      expect(told.map((child) => read(child, 'cmdline').slice(0, 100))).toEqual([]);
    },
    60_000,
  );
});
