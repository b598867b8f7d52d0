import { describe, expect, it } from 'vitest';
import type { Reply } from '@/lib/actions/reply';
import { ask, type Client } from '@/server/testing/socket-client';
import { useServerFixture } from '@/server/testing/server-fixture';

/** An agent that goes on although it has lost the lease (F23). */

const PAGE =
  '<!doctype html><meta charset="utf-8"><title>Stubborn</title><button id="b" onclick="window.clicks = (window.clicks ?? 0) + 1">Press</button>';
const QUEUED = 50;

const fixture = useServerFixture(PAGE);

const click = { kind: 'click', selector: '#b' };

let tries = 0;
/** A name that no limit has heard of. */
const fresh = (name: string): string => `${name} ${(tries += 1)}`;

async function taken(agent: string): Promise<string> {
  const id = await fixture.open(agent);
  await fixture.server.act(id, click, agent);
  await fixture.control(id, { do: 'take' });
  return id;
}

async function clicks(id: string): Promise<unknown> {
  const { tab } = fixture.inside(id).activeSessionTab();
  return (
    await tab.sessions.sentinel.send('Runtime.evaluate', { expression: 'window.clicks ?? 0', returnByValue: true })
  ).result.value;
}

const flagged = (id: string): (string | undefined)[] =>
  fixture
    .inside(id)
    .view()
    .participants.flatMap(({ name, flagged: mark }) => (mark ? [name] : []));

/** Sends `QUEUED` input events at once; returns the answers that arrived before the connection ended. */
async function storm(client: Client, session: string): Promise<string[]> {
  const answers: string[] = [];
  const closed = new Promise((resolve) => client.once('disconnect', resolve));
  for (let index = 0; index < QUEUED; index += 1)
    void ask(client, 'input', {
      session,
      tab: 't1',
      epoch: 1,
      geometry: 0,
      event: { type: 'move', x: index, y: 1, buttons: 0, modifiers: 0 },
    }).then((answer) => answers.push(answer.ok ? 'ok' : answer.error.code));
  await closed;
  return answers;
}

describe('an agent that goes on acting after it has lost the lease', () => {
  it('[F23] by socket: nothing of fifty queued events takes effect, its connection closes, and everybody sees that it does not listen', async () => {
    const deaf = fresh('deaf');
    const id = await taken(deaf);
    const before = (await fixture.server.running.services.metrics.totals())['wheelhouse_stubborn_agents_total'] ?? 0;
    const answers = await storm(fixture.agent(deaf), id);
    const rows = (await fixture.inside(id).timeline.events({ limit: 200 })).filter(
      ({ said }) => said?.code === 'agentStubborn',
    );

    expect([new Set(answers), answers.length >= 19]).toEqual([new Set(['CONTROL_LOST']), true]);
    expect([await clicks(id), flagged(id), rows.map(({ actor }) => actor.name)]).toEqual([1, [deaf], [deaf]]);
    expect((await fixture.server.running.services.metrics.totals())['wheelhouse_stubborn_agents_total']).toBe(
      before + 1,
    );
  }, 40_000);

  it('[F23] by HTTP: after twenty refusals it is told to slow down, without a row each, and is heard at once when the lease is back', async () => {
    const hasty = fresh('hasty');
    const id = await taken(hasty);
    const rows = (): number | undefined => fixture.inside(id).timeline.last?.seq;
    const replies: Reply[] = [];
    let before = rows();
    // Other limits may be reached first, and on a slow machine the ten seconds may start again.
    while (replies.at(-1)?.error?.message.includes('without the wheel') !== true && replies.length < 2_000) {
      before = rows();
      replies.push(await fixture.server.act(id, click, hasty));
    }
    const [limited, marked, quiet] = [replies.at(-1), flagged(id), rows() === before];
    const held = replies.filter(({ error }) => error?.code === 'CONTROL_HELD').length;
    await fixture.control(id, { do: 'hand-back' });
    let again = await fixture.server.act(id, click, hasty);
    // The limit of any lease: twenty actions a second.
    while (again.error?.message.startsWith('Too many actions.')) again = await fixture.server.act(id, click, hasty);

    expect([replies.filter(({ ok }) => ok), held >= 20]).toEqual([[], true]);
    expect(limited?.error).toMatchObject({
      code: 'RATE_LIMITED',
      retry: 'later',
      details: { retryInMs: expect.any(Number) },
    });
    expect([marked, quiet, again.error, await clicks(id), flagged(id)]).toEqual([[hasty], true, undefined, 2, []]);
  }, 60_000);
});
