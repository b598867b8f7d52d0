import type { House, OurTab } from './house';
import { figure, type Line } from './line';
import { interleave, must, timed, Way } from './measure';

const ROUNDS = { warmUp: 2, times: 20 } as const;
const KEY = { kind: 'press', key: 'x' } as const;

/**
 * From a person's `hand-back` until the agent has done its next action, by HTTP, beside the same action of an agent
 * that has the wheel all the time.
 */
export async function handBackLines(house: House, url: string, endsAt: number): Promise<Line[]> {
  const [driving, asking, held] = [
    await house.tab(url),
    await house.tab(url),
    await house.tab(url, { whenTaken: 'wait' }),
  ];
  for (const { observer } of [driving, asking, held]) await observer.value('field.focus()');
  for (const { session } of [asking, held]) await press(house, session);
  const base = new Way(() => timed(() => press(house, driving.session)));
  const told: number[] = [];
  const next = new Way(async () => {
    const { toldMs, doneMs } = await afterWait(house, asking);
    told.push(toldMs);
    return doneMs;
  });
  const kept = new Way(() => whenKept(house, held));
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

/** The agent waits by `control/wait`, and then acts. */
async function afterWait(house: House, { session }: OurTab): Promise<{ toldMs: number; doneMs: number }> {
  await house.control(session, 'take');
  const waiting = house.server.api('GET', `/api/v1/sessions/${session}/tabs/active/control/wait?timeoutMs=20000`);
  await house.server.api('GET', '/healthz');
  const startedAt = performance.now();
  const [toldMs] = await Promise.all([
    waiting.then(() => performance.now() - startedAt),
    house.control(session, 'hand-back'),
  ]);
  await press(house, session);
  return { toldMs, doneMs: performance.now() - startedAt };
}

/** The agent has sent its action while the person had the wheel. */
async function whenKept(house: House, { session }: OurTab): Promise<number> {
  await house.control(session, 'take');
  const pressed = press(house, session);
  await house.server.api('GET', '/healthz');
  const startedAt = performance.now();
  await Promise.all([pressed, house.control(session, 'hand-back')]);
  return performance.now() - startedAt;
}

async function press(house: House, session: string): Promise<void> {
  const { ok, error } = await house.server.act(session, KEY);
  must(ok, `The key was not pressed: ${error?.code ?? 'nothing said'}.`);
}
