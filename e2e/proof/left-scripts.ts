import type { Campaign } from './campaign';
import { before, type CampaignFixture } from './campaign-fixture';
import { person } from './person';
import type { Random } from './random';

/** Many times the wait for the lease and for the scripts to be stopped. Milliseconds. */
const MARKER_MS = 10_000;
const MOST_LEFT = 5;
/** Turns of the page's own interval during which no effect of the agent's may occur. */
const TURNS = 60;

/** Scripts that an agent may leave in a page and that press the button every `ms` or so. */
const KINDS: readonly ((ms: number) => string)[] = [
  (ms) => `() => { setInterval(() => b.click(), ${ms}); }`,
  (ms) =>
    `() => { (async () => { for (;;) { await new Promise((next) => setTimeout(next, ${ms})); b.click(); } })(); }`,
  () => '() => { const press = () => { b.click(); requestAnimationFrame(press); }; requestAnimationFrame(press); }',
  (ms) =>
    `const press = () => new Promise((next) => setTimeout(next, ${ms})).then(() => b.click()).then(press); press();`,
  (ms) => `() => { const press = () => { b.click(); setTimeout(press, ${ms}); }; press(); }`,
  (ms) =>
    `() => { const channel = new MessageChannel(); channel.port1.onmessage = () => { b.click(); setTimeout(() => channel.port2.postMessage(0), ${ms}); }; channel.port2.postMessage(0); }`,
  (ms) =>
    `() => { new MutationObserver(() => b.click()).observe(b, { attributes: true }); setInterval(() => b.setAttribute('data-n', Math.random()), ${ms}); }`,
  (ms) =>
    `() => { class Presser { *turns() { for (;;) { b.click(); yield; } } } const turns = new Presser().turns(); setInterval(() => turns.next(), ${ms}); }`,
  (ms) => `async () => { for (;;) { await new Promise((next) => setTimeout(next, ${ms})); b.click(); } }`,
];

interface Seen {
  readonly clicks: number;
  readonly ticks: number;
}

async function seen(fixture: CampaignFixture, session: string): Promise<Seen> {
  const { evaluate } = fixture.inside(session).activeSessionTab().tab.sessions;
  const { result } = await evaluate.send('Runtime.evaluate', {
    expression: '[window.clicks ?? 0, ticks]',
    returnByValue: true,
  });
  const [clicks, ticks] = String(result.value).split(',').map(Number);
  return { clicks: clicks ?? 0, ticks: ticks ?? 0 };
}

async function until(fixture: CampaignFixture, session: string, reached: (now: Seen) => boolean): Promise<Seen> {
  for (;;) {
    const now = await seen(fixture, session);
    if (reached(now)) return now;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function leave(fixture: CampaignFixture, random: Random, session: string): Promise<void> {
  const count = random.between(1, MOST_LEFT);
  for (let index = 0; index < count; index += 1) {
    const fn = random.pick(KINDS)(random.between(1, 80));
    const reply = await fixture.act(session, { kind: 'evaluate', fn, timeoutMs: 300 });
    if (!reply.ok && reply.error?.code !== 'TIMEOUT') throw new Error(`${fn} was answered ${reply.error?.code ?? '?'}`);
  }
  fixture.count('scripts left', count);
}

/**
 * CO3: scripts that an agent left running press nothing once a person holds the lease and they are reported as stopped;
 * the page's own scripts go on, and so does the agent afterwards.
 */
export const leftScripts: Campaign = {
  id: 'CO3',
  about: 'scripts that an agent left: stopped after a take, the page goes on',
  full: 40,
  round: async (fixture, random) => {
    const session = await fixture.session();
    try {
      await leave(fixture, random, session);
      await until(fixture, session, ({ clicks }) => clicks > 0);
      const owner = await person(fixture);
      const { late } = await before(MARKER_MS, owner.control(session, { do: 'take' }));
      if (late) return 'the lease came after the marker';
      const stopped = await before(
        MARKER_MS,
        fixture.inside(session).activeSessionTab().tab.tools.leftScripts.settled(),
      );
      if (stopped.late) return 'the scripts were stopped after the marker';
      fixture.took('stopped after the answer', stopped.ms);
      const at = await seen(fixture, session);
      const later = await until(fixture, session, ({ ticks }) => ticks >= at.ticks + TURNS);
      if (later.clicks !== at.clicks) return `${later.clicks - at.clicks} presses after the scripts were stopped`;
      await owner.control(session, { do: 'hand-back' });
      const again = await fixture.act(session, { kind: 'evaluate', fn: '() => document.title' });
      return again.value === 'Proof'
        ? undefined
        : `the agent's next script was answered ${again.error?.code ?? JSON.stringify(again.value)}`;
    } finally {
      await fixture.server.api('DELETE', `/api/v1/sessions/${session}`);
    }
  },
};
