import type { ServerResponse } from 'node:http';
import { afterEach, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { withBudget } from '@/lib/budget/budget';
import { FakeClock } from '@/lib/budget/fake-clock';
import { placesOf } from '@/server/features/comments/anchors';
import { COMMENTS } from '@/server/features/comments/comments';
import { ElementPlaces } from '@/server/features/comments/element-places';
import { PICTURES } from '@/server/session/feature-slots';
import { driving, soon } from '@/server/testing/private-page';
import { useServerFixture } from '@/server/testing/server-fixture';
import { ask, type Client } from '@/server/testing/socket-client';
import { quietLogger } from '@/server/testing/temp-store';

/** `gate()` keeps the page busy until the test opens the gate. */
const SHOP = `<!doctype html><title>Shop</title><style></style><button>Pay now</button><h1 style="position:absolute;left:300px;top:200px;width:200px;margin:0">Basket</h1><input aria-label="Word"><script>
  const gate = () => { const asked = new XMLHttpRequest(); asked.open('GET', '/gate', false); asked.send(); };
</script>`;
const gates: ServerResponse[] = [];
const fixture = useServerFixture({ '/': SHOP, '/gate': (_, response) => void gates.push(response) });
const openGate = (): void => gates.splice(0).forEach((response) => response.end('open'));
afterEach(openGate);

/** Calls a route of the tab's comments as the owner. */
async function asOwner(session: string, body: object, route = ''): Promise<{ status: number; json: unknown }> {
  const headers = { ...fixture.owner, 'content-type': 'application/json' };
  const url = `${fixture.server.origin}/api/v1/sessions/${session}/tabs/t1/comments${route}`;
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  return { status: answer.status, json: await answer.json() };
}

/** The ref of the button. */
async function refOf(session: string): Promise<string> {
  const { body } = await fixture.server.api('GET', `/api/v1/sessions/${session}/tabs/t1/snapshot`);
  const { text } = z.object({ text: z.string() }).parse(body);
  return /\b(e\d+)\b/.exec(text.split('\n').find((line) => line.includes('Pay now')) ?? '')?.[1] ?? '';
}
/** Runs a script in the page. */
async function inPage(session: string, expression: string): Promise<void> {
  const { sentinel } = fixture.inside(session).activeSessionTab().tab.sessions;
  await sentinel.send('Runtime.evaluate', { expression });
}

/** Resolves once these are the latest words that were pushed of a comment: text, state, open or not. */
function pushes(client: Client): (words: string) => Promise<void> {
  const latest = new Map<string, string>();
  const waiting = new Set<() => void>();
  client.on('comments', ({ comments }) => {
    for (const { text, state = 'none', open } of comments)
      latest.set(text, `${text} ${state} ${open ? 'open' : 'closed'}`);
    for (const look of waiting) look();
  });
  return (words) =>
    new Promise((resolve) => {
      const look = (): void => void ([...latest.values()].includes(words) && waiting.delete(look) && resolve());
      waiting.add(look);
      look();
    });
}
/** Begins to follow the comments of a session; resolves as `pushes` says. */
async function followed(session: string): Promise<(words: string) => Promise<void>> {
  const client = fixture.person();
  const pushed = pushes(client);
  await ask(client, 'session.join', { session });
  await ask(client, 'comments.watch', { session });
  return pushed;
}

/** Moves the button, which no observer of mutations notices. */
const MOVE = "document.styleSheets[0].insertRule('button { margin-top: 300px }')";

const HELD = { json: { error: { code: 'CONTROL_HELD' } } };

it('[TL3] a comment on an element reaches the agent once, with the ref that it can press, and without it after the page has gone', async () => {
  const session = await fixture.open();
  const path = `/api/v1/sessions/${session}/tabs/t1`;
  const ref = await refOf(session);
  const comment = (body: object) => asOwner(session, body);
  const act = async (action: object): Promise<unknown> =>
    (await fixture.server.api('POST', `${path}/act`, action)).body;
  const made = await comment({ text: 'Press this one', ref });
  const unknown = await comment({ text: 'And this', ref: 'e999' });
  const first = await act({ kind: 'none', id: 'one' });
  const repeated = await act({ kind: 'none', id: 'one' });
  const pressed = await act({ kind: 'click', ref, id: 'two' });
  await comment({ text: 'Not this', ref });
  const gone = await act({ kind: 'navigate', url: `${fixture.url}?next`, id: 'three' });

  expect(made).toMatchObject({
    status: 201,
    json: { anchor: { ref, role: 'button', name: 'Pay now', box: { x: expect.any(Number) } }, forAgents: true },
  });
  expect(unknown).toMatchObject({ json: { error: { code: 'REF_UNKNOWN' } } });
  const news = { text: 'Press this one', ref, role: 'button', name: 'Pay now' };
  expect([first, repeated]).toMatchObject([{ comments: [news] }, { comments: [news] }]);
  expect(pressed).toMatchObject({ ok: true });
  expect(pressed).not.toHaveProperty('comments');
  expect(gone).toMatchObject({ comments: [{ text: 'Not this', name: 'Pay now' }] });
  expect(JSON.stringify(gone)).not.toContain(`"ref":"${ref}"`);
});

it('[TL3] [CO8] nothing of a page that is held privately gets into a comment, also by its holder, and agents get comments on it afterwards', async () => {
  const { id, hold } = await driving(fixture);
  const ref = await refOf(id);
  const { id: earlier } = z.object({ id: z.string() }).parse((await asOwner(id, { text: 'Before', ref })).json);
  await hold();
  const own = await asOwner(id, { text: 'This one', ref });
  const words = await asOwner(id, { text: 'Wait for me' });
  const path = `/api/v1/sessions/${id}/tabs/t1/comments`;
  const others = await fixture.server.api('POST', `${path}/${earlier}/resolve`, {});
  const during = (await fixture.server.act(id, { kind: 'none' })).comments;
  await hold({ private: false });
  await soon(async () => (await fixture.server.act(id, { kind: 'snapshot', id: 'shown' })).ok);
  const { comments } = await fixture.server.act(id, { kind: 'snapshot', id: 'shown' });

  expect([own, words, others.body]).toMatchObject([HELD, { status: 201 }, HELD.json]);
  expect(words.json).not.toHaveProperty('anchor');
  expect([during, comments?.map(({ text }) => text)]).toEqual([undefined, ['Before', 'Wait for me']]);
}, 60_000);

it('[TL3] [CO8] a comment on an element is refused when a private hold begins while the element is looked up', async () => {
  const { id, hold } = await driving(fixture);
  const ref = await refOf(id);
  const { sentinel } = fixture.inside(id).activeSessionTab().tab.sessions;
  const busy = sentinel.send('Runtime.evaluate', { expression: 'gate()' });
  await soon(() => gates.length > 0);
  const commenting = asOwner(id, { text: 'This one', ref });
  // The comment waits for the page when the later request is answered.
  await fixture.server.api('GET', `/api/v1/sessions/${id}/tabs/t1/comments`);
  const holding = hold();
  await soon(async () => {
    const { body } = await fixture.server.api('GET', `/api/v1/sessions/${id}/tabs/t1/control`);
    return JSON.stringify(body).includes('"private"');
  });
  openGate();
  await Promise.all([busy, holding]);

  expect(await commenting).toMatchObject(HELD);
}, 60_000);

it('[TL3] a comment on a scrolled page stores where the element is on the page', async () => {
  const session = await fixture.open();
  const ref = await refOf(session);
  const evaluate = (expression: string): Promise<void> => inPage(session, expression);
  const box = z.object({ anchor: z.object({ box: z.object({ x: z.number(), y: z.number() }) }) });
  await evaluate("document.body.style.cssText = 'width: 5000px; height: 5000px'");
  const before = box.parse((await asOwner(session, { text: 'Unscrolled', ref })).json);
  await evaluate('scrollTo(90, 300)');
  const after = box.parse((await asOwner(session, { text: 'Scrolled', ref })).json);

  expect(after).toEqual(before);
});

it('[TL3] a box that somebody draws is about the element under it, by a ref, where the page was scrolled to then', async () => {
  const session = await fixture.open();
  const box = { x: 290, y: 190, width: 120, height: 50 };
  const geometry = PICTURES.of(fixture.inside(session).activeSessionTab()).geometry;
  const drawn = await asOwner(session, { text: 'Sum?', box, geometry });
  const left = await asOwner(session, { text: 'At the edge', box: { ...box, x: -100 } });
  await inPage(session, "document.body.style.height = '5000px'; scrollTo(0, 300)");
  const earlier = await asOwner(session, { text: 'As it was', box, scroll: { x: 0, y: 0 } });
  const stale = await asOwner(session, { text: 'Sum?', box, geometry: geometry + 1 });
  const outside = await asOwner(session, { text: 'There', box: { ...box, y: 5_000 } });
  const beyond = await asOwner(session, { text: 'There', box, scroll: { x: 0, y: 90_000 } });

  expect(drawn.json).toMatchObject({ anchor: { box, role: 'heading', name: 'Basket' }, state: 'here', open: true });
  expect(left.json).toMatchObject({ anchor: { box: { ...box, x: 0, width: 20 } } });
  expect(earlier.json).toMatchObject({ anchor: { box } });
  expect([stale.json, outside.json, beyond.json]).toMatchObject([
    { error: { code: 'CONFLICT' } },
    { error: { code: 'BAD_REQUEST', details: { fields: [{ field: 'box' }] } } },
    { error: { code: 'BAD_REQUEST', details: { fields: [{ field: 'box' }] } } },
  ]);
});

it('[TL3] who follows the comments gets new ones, and hears that their element moved, their page has gone and their tab was closed', async () => {
  const session = await fixture.open();
  const client = fixture.person();
  const pushed = pushes(client);
  await ask(client, 'session.join', { session });
  await asOwner(session, { text: 'Before' });
  const style = (change: string) =>
    fixture.server.act(session, {
      kind: 'evaluate',
      fn: `() => void (document.querySelector('button').style.${change})`,
    });
  const first = await ask(client, 'comments.watch', { session });
  const under = await ask(client, 'element.at', { session, tab: 't1', x: 20, y: 20 });
  const ref = under.ok ? under.data.element?.ref : undefined;
  await asOwner(session, { text: 'This one', ref });
  await pushed('This one here open');
  await style("marginTop = '300px'");
  await pushed('This one moved open');
  await style("display = 'none'");
  await pushed('This one gone open');
  await style("cssText = ''");
  await pushed('This one here open');
  await fixture.server.act(session, { kind: 'navigate', url: `${fixture.url}?next` });
  await pushed('This one gone open');
  await fixture.server.act(session, { kind: 'tab', do: 'open', url: fixture.url });
  await fixture.server.api('DELETE', `/api/v1/sessions/${session}/tabs/t1`);
  await pushed('Before none closed');

  expect(first).toMatchObject({ ok: true, data: { comments: [{ text: 'Before', open: true }] } });
  expect(under).toMatchObject({ ok: true, data: { element: { role: 'button', name: 'Pay now' } } });
});

it('[TL3] a frame that is loaded again sends no comment that it did not change', async () => {
  const session = await fixture.open();
  const client = fixture.person();
  const sent: string[] = [];
  client.on('comments', ({ comments }) => sent.push(...comments.map(({ text }) => text)));
  await ask(client, 'session.join', { session });
  await asOwner(session, { text: 'On the button', ref: await refOf(session) });
  await asOwner(session, { text: 'On the tab' });
  await ask(client, 'comments.watch', { session });
  const again = `new Promise((done) => {
    const frame = document.createElement('iframe');
    // It moves nothing: a comment whose element moves is sent again.
    frame.style.position = 'fixed';
    document.body.append(frame);
    let loads = 0;
    frame.onload = () => (++loads > 3 ? (frame.remove(), done()) : (frame.srcdoc = 'Load ' + loads));
    frame.srcdoc = 'Load';
  })`;
  const { sentinel } = fixture.inside(session).activeSessionTab().tab.sessions;
  await sentinel.send('Runtime.evaluate', { expression: again, awaitPromise: true });
  await asOwner(session, { text: 'Last' });
  await soon(async () => sent.includes('Last'));

  expect(sent).not.toContain('On the tab');
  expect(sent.filter((text) => text === 'On the button').length).toBeLessThan(2);
});

it('[TL3] [CO8] an element that moved during a private hold is found when the tab is shown again', async () => {
  const { id, hold } = await driving(fixture);
  const pushed = await followed(id);
  await asOwner(id, { text: 'This one', ref: await refOf(id) });
  await pushed('This one here open');
  await hold();
  await inPage(id, MOVE);
  await hold({ private: false });
  await pushed('This one moved open');
}, 60_000);

it('[TL3] [DI1] an element that moved as a dialog opened is found when the dialog is closed', async () => {
  const id = await fixture.open();
  const pushed = await followed(id);
  await asOwner(id, { text: 'This one', ref: await refOf(id) });
  await pushed('This one here open');
  const { dialogs } = fixture.inside(id).activeSessionTab().tab;
  const opened = inPage(id, `${MOVE}; alert('Look')`);
  await soon(() => dialogs.current !== undefined);
  // The look of somebody who acts meanwhile finds nothing.
  COMMENTS.of(fixture.inside(id)).acted('t1');
  await dialogs.answer(undefined, { accept: true });
  await opened;
  await pushed('This one moved open');
}, 60_000);

it('[TL3] [BR7] looks for elements take a tenth of the time at most', async () => {
  const id = await fixture.open();
  const ref = await refOf(id);
  const { tab } = fixture.inside(id).activeSessionTab();
  const clock = new FakeClock();
  const places = new ElementPlaces(tab, clock, quietLogger, () => 0);
  onTestFinished(() => places.dispose());
  const own = () => withBudget({ timeoutMs: 30_000, clock }, (budget) => placesOf(budget, tab, [ref]));
  // The page is busy for 500 ms of the first look.
  const busy = tab.sessions.sentinel.send('Runtime.evaluate', { expression: 'gate()' });
  await soon(() => gates.length > 0);
  places.follow([ref]);
  clock.advance(500);
  openGate();
  await busy;
  await soon(() => places.of(ref) !== undefined);
  const before = places.of(ref);
  await inPage(id, MOVE);
  places.look();
  // A look of that time would have been answered before these.
  for (let times = 0; times < 3; times += 1) await own();
  const during = places.of(ref);
  clock.advance(4_400);
  await own();
  const late = places.of(ref);
  clock.advance(100);
  await soon(() => places.of(ref)?.y !== before?.y);

  expect([during, late]).toEqual([before, before]);
});
