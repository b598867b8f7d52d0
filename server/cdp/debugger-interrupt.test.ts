import { describe, expect, it } from 'vitest';
import { interruptOneOf } from './debugger-interrupt';
import { useServerFixture } from '@/server/testing/server-fixture';

/** The debugger that stands ready for a takeover (CO3) must not be felt by pages. */

const STOPS =
  '<title>Stops</title><script>debugger; window.past = 1</script><button id="b" onclick="debugger; window.past += 1">Press</button>';
const fixture = useServerFixture({
  '/': STOPS,
  '/inner': STOPS,
  '/frame': '<title>Frame</title><iframe src="ELSEWHERE/inner"></iframe>',
});

/** Sites by turns, each in a process of its own. */
const sites = (): string[] => {
  const [other, third] = [`${fixture.elsewhere}/`, `${fixture.elsewhere.replace('localhost', 'sub.localhost')}/`];
  return [fixture.url, other, third, other, fixture.url, third];
};

describe('the debugger while an agent holds the lease', () => {
  it("[CO3][AC3] a page's own debugger statement pauses nothing, in any process", async () => {
    const { server } = fixture;
    const id = await fixture.open();
    const seen: unknown[] = [];
    for (const url of sites()) {
      const went = await server.act(id, { kind: 'navigate', url });
      const pressed = await server.act(id, { kind: 'click', selector: '#b' });
      const past = await server.act(id, { kind: 'evaluate', fn: 'window.past' });
      seen.push([went.error?.code, pressed.error?.code, past.value]);
    }

    expect(seen).toEqual(sites().map(() => [undefined, undefined, 2]));
  }, 60_000);

  it('[CO3][AC3] also not after the lease was released and taken again, in the same document and in another', async () => {
    const { server } = fixture;
    const id = await fixture.open();
    const seen: unknown[] = [];
    for (const url of sites()) {
      const pressed = [await server.act(id, { kind: 'click', selector: '#b' })];
      await server.api('POST', `/api/v1/sessions/${id}/tabs/active/control`, { do: 'release' });
      pressed.push(
        await server.act(id, { kind: 'click', selector: '#b' }),
        await server.act(id, { kind: 'navigate', url }),
      );
      await server.api('POST', `/api/v1/sessions/${id}/tabs/active/control`, { do: 'release' });
      seen.push(pressed.map(({ error }) => error?.code));
    }

    expect(seen).toEqual(sites().map(() => [undefined, undefined, undefined]));
  }, 60_000);

  it('[CO3][AC3] also not in a frame of any process', async () => {
    const { server } = fixture;
    const { id } = await server.session(`${fixture.site}/frame`);
    const inner = { frame: '/inner' };
    const seen: unknown[] = [];
    for (const url of sites().slice(1)) {
      const loaded = await server.act(id, {
        kind: 'evaluate',
        fn: '(url) => new Promise((done) => { const frame = document.querySelector("iframe"); frame.onload = done; frame.src = url; })',
        args: [`${url}inner`],
      });
      const pressed = await server.act(id, { kind: 'click', selector: '#b', ...inner });
      const past = await server.act(id, {
        kind: 'evaluate',
        selector: '#b',
        ...inner,
        fn: '(button) => button.ownerDocument.defaultView.past',
      });
      seen.push([loaded.error?.code, pressed.error?.code, past.value]);
    }

    expect(seen).toEqual(
      sites()
        .slice(1)
        .map(() => [undefined, undefined, 2]),
    );
  }, 60_000);
});

describe('an interrupt', () => {
  it('[CO3] of a page that only answered late leaves it, and does not count as one that failed', async () => {
    const id = await fixture.open();
    await fixture.server.act(id, { kind: 'press', key: 'Shift' });
    const { sentinel } = fixture.inside(id).activeSessionTab().tab;
    const outcome = await interruptOneOf([sentinel.interrupt], Promise.resolve(), sentinel.whenAnswers());
    const pressed = await fixture.server.act(id, { kind: 'click', selector: '#b' });
    const past = await fixture.server.act(id, { kind: 'evaluate', fn: 'window.past' });

    expect([outcome === 'not-discarded', pressed.error?.code, past.value]).toEqual([false, undefined, 2]);
  });
});
