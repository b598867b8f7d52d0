import { describe, expect, it } from 'vitest';
import type { InputEvent } from '@/lib/protocol/input';
import type { Tab } from '@/server/browser/tab';
import { lightLoop } from '@/server/testing/light-loop';
import { ask, type Client } from '@/server/testing/socket-client';
import { useServerFixture } from '@/server/testing/server-fixture';

/**
 * A person gives up the lease while raw input of theirs is queued in Chrome: it takes effect before anybody else may
 * act (CO2, CO5).
 */

const PAGE = `<!doctype html><meta charset="utf-8"><title>Give up</title><input id="field" aria-label="Field">`;

const LOOKS = 20;

const fixture = useServerFixture(PAGE);

interface Driving {
  readonly id: string;
  readonly tab: Tab;
  readonly client: Client;
  readonly epoch: number;
}

/** The owner has taken the lease from an agent, and the field has the focus. */
async function driving(): Promise<Driving> {
  const id = await fixture.open('bot');
  await fixture.server.act(id, { kind: 'click', selector: '#field' }, 'bot');
  const client = fixture.person();
  await ask(client, 'session.join', { session: id });
  const taken = await ask(client, 'control', { session: id, tab: 't1', do: 'take' });
  return {
    id,
    tab: fixture.inside(id).activeSessionTab().tab,
    client,
    epoch: taken.ok ? taken.data.control.epoch : -1,
  };
}

const a = (type: 'keydown' | 'keyup'): InputEvent => ({
  type,
  key: 'a',
  code: 'KeyA',
  location: 0,
  repeat: false,
  modifiers: 0,
});

/** Makes the page busy for `ms`; a short time may be over before it is noticed. */
async function busy({ tab }: Driving, ms: number): Promise<void> {
  const expression = `setTimeout(() => { ${await lightLoop(ms)} }, 0)`;
  await tab.sessions.sentinel.send('Runtime.evaluate', { expression });
  for (let looks = 0; looks < LOOKS && (await tab.sentinel.answers(40)); looks += 1);
}

async function text({ tab }: Driving): Promise<string> {
  return String(
    (
      await tab.sessions.sentinel.send('Runtime.evaluate', {
        expression: 'document.querySelector("#field").value',
        returnByValue: true,
      })
    ).result.value,
  );
}

/** A key goes to Chrome and waits there. */
async function queued({ id, tab, client, epoch }: Driving): Promise<{ down: ReturnType<typeof ask<'input'>> }> {
  const down = ask(client, 'input', { session: id, tab: 't1', epoch, geometry: 0, event: a('keydown') });
  await expect.poll(() => tab.input.held().keys, { interval: 5, timeout: 10_000 }).toEqual(['a']);
  return { down };
}

describe('a person who gives up the lease before the page has taken all their typing', () => {
  it.each(['hand-back', 'release'] as const)(
    "[CO5] by %s: their text is complete, and the other's typing follows it",
    async (deed) => {
      const it = await driving();
      await busy(it, 1_000);
      const { down } = await queued(it);
      const given = ask(it.client, 'control', { session: it.id, tab: 't1', do: deed });
      const { body } = await fixture.server.api(
        'GET',
        `/api/v1/sessions/${it.id}/tabs/t1/control/wait?timeoutMs=20000`,
        undefined,
        { 'x-agent': 'bot' },
      );
      const now = await fixture.server.act(
        it.id,
        { kind: 'type', selector: '#field', text: 'bot', mode: 'append' },
        'bot',
      );

      expect([await down, (await given).ok, now.error]).toEqual([{ ok: true, data: {} }, true, undefined]);
      expect(body).toMatchObject(deed === 'release' ? { state: 'free' } : { state: 'held', holder: { name: 'bot' } });
      expect([await text(it), it.tab.input.held().keys]).toEqual(['abot', []]);
    },
    40_000,
  );

  it('[CO5] a page that never takes it is ended, and the key is there before the agent or nowhere', async () => {
    const it = await driving();
    await busy(it, 600_000);
    const { down } = await queued(it);
    await ask(it.client, 'control', { session: it.id, tab: 't1', do: 'hand-back' });
    const atGrant = await text(it);
    const answer = await down;
    await fixture.server.act(it.id, { kind: 'type', selector: '#field', text: 'bot', mode: 'append' }, 'bot');

    expect(await text(it)).toBe(`${atGrant}bot`);
    // The reply says that the input took effect, or that this is unknown; never that it did not.
    expect(answer.ok || answer.error.code === 'OUTCOME_UNKNOWN').toBe(true);
  }, 60_000);

  it('[CO7] by closing the last window for good: nobody gets the lease before the key is acknowledged', async () => {
    const it = await driving();
    await busy(it, 1_000);
    await queued(it);
    await ask(it.client, 'session.leave', { session: it.id });
    const { body } = await fixture.server.api(
      'GET',
      `/api/v1/sessions/${it.id}/tabs/t1/control/wait?timeoutMs=20000`,
      undefined,
      { 'x-agent': 'bot' },
    );
    const now = await fixture.server.act(
      it.id,
      { kind: 'type', selector: '#field', text: 'bot', mode: 'append' },
      'bot',
    );

    expect([body, now.error, await text(it)]).toMatchObject([{ state: 'free', reason: 'released' }, undefined, 'abot']);
  }, 40_000);
});
