import { afterAll, beforeAll, expect, it } from 'vitest';
import { WheelhouseError } from '@/lib/errors/error';
import { ActionBench, newBudget } from '@/server/testing/action-bench';
import { settle } from './settle';

let bench: ActionBench;
beforeAll(async () => {
  bench = await ActionBench.open();
});
afterAll(() => bench.close());

const click = { kind: 'click', selector: '#go' } as const;

it('[AC5] a page that did nothing is not waited for until its next timer', async () => {
  await bench.show('<button id="go" onclick="setTimeout(() => { window.late = true }, 10_000)">Go</button>');
  const { settled } = await bench.run(click, { settle: true });
  expect(settled).toEqual({ navigated: false, ended: 'calm' });
  expect(await bench.read('window.late ?? false')).toBe(false);
});

it("[AC5] waits for the request that a click began and for the page's reaction", async () => {
  await bench.show(
    `<button id="go" onclick="fetch('/more').then((answer) => answer.text()).then((text) => setTimeout(() => { out.textContent = 'done' }, 10))">Go</button><p id="out"></p>`,
    { '/more': 'x' },
  );
  const { settled } = await bench.run(click, { settle: true });
  expect(settled?.ended).toBe('calm');
  expect(await bench.read('out.textContent')).toBe('done');
});

it('[AC5] waits while the document still changes, but not for animated styles', async () => {
  await bench.show(`<div id="spin"></div><button id="go" onclick="let n = 0; out.textContent = n; const timer = setInterval(() => { out.textContent = ++n; if (n === 6) clearInterval(timer) }, 50)">Go</button><p id="out"></p>
    <script>const turn = (at) => { spin.style.transform = 'rotate(' + at + 'deg)'; requestAnimationFrame(turn) }; turn(0)</script>`);
  const { settled } = await bench.run(click, { settle: true });
  expect(settled?.ended).toBe('calm');
  expect(await bench.read('out.textContent')).toBe('6');
});

it('[AC5] a page that never calms down is bounded', async () => {
  // It changes before each look, which comes with a frame or a timer: also where a busy machine does not run it for a
  // while.
  await bench.show(
    '<button id="go">Go</button><p id="out"></p><script>const change = () => { out.textContent = Math.random(); requestAnimationFrame(change) }; change(); setInterval(() => { out.textContent = Math.random() }, 2)</script>',
  );
  const { settled } = await bench.run(click, { settle: true });
  expect(settled).toEqual({ navigated: false, ended: 'bound' });
});

it.each([
  ['a link', '<a id="go" href="/next">Go</a>'],
  ['a form', '<form action="/next"><button id="go">Go</button></form>'],
  [
    'a script that navigates a moment later',
    `<button id="go" onclick="setTimeout(() => { location = '/next' })">Go</button>`,
  ],
])('[AC5] waits until the navigation begun by %s is committed and parsed', async (_, html) => {
  await bench.show(html, { '/next': '<h1>Next</h1>', '/next?': '<h1>Next</h1>' });
  const { settled } = await bench.run(click, { settle: true });
  expect(settled).toEqual({ navigated: true, ended: 'calm' });
  expect(await bench.read('document.querySelector("h1").textContent')).toBe('Next');
});

it('[AC5] waits for the request and the changes that a click began in a frame of another site', async () => {
  await bench.show(`<iframe src="${bench.elsewhere}/in"></iframe>`, {
    '/in': `<button onclick="fetch('/more').then((answer) => answer.text()).then(() => setTimeout(() => { out.textContent = 'done' }, 30))">Go</button><p id="out"></p>`,
    '/more': 'x',
  });
  const ref = await bench.refIn('/in', 'document.querySelector("button")');
  const { settled } = await bench.run({ kind: 'click', ref }, { settle: true });
  expect([settled, await bench.readIn('/in', 'out.textContent')]).toEqual([
    { navigated: false, ended: 'calm' },
    'done',
  ]);
});

it('[AC5] waits until such a frame has shown its next document', async () => {
  await bench.show(`<iframe src="${bench.elsewhere}/in"></iframe>`, {
    '/in': `<a href="/next">Go</a>`,
    '/next': '<h1>Next</h1>',
  });
  const frame = await bench.frame('/in');
  const { settled } = await bench.run(
    { kind: 'click', ref: await bench.refIn('/in', 'document.querySelector("a")') },
    { settle: true },
  );
  expect([settled, new URL(bench.tab.frames.of(frame.frameId)?.url ?? '').pathname]).toEqual([
    { navigated: false, ended: 'calm' },
    '/next',
  ]);
});

it('[AC5] a frame of another site that never settles is waited for up to a limit, and not at all after a press elsewhere', async () => {
  await bench.show(`<button id="go">Go</button><iframe src="${bench.elsewhere}/in"></iframe>`, {
    '/in':
      '<button>In</button><p id="out"></p><script>setInterval(() => { out.textContent = Math.random() }, 2)</script>',
  });
  const inside = await bench.run(
    { kind: 'click', ref: await bench.refIn('/in', 'document.querySelector("button")') },
    { settle: true },
  );
  const beside = await bench.run(click, { settle: true });
  expect([inside.settled?.ended, beside.settled?.ended]).toEqual(['bound', 'calm']);
});

it('[AC5] moving inside the document is no navigation', async () => {
  await bench.show(`<button id="go" onclick="history.pushState(null, '', '/other')">Go</button>`);
  const { settled } = await bench.run(click, { settle: true });
  expect(settled).toEqual({ navigated: false, ended: 'calm' });
});

it('[DI1] an open dialog ends it at once', async () => {
  await bench.show(
    '<button id="go" onclick="setTimeout(() => confirm(1), 20); setInterval(() => { out.textContent = Math.random() }, 10)">Go</button><p id="out"></p>',
  );
  const { settled } = await bench.run(click, { settle: true });
  expect(settled?.ended).toBe('dialog');
  await bench.tab.dialogs.answer(undefined, { accept: false });
});

it('[BU3] ends with its budget, and passes on the error of a lost lease', async () => {
  await bench.show('<p id="out"></p><script>setInterval(() => { out.textContent = Math.random() }, 2)</script>');
  const short = newBudget(300);
  expect((await settle(short, bench.tab)).ended).toBe('bound');
  const taken = newBudget(5_000);
  const waiting = settle(taken, bench.tab);
  taken.abort(new WheelhouseError('CONTROL_LOST', 'taken'));
  await expect(waiting).rejects.toMatchObject({ code: 'CONTROL_LOST' });
  short.dispose();
  taken.dispose();
});
