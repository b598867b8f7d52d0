import { afterAll, beforeAll, expect, it } from 'vitest';
import { ActionBench } from '@/server/testing/action-bench';

let bench: ActionBench;
beforeAll(async () => {
  bench = await ActionBench.open();
});
afterAll(() => bench.close());

const LATER = `setTimeout(() => { const b = document.querySelector('button'); b.hidden = false; b.disabled = false }, 300)`;

it('[AC4] waits for an element in a frame of another site', async () => {
  await bench.show(`<iframe src="${bench.elsewhere}/in"></iframe>`, {
    '/in': '<button hidden disabled>Timers</button>',
  });
  const ref = await bench.refIn('/in', 'document.querySelector("button")');
  await bench.readIn('/in', `${LATER}, 0`);
  const visible = await bench.run({
    kind: 'wait',
    all: [
      { ref, state: 'visible' },
      { ref, state: 'enabled' },
    ],
  });
  expect([visible.error?.message, await bench.readIn('/in', 'document.querySelector("button").hidden')]).toEqual([
    undefined,
    false,
  ]);
});

it('[SN4] follows an element that is rendered anew, by role and name', async () => {
  await bench.show('<div id="app"><button hidden>Save</button></div>');
  await bench.read('document.querySelector("button").hidden = false, 0');
  const ref = await bench.ref('document.querySelector("button")');
  await bench.read(
    `document.querySelector('button').disabled = true; setTimeout(() => { app.innerHTML = '<button>Save</button>' }, 300), 0`,
  );
  const { error } = await bench.run({ kind: 'wait', ref, state: 'enabled' });
  expect([error?.message, await bench.read('document.querySelector("button").disabled')]).toEqual([undefined, false]);
});

it('[SN4] an element whose page is gone counts as detached; waiting for one to appear fails as stale', async () => {
  await bench.show('<button>Old</button>', { '/next': 'next' });
  const ref = await bench.ref('document.querySelector("button")');
  const detached = bench.run({ kind: 'wait', ref, state: 'detached' });
  await bench.read('location.href = "/next", 0');
  expect((await detached).error).toBeUndefined();
  expect((await bench.run({ kind: 'wait', ref, state: 'visible' })).error?.code).toBe('REF_STALE_DOCUMENT');
});

it('[AC4] the page can neither see nor fake the awaited condition', async () => {
  await bench.show(`<button hidden>Never</button><script>
    Element.prototype.getBoundingClientRect = Element.prototype.getClientRects = () => [{ x: 0, y: 0, width: 9, height: 9 }];
    Element.prototype.checkVisibility = () => true; window.getComputedStyle = () => ({ visibility: 'visible', display: 'block' });
    window.MutationObserver = class { observe() { throw new Error('seen') } }</script>`);
  const ref = await bench.ref('document.querySelector("button")');
  expect((await bench.run({ kind: 'wait', ref, state: 'visible' }, { timeoutMs: 700 })).error?.code).toBe('TIMEOUT');
});

it.each([
  ['a text', { text: 'Done' }, `document.body.append('Done')`],
  ['a text to go', { textGone: 'Wait' }, `document.body.textContent = ''`],
  [
    'a selector inside an open shadow root',
    { selector: 'i' },
    `document.body.append(document.createElement('p')); document.querySelector('p').attachShadow({ mode: 'open' }).innerHTML = '<i>x</i>'`,
  ],
  [
    'a selector to be hidden',
    { selector: 'b', state: 'hidden' },
    `document.querySelector('b').style.visibility = 'hidden'`,
  ],
])('waits for %s', async (_, condition, change) => {
  await bench.show('Wait <b>bold</b>');
  await bench.read(`window.changed = false; setTimeout(() => { ${change}; window.changed = true }, 250), 0`);
  const { error } = await bench.run({ kind: 'wait', ...condition });
  expect([error?.message, await bench.read('changed')]).toEqual([undefined, true]);
});

it('[AC4] waits until the document is quiet, and continues in the next document', async () => {
  await bench.show('<p id="out"></p>', { '/next': '<p>Arrived</p>' });
  await bench.read(
    `window.n = 0; window.timer = setInterval(() => { out.textContent = ++n; if (n === 6) clearInterval(timer) }, 60), 0`,
  );
  const still = await bench.run({ kind: 'wait', stable: { quietMs: 200 } });
  expect([still.error?.message, await bench.read('n')]).toEqual([undefined, 6]);
  const arrived = bench.run({ kind: 'wait', text: 'Arrived' });
  await bench.read('location.href = "/next", 0');
  expect((await arrived).error).toBeUndefined();
});

it('[AC4] names an invalid selector', async () => {
  await bench.show('<b></b>');
  const { error } = await bench.run({ kind: 'wait', selector: 'b[' });
  expect([error?.code, error?.details?.['fields']]).toEqual([
    'BAD_REQUEST',
    [{ field: 'selector', problem: 'is not a CSS selector' }],
  ]);
});
