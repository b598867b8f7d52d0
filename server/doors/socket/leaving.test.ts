import { describe, expect, it } from 'vitest';
import type { SessionView } from '@/lib/protocol/views';
import { ask, type Client } from '@/server/testing/socket-client';
import { useServerFixture } from '@/server/testing/server-fixture';

const PAGE = '<!doctype html><meta charset="utf-8"><title>Leave</title><button id="b">Press</button>';

const fixture = useServerFixture(PAGE);

/** A session with a person who holds the lease of its tab, and that person's connection. */
async function driven(): Promise<{ id: string; client: Client; epoch: number }> {
  const id = await fixture.open();
  const client = fixture.person();
  await ask(client, 'session.join', { session: id });
  const taken = await ask(client, 'control', { session: id, tab: 't1', do: 'take' });
  return { id, client, epoch: taken.ok ? taken.data.control.epoch : -1 };
}

async function control(id: string): Promise<unknown> {
  return (await fixture.server.api('GET', `/api/v1/sessions/${id}/tabs/t1/control`)).body;
}

/** What another connection is shown of the tab's control, the first time that it fits. */
function shown(
  watcher: Client,
  id: string,
  fits: (control: SessionView['tabs'][number]['control']) => boolean,
): Promise<unknown> {
  return new Promise((resolve) =>
    watcher.on('session.state', (session) => {
      const [tab] = session.tabs;
      if (session.id === id && tab && fits(tab.control)) resolve(tab.control);
    }),
  );
}

describe('a session that has ended', () => {
  it('[DO2] its subscriptions can be ended without an error', async () => {
    const { id, client } = await driven();
    await ask(client, 'snapshot.watch', { session: id, tab: 't1', options: {} });
    await fetch(`${fixture.server.origin}/api/v1/sessions/${id}`, { method: 'DELETE', headers: fixture.owner });
    const answers = [
      await ask(client, 'snapshot.unwatch', { session: id, tab: 't1' }),
      await ask(client, 'rings.unwatch', { session: id, tab: 't1' }),
      await ask(client, 'session.leave', { session: id }),
    ];
    expect(answers.map(({ ok }) => ok)).toEqual([true, true, true]);
  });
});

describe('the lease of a person who leaves', () => {
  it('[CO7] a person who leaves on purpose releases it at once', async () => {
    const { id, client, epoch } = await driven();
    await ask(client, 'session.leave', { session: id });

    expect(await control(id)).toMatchObject({ state: 'free', epoch: epoch + 1, reason: 'released' });
  });

  it('[CO7] a person who loses the connection keeps it for a time, with a countdown that everybody sees, and has it on return', async () => {
    const { id, client, epoch } = await driven();
    const watcher = fixture.agent('watcher');
    await ask(watcher, 'wall.watch', {});
    const parked = shown(watcher, id, ({ parkedMs }) => parkedMs !== undefined);
    client.disconnect();
    const waiting = await parked;
    const refused = await fixture.server.act(id, { kind: 'press', key: 'Tab' });
    const again = fixture.person();
    await ask(again, 'session.join', { session: id });

    expect(waiting).toMatchObject({
      state: 'held',
      holder: { kind: 'human' },
      epoch,
      parkedMs: expect.toSatisfy((ms: number) => ms > 10_000 && ms <= 15_000),
    });
    expect(refused.error?.code).toBe('CONTROL_HELD');
    // Joining does not wait until the lease is stored.
    await expect
      .poll(() => control(id))
      .toMatchObject({ state: 'held', epoch, holder: { kind: 'human' }, reason: 'came back' });
  });
});

describe('a server that is stopped while a person drives', () => {
  it('[CO7] keeps the lease for that person over the restart, at a higher epoch, with the countdown', async () => {
    const { id, epoch } = await driven();
    await fixture.restart();
    const parked = await control(id);
    const refused = await fixture.server.act(id, { kind: 'press', key: 'Tab' });
    await ask(fixture.person(), 'session.join', { session: id });
    // Joining does not wait until the lease is stored.
    await expect.poll(() => control(id)).toMatchObject({ state: 'held', reason: 'came back' });

    expect(parked).toMatchObject({
      state: 'held',
      holder: { kind: 'human' },
      parkedMs: expect.any(Number),
      reason: 'the server was restarted',
    });
    expect(parked).toHaveProperty(
      'epoch',
      expect.toSatisfy((now: number) => now > epoch),
    );
    expect(refused.error?.code).toBe('CONTROL_HELD');
  });
});

describe('a snapshot that is watched while a dialog is open', () => {
  it('[SN8] is renewed as soon as the dialog is closed, not after the time limit of a build that nobody answers', async () => {
    const id = await fixture.open();
    const watcher = fixture.person();
    await ask(watcher, 'session.join', { session: id });
    await ask(watcher, 'snapshot.watch', { session: id, tab: 't1', options: {} });
    const fresh = new Promise<string>((resolve) =>
      watcher.on('snapshot', ({ snapshot }) => snapshot.text.includes('After') && resolve('snapshot')),
    );
    await fixture.server.act(id, {
      kind: 'evaluate',
      fn: '() => { setTimeout(() => { document.querySelector("#b").textContent = "Asked"; alert("wait"); document.querySelector("#b").textContent = "After"; }, 0); return 1; }',
    });
    await fixture.server.act(id, { kind: 'wait', timeMs: 500 });
    // A build under way for 10 s would end after this marker.
    const marker = new Promise<string>((resolve) => setTimeout(() => resolve('marker'), 5_000));
    await fixture.server.act(id, { kind: 'dialog', do: 'answer', accept: true });

    expect(await Promise.race([fresh, marker])).toBe('snapshot');
  });
});

describe('an agent that drives by raw input', () => {
  it('[CO10] is not idle while it does', async () => {
    await fixture.restart(undefined, { env: { AGENT_IDLE_MS: '1000' } });
    const id = await fixture.open('mouse');
    const mouse = fixture.agent('mouse');
    await ask(mouse, 'session.join', { session: id });
    const taken = await ask(mouse, 'control', { session: id, tab: 't1', do: 'take' });
    const epoch = taken.ok ? taken.data.control.epoch : -1;
    // Twice the idle time and more, in which nothing but the pointer moves.
    const answers = new Set<boolean>();
    for (let x = 0; x < 25; x += 1) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      answers.add(
        (
          await ask(mouse, 'input', {
            session: id,
            tab: 't1',
            epoch,
            geometry: 0,
            event: { type: 'move', x, y: 10, modifiers: 0, buttons: 0 },
          })
        ).ok,
      );
    }
    const freed = new Promise((resolve) =>
      mouse.on('session.state', ({ tabs }) => tabs[0]?.control.state === 'free' && resolve('free')),
    );
    const end = await freed;

    expect([[...answers], end]).toEqual([[true], 'free']);
  });
});
