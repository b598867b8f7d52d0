import { expect, it } from 'vitest';
import { z } from 'zod';
import { monotonicClock } from '@/lib/budget/clock';
import { withBudget } from '@/lib/budget/budget';
import { secretsShown } from '@/server/browser/target/secrets-shown';
import type { Session } from '@/server/session/session';
import { coloursIn, isRed } from '@/server/testing/colours';
import { grows, soon, watchPictures } from '@/server/testing/private-page';
import { useServerFixture } from '@/server/testing/server-fixture';

/** The box moves, so that pictures come; the page is red while the code field holds something. */
const CODE_PAGE = `<!doctype html><meta charset="utf-8"><title>Code</title><body style="margin:0;background:#fff;height:600px">
<input id="code" autocomplete="one-time-code" aria-label="Word" style="position:absolute;top:200px"><button id="go">Go</button>
<div id="m" style="position:absolute;left:0;bottom:0;width:60px;height:60px;background:#00f"></div><script>
let step = 0; const move = () => { m.style.left = (step++ * 7) % 600 + 'px'; setTimeout(move, 33); }; move();
const show = () => { document.body.style.background = code.value ? '#f00' : '#fff'; };
code.addEventListener('input', show);
</script>`;

const FIELDS = `<!doctype html><meta charset="utf-8"><title>Fields</title><body style="margin:0">
<input id="plain" aria-label="Search"><button id="show-password">Show password</button><input id="pass" type="password">
<input id="otp" autocomplete="one-time-code"><input id="card" name="cardNumber"><label>Security code <input id="labelled"></label>
<input id="dots" name="pin" style="-webkit-text-security:disc"><div id="editor" contenteditable aria-label="Your passphrase" style="width:90px;height:20px"></div>
<span id="name">Card number</span><input id="named" aria-labelledby="other name"><input id="titled" title="Recovery key"><div id="open"></div><x-closed id="closed"></x-closed><div style="height:9000px"></div><input id="far" autocomplete="one-time-code"><script>
function fill(field, value) { field.value = value; field.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true })); }
open_ = document.getElementById('open').attachShadow({ mode: 'open' }); open_.innerHTML = '<input autocomplete="cc-csc">';
closed_ = document.getElementById('closed').attachShadow({ mode: 'closed' }); closed_.innerHTML = '<input autocomplete="one-time-code">';
</script>`;

const fixture = useServerFixture({
  '/': CODE_PAGE,
  '/fields': FIELDS,
  '/framed': '<title>Framed</title><input id="otp" autocomplete="one-time-code">',
});

async function inPage(session: Session, expression: string): Promise<void> {
  await session.activeSessionTab().tab.sessions.commands.send('Runtime.evaluate', { expression, awaitPromise: true });
}

/** What a look finds: for guests who watch, and for one who drives. */
async function found(session: Session, holder = 1): Promise<string> {
  const { tab } = session.activeSessionTab();
  const init = { timeoutMs: 10_000, clock: monotonicClock };
  const { toOthers, toHolder } = await withBudget(init, (budget) => secretsShown(budget, tab, holder));
  return [toOthers ? 'others' : '', toHolder ? 'holder' : ''].filter((who) => who !== '').join(' ') || 'nobody';
}

it('[AU4][SN6] a look finds secret fields that have the focus or show what they hold, whatever marks them', async () => {
  const { id } = await fixture.server.session(`${fixture.site}/fields`, 'looks');
  const session = fixture.inside(id);
  const states: readonly (readonly [state: string, script: string])[] = [
    ['at rest', ''],
    ['an ordinary field in use', `plain.focus(); plain.value = 'shoes'`],
    ['a button that is called after a password', `document.getElementById('show-password').focus()`],
    ['a password in use', `pass.focus()`],
    ['a password as dots', `pass.value = 'tulip'; pass.blur()`],
    ['a password that is shown', `pass.type = 'text'`],
    ['as dots again', `pass.type = 'password'`],
    ['shown for a moment since the last look', `pass.type = 'text'; pass.type = 'password'`],
    ['a code', `otp.value = '12'`],
    ['a code that was taken away since the last look', `fill(otp, '34'); otp.value = ''`],
    ['after that look', ''],
    [
      'a code in a field that was removed',
      `const gone = otp.cloneNode(); document.body.append(gone); fill(gone, '56'); gone.remove()`,
    ],
    ['a card', `otp.value = ''; card.value = '4111'`],
    ['a field by its label', `card.value = ''; labelled.value = '99'`],
    ['a field by an element that names it', `labelled.value = ''; named.value = '4111'`],
    ['a field by its title', `named.value = ''; titled.value = '4111'`],
    ['dots by CSS', `titled.value = ''; dots.value = '1234'`],
    ['an editor', `dots.value = ''; editor.textContent = 'my words'`],
    ['an open shadow root', `editor.textContent = ''; open_.querySelector('input').value = '123'`],
    ['the focus in a closed one', `open_.querySelector('input').value = ''; closed_.querySelector('input').focus()`],
    ['far below', `document.activeElement.blur(); far.value = '12'`],
    ['scrolled near', `scrollTo(0, 8500)`],
    [
      'a frame of another site',
      `scrollTo(0, 0); far.value = ''; new Promise((loaded) => { const frame = document.createElement('iframe'); frame.src = '${fixture.elsewhere}/framed'; frame.onload = loaded; document.body.prepend(frame); })`,
    ],
  ];
  const seen: Record<string, string> = {};
  for (const [state, script] of states) {
    if (script !== '') await inPage(session, script);
    seen[state] = await found(session);
  }
  const { tab } = session.activeSessionTab();
  await soon(() => tab.frames.list().some(({ url }) => url.includes('/framed')));
  const frame = tab.frames.list().find(({ url }) => url.includes('/framed'));
  await frame?.sessions?.commands.send('Runtime.evaluate', { expression: `otp.value = '77'` });
  seen['a code in that frame'] = await found(session);

  expect(seen).toEqual({
    'at rest': 'nobody',
    'an ordinary field in use': 'nobody',
    'a button that is called after a password': 'nobody',
    'a password in use': 'others',
    'a password as dots': 'nobody',
    'a password that is shown': 'others',
    'as dots again': 'nobody',
    'shown for a moment since the last look': 'others',
    'a code': 'others',
    'a code that was taken away since the last look': 'others',
    'after that look': 'nobody',
    'a code in a field that was removed': 'others holder',
    'a card': 'others',
    'a field by its label': 'others',
    'a field by an element that names it': 'others',
    'a field by its title': 'others',
    'dots by CSS': 'nobody',
    'an editor': 'others',
    'an open shadow root': 'others',
    'the focus in a closed one': 'others',
    'far below': 'nobody',
    'scrolled near': 'others',
    'a frame of another site': 'nobody',
    'a code in that frame': 'others',
  });
});

it('[AU4] a guest who drives does not see what fields held before', async () => {
  const { id } = await fixture.server.session(`${fixture.site}/fields`, 'holds');
  const session = fixture.inside(id);
  await inPage(session, `pass.value = 'tulip'; otp.value = '12'`);
  const before = await found(session, 1);
  await inPage(session, `otp.value = ''; card.value = '4111'`);
  const own = await found(session, 1);
  await inPage(session, `pass.type = 'text'`);
  const revealed = await found(session, 1);
  await inPage(session, `pass.type = 'password'`);
  await found(session, 1);
  const next = await found(session, 2);
  // What an undo brings back.
  await inPage(session, `card.value = ''`);
  await found(session, 3);
  await inPage(session, `card.value = '4111'`);
  const undone = await found(session, 3);
  await inPage(session, `card.value = ''; pass.type = 'text'; pass.type = 'password'`);
  const shownForAMoment = await found(session, 3);

  expect([before, own, revealed, next]).toEqual(['others holder', 'others', 'others holder', 'others holder']);
  expect([undone, shownForAMoment]).toEqual(['others holder', 'others holder']);
});

const madeSchema = z.object({ id: z.string(), url: z.string() });

it('[AU4] a guest gets no picture of a code that is typed, and the page again when it is gone', async () => {
  const { server } = fixture;
  const decoder = fixture.inside((await server.session(`${fixture.site}/framed`, 'decoder')).id);
  const red = async (pictures: readonly Uint8Array[]): Promise<number> =>
    (await coloursIn(decoder, pictures, { x: 20, y: 40 })).filter(isRed).length;
  const id = await fixture.open();
  const made = madeSchema.parse((await server.api('POST', `/api/v1/sessions/${id}/links`, {})).body);
  const opened = await fetch(`${server.origin}/api/v1/links/${made.id}/open`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ secret: new URL(made.url).hash.slice(1) }),
  });
  const cookie = opened.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const guest = fixture.connect({ headers: { cookie, origin: server.origin }, auth: { link: made.id } });
  const [mia, ada] = [
    await watchPictures(guest, id, 'standard'),
    await watchPictures(fixture.person(), id, 'standard'),
  ];
  await grows(mia.pictures, 3);
  const fill = (value: string) =>
    server.api('POST', `/api/v1/sessions/${id}/tabs/t1/act`, { kind: 'fill', fields: [{ selector: '#code', value }] });
  const filled = await fill('123456');
  await soon(async () => mia.paused() && (await red(ada.pictures.slice(-1))) === 1);
  const cleared = await fill('');
  await inPage(fixture.inside(id), `go.focus()`);
  await soon(() => !mia.paused());
  await grows(mia.pictures, 3);

  expect([filled, cleared]).toMatchObject([{ body: { ok: true } }, { body: { ok: true } }]);
  expect(await red(mia.pictures)).toBe(0);
});
