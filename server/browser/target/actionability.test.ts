import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ActionBench } from '@/server/testing/action-bench';

let bench: ActionBench;
beforeAll(async () => {
  bench = await ActionBench.open();
});
afterAll(() => bench.close());

/** Counts trusted presses of the element only: what bubbles up from something else does not count. */
const HIT = 'onclick="window.hits = (window.hits ?? 0) + (event.isTrusted ? 1 : 100)"';

describe('[AC3] is pressed where a person would press it', () => {
  it.each([
    [
      'under a sticky header in its own scroller',
      `<div style="height: 200px; overflow: auto"><div style="position: sticky; top: 0; height: 120px; background: #ddd; z-index: 1"></div><div style="height: 900px"></div><button id="go" ${HIT}>B</button><div style="height: 900px"></div></div>`,
    ],
    [
      'turned by 45 degrees',
      `<button id="go" ${HIT} style="margin: 200px; width: 200px; height: 20px; transform: rotate(45deg)">B</button>`,
    ],
    [
      'turned, with its middle covered',
      `<div style="position: relative; margin: 150px; width: 300px"><button id="go" ${HIT} style="width: 300px; height: 16px; transform: rotate(30deg)">B</button><i style="position: absolute; left: 130px; top: -20px; width: 40px; height: 60px; background: #ddd"></i></div>`,
    ],
    [
      'scaled to a quarter',
      `<button id="go" ${HIT} style="width: 200px; height: 80px; transform: scale(0.25); transform-origin: 100% 100%">B</button>`,
    ],
    [
      'in a page with zoom: 1.5',
      `<div style="zoom: 1.5"><div style="height: 900px"></div><button id="go" ${HIT}>B</button></div>`,
    ],
    ['a circle of an SVG', `<svg width="200" height="200"><circle id="go" ${HIT} cx="90" cy="90" r="30"/></svg>`],
    [
      'a ring of an SVG with a hole in its middle',
      `<svg width="200" height="200"><circle id="go" ${HIT} cx="90" cy="90" r="60" fill="none" stroke="red" stroke-width="6"/></svg>`,
    ],
    [
      'an L-shaped line of an SVG',
      `<svg width="200" height="200"><path id="go" ${HIT} d="M10 10 V150 H150" fill="none" stroke="red" stroke-width="4"/></svg>`,
    ],
    [
      'cut to a corner by clip-path',
      `<button id="go" ${HIT} style="width: 200px; height: 200px; clip-path: polygon(0 0, 20% 0, 0 20%)">B</button>`,
    ],
    [
      'fixed at the bottom of a long page',
      `<div style="height: 3000px"></div><button id="go" ${HIT} style="position: fixed; bottom: 0">B</button>`,
    ],
    ['in a parent without a size', `<div style="width: 0; height: 0"><button id="go" ${HIT}>B</button></div>`],
    [
      'without a size, by what it shows',
      `<a id="go" ${HIT} style="display: block; width: 0; height: 0"><span style="position: absolute; left: 50px; top: 50px; width: 60px; height: 20px">B</span></a>`,
    ],
    ['with display: contents, by what it holds', `<a id="go" ${HIT} style="display: contents"><span>Inside</span></a>`],
    ['with display: contents and text alone', `<a id="go" ${HIT} style="display: contents">Inside</a>`],
    [
      'three scrollers deep',
      `<div style="height: 300px; overflow: auto"><div style="height: 800px"></div><div style="height: 200px; overflow: auto"><div style="height: 700px"></div><div style="width: 200px; overflow: auto"><div style="width: 900px; text-align: right"><button id="go" ${HIT}>B</button></div></div></div></div>`,
    ],
    [
      'scrolled out of a box with overflow: hidden',
      `<div style="height: 100px; overflow: hidden"><div style="height: 500px"></div><button id="go" ${HIT}>B</button></div>`,
    ],
    [
      'in the first legend of a disabled fieldset',
      `<fieldset disabled><legend><button id="go" ${HIT}>B</button></legend></fieldset>`,
    ],
    [
      'an area of an image map',
      `<img usemap="#m" style="margin: 20px; padding: 10px; border: 5px solid" width="200" height="100" src="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='200' height='100'/%3E"><map name="m"><area href="#x"><area id="go" ${HIT} href="#x" shape="rect" coords="120,20,180,80"></map>`,
    ],
    [
      'far down the page with display: contents',
      `<div style="height: 2000px"></div><a id="go" ${HIT} style="display: contents"><span>Inside</span></a>`,
    ],
    [
      'a round area far down the page',
      `<div style="height: 2000px"></div><img usemap="#m" width="200" height="100" src="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='200' height='100'/%3E"><map name="m"><area id="go" ${HIT} href="#x" shape="circle" coords="40,50,20"></map>`,
    ],
  ])('[AC3] %s', async (_, html) => {
    await bench.show(html);
    const { error } = await bench.run({ kind: 'click', selector: '#go' });
    expect([error?.message, await bench.read('window.hits')]).toEqual([undefined, 1]);
  });

  it('[AC3] a link over two lines whose first line is covered, on its second', async () => {
    await bench.show(
      `<p style="width: 160px; font: 20px/24px monospace; position: relative; margin: 0">aaaaaaaa <a id="go" href="#hit">bbb ccccccccc</a><i style="position: absolute; left: 0; top: 0; width: 160px; height: 24px"></i></p>`,
    );
    const { error } = await bench.run({ kind: 'click', selector: '#go' });
    expect([error?.message, await bench.read('location.hash')]).toEqual([undefined, '#hit']);
  });

  it.each([
    ['hidden', 'display: none'],
    ['invisible', 'visibility: hidden; position: absolute'],
    ['cut away', 'position: absolute; width: 1px; height: 1px; clip-path: inset(50%)'],
  ])('[AC3] a box that is %s inside its label, by the label', async (_, style) => {
    await bench.show(
      `<label style="display: block; padding: 10px"><input id="go" type="checkbox" style="${style}">Terms</label>`,
    );
    const { error } = await bench.run({ kind: 'click', selector: '#go' });
    expect([error?.message, await bench.read('document.querySelector("#go").checked')]).toEqual([undefined, true]);
  });

  it('[AC3] with the page zoomed in as by two fingers', async () => {
    await bench.show(`<div style="height: 500px"></div><button id="go" ${HIT}>B</button>`);
    await bench.tab.sessions.commands.send('Emulation.setPageScaleFactor', { pageScaleFactor: 2 });
    const { error } = await bench.run({ kind: 'click', selector: '#go' });
    await bench.tab.sessions.commands.send('Emulation.setPageScaleFactor', { pageScaleFactor: 1 });
    expect([error?.message, await bench.read('window.hits')]).toEqual([undefined, 1]);
  });
});

describe('[AC3] is refused with the reason', () => {
  it.each([
    [
      'pointer-events: none',
      `<div id="behind"><button id="go" style="pointer-events: none">B</button></div>`,
      'COVERED',
      'pointer-events: none itself',
    ],
    ['inert', `<div inert><button id="go">B</button></div>`, 'DISABLED', 'inert'],
    [
      'behind a modal dialog',
      `<button id="go">B</button><dialog id="box">Wait</dialog><script>box.showModal()</script>`,
      'COVERED',
      'dialog#box',
    ],
    [
      'aria-disabled further out',
      `<div aria-disabled="true"><button id="go">B</button></div>`,
      'DISABLED',
      'aria-disabled',
    ],
    ['closed details', `<details><summary>S</summary><button id="go">B</button></details>`, 'NOT_VISIBLE', 'not shown'],
    [
      'collapsed by content-visibility',
      `<div style="content-visibility: hidden"><button id="go">B</button></div>`,
      'NOT_VISIBLE',
      '',
    ],
    [
      'kept out of the page on the left',
      `<button id="go" style="position: absolute; left: -500px">B</button>`,
      'OFFSCREEN',
      'outside the viewport',
    ],
    [
      'never at rest',
      `<style>@keyframes turn { to { transform: translateX(300px) } } #go { animation: turn 200ms linear infinite alternate }</style><button id="go">B</button>`,
      'NOT_VISIBLE',
      'keeps moving',
    ],
  ])('[AC3] %s', async (_, html, code, words) => {
    await bench.show(html);
    const { error } = await bench.run({ kind: 'click', selector: '#go' }, { timeoutMs: 3_000 });
    expect([error?.code, error?.message.includes(words)]).toEqual([code, true]);
  });
});

it('[SN4] a ref whose element is rendered anew all the time is pressed in the end, and the reply says how it was found', async () => {
  await bench.show('<div id="app"><button>Save</button></div>');
  const ref = await bench.ref('document.querySelector("button")');
  await bench.read(
    `const made = '<button onmousedown="window.hits = 1">Save</button>'; let left = 20; const again = () => { app.innerHTML = left % 2 ? '' : made; if (left-- > 0) requestAnimationFrame(again) }; again(), 0`,
  );
  const { error, outcome } = await bench.run({ kind: 'click', ref });
  expect([error?.message, outcome?.via, await bench.read('window.hits')]).toEqual([undefined, 'role', 1]);
});

it('[AC3] waits for an element that becomes enabled, shown and uncovered one after the other', async () => {
  await bench.show(`<button id="go" disabled hidden ${HIT}>B</button><div id="over" style="position: fixed; inset: 0"></div><script>
    setTimeout(() => { go.hidden = false }, 200); setTimeout(() => { go.disabled = false }, 400); setTimeout(() => over.remove(), 600)</script>`);
  const { error } = await bench.run({ kind: 'click', selector: '#go' });
  expect([error?.message, await bench.read('window.hits')]).toEqual([undefined, 1]);
});
