import type { BenchFixture, OurTab } from './bench-fixture';
import { figure, type BenchLine } from './line';
import { interleave, must, timed, Contender } from './measure';

const ROUNDS = { warmUp: 2, times: 20 } as const;
const KEY = { kind: 'press', key: 'x' } as const;

/**
 * The time from a person's `hand-back` until the agent's next action is answered, by HTTP, beside the same action of an
 * agent that holds the lease all the time.
 */
export async function handBackLines(fixture: BenchFixture, url: string, endsAt: number): Promise<BenchLine[]> {
  const [driving, asking, held] = [
    await fixture.tab(url),
    await fixture.tab(url),
    await fixture.tab(url, { whenTaken: 'wait' }),
  ];
  for (const { observer } of [driving, asking, held]) await observer.value('field.focus()');
  for (const { session } of [asking, held]) await press(fixture, session);
  const base = new Contender(() => timed(() => press(fixture, driving.session)));
  const told: number[] = [];
  const next = new Contender(async () => {
    const { toldMs, doneMs } = await afterWait(fixture, asking);
    told.push(toldMs);
    return doneMs;
  });
  const kept = new Contender(() => whenKept(fixture, held));
  await interleave([base, next, kept], { ...ROUNDS, endsAt });
  const sides = { unit: 'ms', base: figure(base.samples) } as const;
  return [
    {
      what: 'hand-back until `control/wait` has told the agent, with the receipt (baseline: a key of an agent that drives)',
      ...sides,
      ours: figure(told.slice(-next.samples.length)),
    },
    {
      what: 'hand-back until the agent’s next key is done, after `control/wait` (same baseline)',
      ...sides,
      ours: figure(next.samples),
    },
    {
      what: 'hand-back until a key is done that was sent meanwhile, with `whenTaken: wait` (same baseline)',
      ...sides,
      ours: figure(kept.samples),
    },
  ];
}

/** The agent waits by `control/wait`, and acts afterwards. */
async function afterWait(fixture: BenchFixture, { session }: OurTab): Promise<{ toldMs: number; doneMs: number }> {
  await fixture.control(session, 'take');
  const waiting = fixture.server.api('GET', `/api/v1/sessions/${session}/tabs/active/control/wait?timeoutMs=20000`);
  await fixture.server.api('GET', '/healthz');
  const startedAt = performance.now();
  const [toldMs] = await Promise.all([
    waiting.then(() => performance.now() - startedAt),
    fixture.control(session, 'hand-back'),
  ]);
  await press(fixture, session);
  return { toldMs, doneMs: performance.now() - startedAt };
}

/** The agent has sent its action while the person held the lease. */
async function whenKept(fixture: BenchFixture, { session }: OurTab): Promise<number> {
  await fixture.control(session, 'take');
  const pressed = press(fixture, session);
  await fixture.server.api('GET', '/healthz');
  const startedAt = performance.now();
  await Promise.all([pressed, fixture.control(session, 'hand-back')]);
  return performance.now() - startedAt;
}

async function press(fixture: BenchFixture, session: string): Promise<void> {
  const { ok, error } = await fixture.server.act(session, KEY);
  must(ok, `The key was not pressed: ${error?.code ?? 'nothing said'}.`);
}
