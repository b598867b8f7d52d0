import { describe, expect, it } from 'vitest';
import type { Reply } from '@/lib/actions/reply';
import type { Tab } from '@/server/browser/tab';
import { lightLoop } from '@/server/testing/light-loop';
import { useServerFixture } from '@/server/testing/server-fixture';

/** Input of the former holder that is queued in Chrome is dropped, or reported as uncertain (CO3). */

const PAGE = `<!doctype html><meta charset="utf-8"><title>Drain</title><input id="field" aria-label="Field">
<button id="b" onclick="window.pressed = (window.pressed ?? 0) + 1">Press</button><a id="l" href="#gone">Leave</a><input type="checkbox" id="c">`;
/** Begins once the script that starts it has been answered. */
const LOOPS = {
  timer: `setTimeout(() => { ${await lightLoop()} }, 0)`,
  microtask: 'setTimeout(async () => { for (;;) await 0; }, 0)',
  regex: 'setTimeout(() => /(a+)+$/.test("a".repeat(60) + "b"), 0)',
};

const fixture = useServerFixture(PAGE);

interface Driven {
  readonly id: string;
  readonly tab: Tab;
  /** The state of the page, once it answers. */
  seen(): Promise<unknown>;
}

async function driven(): Promise<Driven> {
  const id = await fixture.open();
  const { tab } = fixture.inside(id).activeSessionTab();
  const seen = async (): Promise<unknown> =>
    (
      await tab.sessions.sentinel.send('Runtime.evaluate', {
        expression:
          '[document.querySelector("#field").value, window.pressed ?? 0, location.hash, document.querySelector("#c").checked].join()',
        returnByValue: true,
      })
    ).result.value;
  return { id, tab, seen };
}

/** The page loops from now on, with this element focused. */
async function hang({ id, tab }: Driven, focused: string, loop: string): Promise<void> {
  const started = await fixture.server.act(id, {
    kind: 'evaluate',
    fn: `() => { document.querySelector('${focused}').focus(); ${loop}; }`,
  });
  expect(started.error).toBeUndefined();
  while (await tab.sentinel.answers(60));
}

/**
 * Sends it, and waits until Chrome has got it, behind the loop. Not for Enter as the last key: the page is asked about
 * its form first, and nothing is queued.
 */
async function queue({ id, tab }: Driven, action: object): Promise<{ reply: Promise<Reply> }> {
  const reply = fixture.server.act(id, { timeoutMs: 20_000, ...action });
  const tooSoon = reply.then(({ error }) =>
    Promise.reject(new Error(`It was answered before Chrome had it: ${error?.message ?? 'ok'}`)),
  );
  const sent = expect
    .poll(() => tab.input.held().keys.length + tab.input.held().buttons.length, { interval: 5, timeout: 10_000 })
    .toBeGreaterThan(0);
  await Promise.race([sent, tooSoon]);
  tooSoon.catch(() => undefined);
  return { reply };
}

/** All that was queued has been through the page: two frames and a task. */
async function settled({ tab }: Driven): Promise<void> {
  await tab.sessions.sentinel.send('Runtime.evaluate', {
    expression: 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 50))))',
    awaitPromise: true,
  });
}

describe('input that is queued behind a script when the lease is taken', () => {
  it.each([
    ['a click by key', '#b', { kind: 'press', key: 'Space' }, LOOPS.timer],
    ['a link', '#l', { kind: 'press', keys: ['Enter', 'Shift'] }, LOOPS.timer],
    ['a checkbox', '#c', { kind: 'press', key: 'Space' }, LOOPS.regex],
    ['a typed key', '#field', { kind: 'press', key: 'x' }, LOOPS.microtask],
  ])(
    '[CO3] %s never takes effect, and the page works again',
    async (_, focused, action, loop) => {
      const it = await driven();
      await hang(it, focused, loop);
      const { reply } = await queue(it, action);
      const taken = await fixture.control(it.id, { do: 'take' });
      const lost = await reply;
      await settled(it);

      expect(taken).toMatchObject({ status: 200, body: { state: 'held', holder: { kind: 'human' } } });
      expect([lost.error?.code, await it.seen(), it.tab.input.held()]).toMatchObject([
        'CONTROL_LOST',
        ',0,,false',
        { keys: [], buttons: [] },
      ]);
    },
    40_000,
  );

  it('[CO3] also of an action whose caller has been answered long before', async () => {
    const it = await driven();
    await hang(it, '#b', LOOPS.timer);
    const { reply } = await queue(it, { kind: 'press', key: 'Space', timeoutMs: 200 });
    const given = await reply;
    await fixture.control(it.id, { do: 'take' });
    await settled(it);

    expect([given.error?.code, await it.seen()]).toEqual(['TIMEOUT', ',0,,false']);
  }, 40_000);

  it('[CO3] reaches the page when nobody takes the lease and the script ends', async () => {
    const it = await driven();
    await hang(it, '#b', LOOPS.timer);
    const { reply } = await queue(it, { kind: 'press', key: 'Space' });
    await it.tab.sentinel.terminate(5_000);
    expect([(await reply).error, await it.seen()]).toEqual([undefined, ',1,,false']);
  }, 40_000);

  it('[CO3] ends with OUTCOME_UNKNOWN when Chrome could not be stopped', async () => {
    const it = await driven();
    await hang(it, '#b', LOOPS.timer);
    const { reply } = await queue(it, { kind: 'press', key: 'Space' });
    // As for a page that looped before anybody held the lease.
    it.tab.hangMonitor.arm(false);
    const taken = await fixture.control(it.id, { do: 'take' });
    const unknown = await reply;

    expect(taken.status).toBe(200);
    expect(unknown.error).toMatchObject({
      code: 'OUTCOME_UNKNOWN',
      hint: expect.stringMatching(/look at the page/),
      details: { lost: 'CONTROL_LOST', holder: { kind: 'human' } },
    });
    expect(await it.tab.sentinel.answers(5_000)).toBe(true);
  }, 40_000);
});
