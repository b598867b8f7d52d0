import { describe, expect, it } from 'vitest';
import { ask, type Client } from '@/server/testing/socket-client';
import { useStand } from '@/server/testing/stand';

const PAGE = `<!doctype html><meta charset="utf-8"><title>First click</title><style>body { margin: 0 } button { position: absolute; left: 20px; top: 20px; width: 120px; height: 40px }</style>
<button id="b" onclick="clicks += 1">Buy</button><script>clicks = 0</script>`;
const PARTS = `<!doctype html><meta charset="utf-8"><title>In a frame</title><style>body { margin: 0 }</style><iframe src="/inner" style="border:0;width:300px;height:200px"></iframe>`;

const stand = useStand({ '/': PAGE, '/outer': PARTS, '/inner': PAGE });
const POINT = { x: 60, y: 40 };
const AT = { ...POINT, button: 'left', modifiers: 0 } as const;

/** Runs in the page's main frame, past every wheel. */
async function inPage(session: string, expression: string): Promise<unknown> {
  const { sentinel } = stand.inside(session).activeSeat().tab.sessions;
  const { result } = await sentinel.send('Runtime.evaluate', { expression, returnByValue: true, awaitPromise: true });
  const value: unknown = result.value;
  return value;
}

const clicksOf = (session: string): Promise<unknown> => inPage(session, 'clicks');

async function keep(person: Client, session: string): Promise<string> {
  const kept = await ask(person, 'click.keep', {
    session,
    tab: 't1',
    geometry: stand.inside(session).activeSeat().streams.geometry,
    ...AT,
  });
  if (!kept.ok) throw new Error(kept.error.message);
  return kept.data.click;
}

/** An agent drives; a person presses, then takes the wheel. What happens between is `meanwhile`. */
async function takeAfter(
  meanwhile: (session: string) => Promise<unknown>,
  path = '/',
): Promise<{ session: string; person: Client; click: string }> {
  const session = await stand.open();
  await stand.server.act(session, { kind: 'navigate', url: `${stand.site}${path}` });
  const person = stand.person();
  const click = await keep(person, session);
  await meanwhile(session);
  await ask(person, 'control', { session, tab: 't1', do: 'take' });
  return { session, person, click };
}

describe('the first click of somebody who does not drive', () => {
  it('[FR4][CO3] is made once when the wheel comes and nothing has changed; asked for again it is not made', async () => {
    const { session, person, click } = await takeAfter(async () => undefined);
    const made = await ask(person, 'click.make', { session, tab: 't1', click });
    const again = await ask(person, 'click.make', { session, tab: 't1', click });

    expect([made, again]).toEqual([
      { ok: true, data: { clicked: true } },
      { ok: true, data: { clicked: false, why: 'late' } },
    ]);
    expect(await clicksOf(session)).toBe(1);
  });

  it('[FR4] reaches into frames', async () => {
    const { session, person, click } = await takeAfter(async () => undefined, '/outer');
    const made = await ask(person, 'click.make', { session, tab: 't1', click });

    expect(made).toEqual({ ok: true, data: { clicked: true } });
    expect(await inPage(session, 'frames[0].clicks')).toBe(1);
  });

  it.each([
    [
      'page',
      'the page is another',
      (session: string) => stand.server.act(session, { kind: 'navigate', url: `${stand.site}/?next` }),
    ],
    [
      'size',
      'the page has another size',
      (session: string) => stand.server.act(session, { kind: 'resize', width: 700, height: 500 }),
    ],
    [
      'element',
      'the element was replaced by one that looks the same',
      (session: string) => inPage(session, 'b.replaceWith(b.cloneNode(true))'),
    ],
    [
      'element',
      'something lies over it',
      (session: string) =>
        inPage(
          session,
          'void (document.body.insertAdjacentHTML("beforeend", "<div style=\'position:fixed;inset:0\'>Wait</div>"))',
        ),
    ],
    [
      'moved',
      'the element moved, still under the point',
      (session: string) => inPage(session, 'void (b.style.top = "30px")'),
    ],
    [
      'changed',
      'the same element is for something else now',
      (session: string) => inPage(session, 'void (b.textContent = "Delete")'),
    ],
  ])('[FR4] is not made, and says "%s", when %s', async (why, _, meanwhile) => {
    const { session, person, click } = await takeAfter(meanwhile);
    const made = await ask(person, 'click.make', { session, tab: 't1', click });

    expect(made).toEqual({ ok: true, data: { clicked: false, why } });
    expect(await clicksOf(session)).toBe(0);
  });

  it('[CO2] is not made without the wheel', async () => {
    const session = await stand.open();
    await stand.server.act(session, { kind: 'click', selector: '#b' });
    const person = stand.person();
    const click = await keep(person, session);
    const made = await ask(person, 'click.make', { session, tab: 't1', click });

    expect(made).toMatchObject({ ok: false, error: { code: 'CONTROL_LOST' } });
    expect(await clicksOf(session)).toBe(1);
  });

  it('[FR4] is not kept when it was aimed at an older picture', async () => {
    const session = await stand.open();
    const kept = await ask(stand.person(), 'click.keep', { session, tab: 't1', geometry: -1, ...AT });

    expect(kept).toMatchObject({ ok: false, error: { code: 'CONFLICT' } });
  });
});
