import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WheelhouseError } from '@/lib/errors/error';
import { ActionBench, newBudget } from '@/server/testing/action-bench';
import type { PageWorld } from '@/server/browser/target/world';

let bench: ActionBench;
beforeAll(async () => {
  bench = await ActionBench.open();
});
afterAll(() => bench.close());

const COUNTING = `onclick="window.hits = (window.hits ?? 0) + 1"`;

/** Keeps this process from doing anything, as a busy machine does. */
function stall(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/** Our isolated world in the page, in which functions that the injected script calls can be made to fail. */
async function inWorld(): Promise<PageWorld> {
  const budget = newBudget(8_000);
  try {
    return await bench.tab.worlds.of(budget, bench.tab.page.document.frameId);
  } finally {
    budget.dispose();
  }
}

describe('click', () => {
  it('[AC8] for several or no matches the error names what helps', async () => {
    await bench.show('<button>One</button><button>Two</button>');
    const several = await bench.run({ kind: 'click', selector: 'button' });
    const none = await bench.run({ kind: 'click', selector: 'a' }, { timeoutMs: 2_000 });
    const otherRole = await bench.run({ kind: 'click', role: 'link', name: 'Two' });
    expect([several, none, otherRole].map(({ error }) => [error?.code, error?.hint])).toEqual([
      ['AMBIGUOUS', 'Several elements fit; add nth, or use a ref.'],
      ['NODE_GONE', 'Look at a new snapshot: correct the selector, or use a ref from it.'],
      ['NODE_GONE', 'Use one of the candidates in details, or a ref of a new snapshot.'],
    ]);
    expect(otherRole.error?.details?.['candidates']).toEqual([
      expect.objectContaining({ role: 'button', name: 'Two' }),
    ]);
  });

  it('[AC2] presses the element of a ref in its middle, with trusted events, and names the element', async () => {
    await bench.show(
      `<button style="position: absolute; left: 100px; top: 50px; width: 80px; height: 40px" onclick="hit = [event.isTrusted, event.clientX, event.clientY, event.detail]">Buy</button>`,
    );
    const ref = await bench.ref('document.querySelector("button")');
    const acted = await bench.run({ kind: 'click', ref });
    expect(await bench.read('hit')).toEqual([true, 140, 70, 1]);
    expect(acted.outcome).toEqual({ via: 'node', warnings: [] });
    expect(acted.targets).toEqual([{ element: { ref, role: 'button', name: 'Buy' }, point: { x: 140, y: 70 } }]);
  });

  it('[AC2] presses a node even if the page gives no way to find it again: that matters for the timeline only', async () => {
    await bench.show(`<button ${COUNTING}>Buy</button>`);
    const {
      backendNodeId,
      loaderId,
      targetId: target,
    } = bench.tab.refs.lookup(await bench.ref('document.querySelector("button")'));
    const action = { kind: 'click', node: { backendNodeId, loaderId, target } };
    const told = await bench.run(action);
    const { session, contextId } = await inWorld();
    await session.send('Runtime.evaluate', {
      contextId,
      expression: 'Document.prototype.getElementsByTagName = () => { throw new Error("gone"); }',
    });
    const untold = await bench.run(action);
    expect([told, untold].map(({ error, targets }) => [error, targets.map(({ locator }) => locator)])).toEqual([
      [undefined, [{ role: 'button', name: 'Buy', nth: 0 }]],
      [undefined, [undefined]],
    ]);
    expect(await bench.read('hits')).toBe(2);
  });

  it('[AC9] finds a node by its number alone in whichever document of the tab has it', async () => {
    await bench.show(
      `<button ${COUNTING}>Page</button><iframe style="margin: 150px 0 0 120px" src="/inner"></iframe>`,
      { '/inner': `<button ${COUNTING}>Inner</button>` },
    );
    const outer = bench.tab.refs.lookup(await bench.ref('document.querySelector("button")'));
    const inner = bench.tab.refs.lookup(await bench.ref('frames[0].document.querySelector("button")'));
    const acted = [
      await bench.run({ kind: 'click', node: { backendNodeId: inner.backendNodeId } }),
      await bench.run({ kind: 'click', node: { backendNodeId: outer.backendNodeId } }),
    ];
    expect(acted.map(({ error }) => error)).toEqual([undefined, undefined]);
    expect(await bench.read('[hits, frames[0].hits]')).toEqual([1, 1]);
  });

  it('[AC3] a covered button fails with COVERED and the coverer by ref, role and name', async () => {
    await bench.show(
      `<button ${COUNTING}>Buy</button><div role="dialog" aria-label="Cookies" style="position: fixed; inset: 0; background: #fff"><p>text</p></div>`,
    );
    const over = await bench.ref('document.querySelector("[role=dialog]")');
    const ref = await bench.ref('document.querySelector("button")');
    const { error } = await bench.run({ kind: 'click', ref }, { timeoutMs: 3_000 });
    expect(error?.code).toBe('COVERED');
    expect(error?.message).toBe(`[${ref}] button "Buy" is covered by [${over}] dialog "Cookies".`);
    expect(error?.details?.['by']).toMatchObject({ ref: over, role: 'dialog', name: 'Cookies' });
    expect(await bench.read('window.hits')).toBeUndefined();
  });

  it('[AC3] a covered button fails with COVERED also when the time ends while it is scrolled to', async () => {
    await bench.show('<button>Buy</button><div id="over" style="position: fixed; inset: 0"></div>');
    bench.fence = (method) => {
      if (method === 'DOM.scrollIntoViewIfNeeded') stall(1_100);
    };
    const { error } = await bench.run({ kind: 'click', selector: 'button' }, { timeoutMs: 1_000 });
    expect([error?.code, error?.message]).toEqual(['COVERED', 'button "Buy" is covered by div#over.']);
  });

  it('[AC3] the covering element is named by its ref also when no time is left at the end to ask for it', async () => {
    await bench.show(
      '<button>Buy</button><div role="dialog" aria-label="Cookies" style="position: fixed; inset: 0"></div>',
    );
    const over = await bench.ref('document.querySelector("[role=dialog]")');
    // A busy server takes the rest of the time when it has scrolled to the element and looked at it twice.
    bench.fence = (method) => {
      if (method === 'Runtime.callFunctionOn') stall(2_100);
    };
    const { error } = await bench.run({ kind: 'click', selector: 'button' }, { timeoutMs: 2_000 });
    expect(error?.message).toBe(`button "Buy" is covered by [${over}] dialog "Cookies".`);
  });

  it('[AC3] force presses a covered button and reports that', async () => {
    await bench.show(`<button>Buy</button><div id="over" style="position: fixed; inset: 0" ${COUNTING}></div>`);
    const { outcome } = await bench.run({ kind: 'click', selector: 'button', force: true });
    expect(outcome?.warnings).toEqual(['Done by force although it is covered by div#over.']);
    expect(await bench.read('hits')).toBe(1);
  });

  it('[AC3] waits until a disabled button is enabled', async () => {
    await bench.show(
      `<button disabled ${COUNTING}>Pay</button><script>setTimeout(() => { document.querySelector('button').disabled = false }, 400)</script>`,
    );
    const { error } = await bench.run({ kind: 'click', selector: 'button' });
    expect(error).toBeUndefined();
    expect(await bench.read('hits')).toBe(1);
  });

  it('[AC3] a button that stays disabled by its fieldset fails with DISABLED and the reason inside the budget', async () => {
    await bench.show('<fieldset disabled><button>Pay</button></fieldset>');
    const { error } = await bench.run({ kind: 'click', selector: 'button' }, { timeoutMs: 3_000 });
    expect(error?.code).toBe('DISABLED');
    expect(error?.message).toBe('button "Pay" cannot be used: its fieldset is disabled.');
  });

  it('[AC3] waits until a moving element rests', async () => {
    await bench.show(
      `<style>@keyframes slide { from { left: 0 } to { left: 500px } } button { position: absolute; left: 500px; animation: slide 500ms linear }</style><button ${COUNTING}>Go</button>`,
    );
    const { error, targets } = await bench.run({ kind: 'click', selector: 'button' });
    expect(error).toBeUndefined();
    expect(await bench.read('hits')).toBe(1);
    expect(targets[0]?.point?.x).toBeGreaterThan(500);
  });

  it('[AC3] scrolls to an element inside a scrolled box inside a scrolled page', async () => {
    await bench.show(
      `<div style="height: 2000px"></div><div style="height: 200px; overflow: auto"><div style="height: 1500px"></div><button ${COUNTING}>Deep</button></div><div style="height: 2000px"></div>`,
    );
    const { error } = await bench.run({ kind: 'click', selector: 'button' });
    expect(error).toBeUndefined();
    expect(await bench.read('hits')).toBe(1);
  });

  it('[AC3] finds another place when a fixed bar covers the usual one', async () => {
    await bench.show(
      `<style>header { position: fixed; top: 0; left: 0; right: 0; height: 350px; background: #ddd }</style><header></header><div style="height: 2000px"></div><button ${COUNTING}>Under</button><div style="height: 2000px"></div>`,
    );
    await bench.read('window.scrollTo(0, 1990)');
    const { error } = await bench.run({ kind: 'click', selector: 'button' });
    expect(error).toBeUndefined();
    expect(await bench.read('hits')).toBe(1);
  });

  it('[AC3] distinguishes hidden elements, those without a size and cut-off ones from covered ones', async () => {
    await bench.show(
      `<button id="a" style="display: none">A</button><button id="b" style="visibility: hidden">B</button><div style="height: 0; overflow: hidden"><button id="c">C</button></div>`,
    );
    const errors = await Promise.all(
      ['#a', '#b', '#c'].map((selector) => bench.run({ kind: 'click', selector }, { timeoutMs: 3_000 })),
    );
    expect(errors.map(({ error }) => error?.code)).toEqual(['NOT_VISIBLE', 'NOT_VISIBLE', 'NOT_VISIBLE']);
    expect(errors[2]?.error?.message).toContain('cut away by div');
  });

  it('[SN5] presses inside open and closed shadow roots', async () => {
    await bench.show(`<x-open></x-open><x-closed></x-closed><script>window.hits = [];
      for (const mode of ['open', 'closed']) customElements.define('x-' + mode, class extends HTMLElement {
        constructor() { super(); const root = this.attachShadow({ mode }); root.innerHTML = '<button>In</button>'; window[mode + 'Button'] = root.querySelector('button'); window[mode + 'Button'].onclick = () => { hits.push(mode) } }
      })</script>`);
    const closed = await bench.ref('closedButton');
    const results = [
      await bench.run({ kind: 'click', selector: 'button' }),
      await bench.run({ kind: 'click', ref: closed }),
    ];
    expect(results.map(({ error }) => error?.message)).toEqual([undefined, undefined]);
    expect(await bench.read('hits')).toEqual(['open', 'closed']);
  });

  it('[SN5] presses inside a scaled same-origin frame that must be scrolled to', async () => {
    await bench.show(
      `<div style="height: 1500px"></div><iframe name="inner" src="/inner" style="border: 7px solid; padding: 11px; width: 300px; height: 200px; transform: scale(0.8)"></iframe>`,
      {
        '/inner': `<div style="height: 900px"></div><button onclick="top.hits = (top.hits ?? 0) + 1">Inner</button>`,
      },
    );
    const ref = await bench.ref('frames[0].document.querySelector("button")', 'inner');
    const { error, outcome } = await bench.run({ kind: 'click', ref });
    expect(error).toBeUndefined();
    expect(outcome?.via).toBe('node');
    expect(await bench.read('hits')).toBe(1);
  });

  it('[AC3] a frame covered in the page above fails with COVERED', async () => {
    await bench.show(
      `<iframe name="inner" src="/inner" style="width: 300px; height: 100px"></iframe><div id="over" style="position: fixed; inset: 0"></div>`,
      { '/inner': '<button>Inner</button>' },
    );
    const ref = await bench.ref('frames[0].document.querySelector("button")', 'inner');
    const { error } = await bench.run({ kind: 'click', ref }, { timeoutMs: 3_000 });
    expect(error?.code).toBe('COVERED');
    expect(error?.message).toContain('div#over');
  });

  it('[AC3] presses a link that breaks over two lines on one of its lines', async () => {
    await bench.show(
      `<p style="width: 160px; font: 20px monospace">aaaaaaaa <a href="#hit">bbb ccccccccc</a> ddddddddddd</p>`,
    );
    const { error } = await bench.run({ kind: 'click', selector: 'a' });
    expect(error).toBeUndefined();
    expect(await bench.read('location.hash')).toBe('#hit');
  });

  it('[AC2] a selector with several matches is AMBIGUOUS with their count; nth picks one', async () => {
    await bench.show(`<button>One</button><button ${COUNTING}>Two</button>`);
    const { error } = await bench.run({ kind: 'click', selector: 'button' });
    expect([error?.code, error?.details?.['count']]).toEqual(['AMBIGUOUS', 2]);
    const { outcome } = await bench.run({ kind: 'click', selector: 'button', nth: 1 });
    expect(outcome?.via).toBe('selector');
    expect(await bench.read('hits')).toBe(1);
  });

  it('[AC2] waits until a selector matches, and names an invalid one', async () => {
    await bench.show(
      `<script>setTimeout(() => { document.body.innerHTML = '<button onclick="window.hits = 1">Late</button>' }, 300)</script>`,
    );
    const late = await bench.run({ kind: 'click', selector: 'button' });
    expect([late.error, await bench.read('hits')]).toEqual([undefined, 1]);
    expect((await bench.run({ kind: 'click', selector: 'button[' })).error?.code).toBe('BAD_REQUEST');
  });

  it('[SN4] finds an element that was rendered anew by role and name, and the reply says so', async () => {
    await bench.show(`<div id="app"><button>Save</button></div>`);
    const ref = await bench.ref('document.querySelector("button")');
    await bench.read(`document.querySelector('#app').innerHTML = '<button onclick="window.hits = 1">Save</button>', 0`);
    const { outcome } = await bench.run({ kind: 'click', ref });
    expect([outcome?.via, await bench.read('hits')]).toEqual(['role', 1]);
  });

  it('[SN4] a ref of an older document fails with REF_STALE_DOCUMENT', async () => {
    await bench.show('<button>Old</button>');
    const ref = await bench.ref('document.querySelector("button")');
    await bench.show(`<button ${COUNTING}>New</button>`);
    const { error } = await bench.run({ kind: 'click', ref });
    expect([error?.code, await bench.read('window.hits')]).toEqual(['REF_STALE_DOCUMENT', undefined]);
  });

  it("[AC4] modifiers, button and count reach the page as a person's would, and nothing stays held", async () => {
    await bench.show(`<div id="pad" style="width: 200px; height: 200px"></div><script>
      window.log = []; for (const type of ['mousedown', 'click', 'dblclick', 'auxclick', 'contextmenu']) pad.addEventListener(type, (e) => { e.preventDefault(); log.push([type, e.button, e.detail, e.ctrlKey, e.shiftKey].join()) })</script>`);
    await bench.run({ kind: 'click', selector: '#pad', doubleClick: true });
    await bench.run({ kind: 'click', selector: '#pad', button: 'right', modifiers: ['Shift', 'ControlOrMeta'] });
    expect(await bench.read('log')).toEqual([
      'mousedown,0,1,false,false',
      'click,0,1,false,false',
      'mousedown,0,2,false,false',
      'click,0,2,false,false',
      'dblclick,0,2,false,false',
      'mousedown,2,1,true,true',
      'contextmenu,2,0,true,true',
      'auxclick,2,1,true,true',
    ]);
    expect(bench.tab.input.held()).toMatchObject({ buttons: [], keys: [] });
  });

  it('[AC2] presses a bare point as given; refuses one outside the viewport', async () => {
    await bench.show(`<button style="position: absolute; left: 10px; top: 10px" ${COUNTING}>P</button>`);
    const acted = await bench.run({ kind: 'click', at: { x: 20, y: 20 } });
    expect(acted.targets[0]).toMatchObject({ element: { role: 'button', name: 'P' }, point: { x: 20, y: 20 } });
    expect([acted.outcome?.via, await bench.read('hits')]).toEqual(['point', 1]);
    expect((await bench.run({ kind: 'click', at: { x: 20, y: 2_000 } })).error?.code).toBe('OFFSCREEN');
  });

  it('[DI1] a click that opens a dialog returns at once', async () => {
    await bench.show('<button onclick="alert(1)">Ask</button>');
    const { error, ms } = await bench.run({ kind: 'click', selector: 'button' }, { settle: true });
    expect(error).toBeUndefined();
    expect(bench.tab.dialogs.current?.message).toBe('1');
    expect(ms).toBeLessThan(2_000);
    await bench.tab.dialogs.answer(undefined, { accept: true });
  });

  it('[CO2] a takeover in the middle stops the gesture, and releaseAll releases the button without a click', async () => {
    await bench.show(`<button onmousedown="window.downs = (window.downs ?? 0) + 1" ${COUNTING}>Buy</button>`);
    let presses = 0;
    bench.fence = (method) => {
      if (method === 'Input.dispatchMouseEvent') presses += 1;
      if (presses === 3) throw new WheelhouseError('CONTROL_LOST', 'Somebody took the wheel.');
    };
    const { error } = await bench.run({ kind: 'click', selector: 'button' });
    bench.fence = () => undefined;
    expect(error?.code).toBe('CONTROL_LOST');
    expect(bench.tab.input.held().buttons).toEqual(['left']);
    await bench.tab.input.releaseAll(bench.write);
    expect(bench.tab.input.held()).toMatchObject({ buttons: [], keys: [] });
    expect(await bench.read('[window.downs, window.hits ?? 0]')).toEqual([1, 0]);
  });
});

describe('hover and focus', () => {
  it('[AC4] hover moves the real pointer over the element', async () => {
    await bench.show(`<style>button:hover { color: rgb(1, 2, 3) }</style><button>H</button>`);
    const { error } = await bench.run({ kind: 'hover', selector: 'button' });
    expect(error).toBeUndefined();
    expect(await bench.read('getComputedStyle(document.querySelector("button")).color')).toBe('rgb(1, 2, 3)');
  });

  it('[AC3] focus gives the keyboard focus, and reports an element that cannot have it', async () => {
    await bench.show('<input><p>text</p>');
    expect((await bench.run({ kind: 'focus', selector: 'input' })).error).toBeUndefined();
    expect(await bench.read('document.activeElement.localName')).toBe('input');
    expect((await bench.run({ kind: 'focus', selector: 'p' })).error?.code).toBe('WRONG_ELEMENT');
  });
});
