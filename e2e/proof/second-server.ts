import { setTimeout } from 'node:timers/promises';
import { messageOf } from '@/lib/errors/error';
import type { Campaign } from './campaign';
import { inDataDir } from './data-dir';
import { before, type CampaignFixture } from './campaign-fixture';
import { chromesOf, devToolsPort, stopped, strangersOn } from './processes';
import type { Random } from './random';
import { ServerProcess } from './server-process';

/** Several times the promised 2 s in which a second server refuses to start. */
const REFUSED_MS = 30_000;
const TAKEN_OVER_MS = 45_000;
const LOOK_EVERY_MS = 20;

/** One data directory, with the server that holds it and the session in its Chrome. */
interface HeldDataDir {
  readonly dataDir: string;
  readonly session: string;
  readonly chrome: number;
  holder: ServerProcess;
}

/**
 * Starts another server and watches all the while which processes connect to Chrome; returns what was wrong with its
 * refusal.
 */
async function refused(
  fixture: CampaignFixture,
  { dataDir, chrome, holder }: HeldDataDir,
  paused: boolean,
): Promise<string | undefined> {
  const port = devToolsPort(chrome);
  const watch = { over: false, most: 0 };
  const watching = (async () => {
    while (!watch.over) {
      watch.most = Math.max(watch.most, strangersOn(port, holder.pid));
      await setTimeout(LOOK_EVERY_MS);
    }
  })();
  const {
    value: said,
    late,
    ms,
  } = await before(
    REFUSED_MS,
    ServerProcess.start(dataDir).then(async (server) => server.kill(), messageOf),
  );
  watch.over = true;
  await watching;
  fixture.took(
    `from its start to the refusal of a second server beside a ${paused ? 'stopped' : 'live'} one (promised 2 s)`,
    ms,
  );
  fixture.count(paused ? 'refused beside a stopped server' : 'refused beside a live server');
  if (said === undefined) return 'a second server started';
  if (late || !said.includes(`process ${holder.pid} `) || said.includes('is paused') !== paused)
    return `the second server said${late ? ', after the marker' : ''}: ${said}`;
  return watch.most > 0 ? `Chrome had ${watch.most} lines to another process` : undefined;
}

async function works({ holder, session }: HeldDataDir): Promise<string | undefined> {
  const reply = await holder.act(session, { kind: 'evaluate', fn: 'window.mark' });
  return reply.value === 1 ? undefined : `its holder was answered ${reply.error?.code ?? JSON.stringify(reply.value)}`;
}

/** The holder is stopped in the middle of a call, and woken. */
async function beside(fixture: CampaignFixture, held: HeldDataDir, random: Random): Promise<string | undefined> {
  const { holder, session } = held;
  const typing = holder.act(session, { kind: 'type', selector: '#f', text: 'h'.repeat(20), slowly: true });
  await setTimeout(random.between(0, 60));
  holder.signal('SIGSTOP');
  while (!stopped(holder.pid)) await setTimeout(LOOK_EVERY_MS);
  const problem = await refused(fixture, held, true);
  holder.signal('SIGCONT');
  const typed = await typing;
  return (
    problem ??
    (typed.ok ? undefined : `the woken server answered ${typed.error?.code}`) ??
    (await works(held)) ??
    (await refused(fixture, held, false))
  );
}

/** The holder is killed, and the next server takes over its Chrome and page, alone. */
async function inherited(
  fixture: CampaignFixture,
  held: HeldDataDir,
  servers: ServerProcess[],
): Promise<string | undefined> {
  await held.holder.kill();
  const { value: next, late, ms } = await before(TAKEN_OVER_MS, ServerProcess.start(held.dataDir));
  fixture.took('from its start to having taken over from a dead server', ms);
  servers.push(next);
  held.holder = next;
  fixture.count('taken over from a dead server');
  const problem = await works(held);
  const [strangers, chromes] = [strangersOn(devToolsPort(held.chrome), next.pid), chromesOf(held.dataDir)];
  if (problem !== undefined || late) return problem ?? 'taken over after the marker';
  return chromes.length === 1 && chromes[0] === held.chrome && strangers === 0
    ? undefined
    : `${chromes.length} Chromes, with ${strangers} lines to another process`;
}

async function settle(dataDir: string, servers: ServerProcess[], url: string): Promise<HeldDataDir> {
  const holder = await ServerProcess.start(dataDir);
  servers.push(holder);
  const { id } = await holder.open(url);
  await holder.act(id, { kind: 'evaluate', fn: '() => { window.mark = 1; }' });
  const [chrome] = chromesOf(dataDir);
  if (chrome === undefined) throw new Error('The server has no Chrome.');
  return { dataDir, session: id, chrome, holder };
}

/** F31: another server on the same data directory, beside a live, a stopped, a woken and a dead one. */
export const secondServer: Campaign = {
  id: 'F31',
  about:
    'a second server on a data directory: refused in time beside a live, a stopped and a woken one, whose pid it names; takes over from a dead one; never two on one Chrome',
  full: 20,
  bare: true,
  round: (fixture, random) =>
    inDataDir(async (dataDir, servers) => {
      const held = await settle(dataDir, servers, fixture.pageUrl);
      return (
        (await refused(fixture, held, false)) ??
        (await beside(fixture, held, random)) ??
        inherited(fixture, held, servers)
      );
    }),
};
