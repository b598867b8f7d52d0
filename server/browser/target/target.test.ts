import { afterAll, beforeAll, expect, it } from 'vitest';
import { ActionBench, newBudget } from '@/server/testing/action-bench';

let bench: ActionBench;
beforeAll(async () => {
  bench = await ActionBench.open();
});
afterAll(() => bench.close());

it('[BU3] [EV3] a click whose handler never ends is answered by its budget, and after the loop was ended the next click works', async () => {
  await bench.show(
    '<button id="loop" onclick="for (;;);">Loop</button><button id="next" onclick="window.hits = (window.hits ?? 0) + 1">Next</button>',
  );
  const { error, ms } = await bench.run({ kind: 'click', selector: '#loop' }, { timeoutMs: 800 });
  expect(error?.code).toBe('TIMEOUT');
  expect(ms).toBeLessThan(4_000);
  const budget = newBudget(5_000);
  expect(await bench.tab.unhang(budget, 3_000)).toBe(true);
  budget.dispose();
  expect((await bench.run({ kind: 'click', selector: '#next' })).error).toBeUndefined();
  expect([await bench.read('hits'), bench.tab.input.held().buttons]).toEqual([1, []]);
});

it('[SN5] types into a field of a same-origin frame, and into the focused element there', async () => {
  await bench.show('<iframe name="inner" src="/inner"></iframe>', { '/inner': '<input aria-label="In">' });
  const ref = await bench.ref('frames[0].document.querySelector("input")', 'inner');
  const { error } = await bench.run({ kind: 'type', ref, text: 'one' });
  expect(error).toBeUndefined();
  const focused = await bench.run({ kind: 'type', text: ' two', mode: 'append' });
  expect(focused.targets[0]?.element).toEqual({ role: 'textbox', name: 'In' });
  expect(await bench.read('frames[0].document.querySelector("input").value')).toBe('one two');
});

it("[AC3] the page's own scripts cannot lie to the checks", async () => {
  await bench.show(`<button onclick="window.hits = 1">B</button><div id="over" style="position: fixed; inset: 0"></div><script>
    Document.prototype.elementFromPoint = document.elementFromPoint = () => document.querySelector('button');
    Element.prototype.getBoundingClientRect = () => ({ x: 0, y: 0, width: 1, height: 1, top: 0, left: 0 });
    window.requestAnimationFrame = () => 0; Object.defineProperty(Element.prototype, 'isConnected', { get: () => false })</script>`);
  expect((await bench.run({ kind: 'click', selector: 'button' }, { timeoutMs: 3_000 })).error?.code).toBe('COVERED');
});

it('[AC3] a press on a child counts, a press on a neighbour does not', async () => {
  await bench.show(`<a id="link" href="#hit" style="display: inline-block; position: relative"><span style="position: absolute; inset: 0; z-index: 1"></span><b id="text">Text</b></a>
    <div style="position: relative"><button id="low">Low</button><span id="lid" style="position: absolute; inset: 0; z-index: 1"></span></div>`);
  expect((await bench.run({ kind: 'click', selector: '#text' })).error).toBeUndefined();
  expect(await bench.read('location.hash')).toBe('#hit');
  const { error } = await bench.run({ kind: 'click', selector: '#low' }, { timeoutMs: 3_000 });
  expect([error?.code, error?.details?.['by']]).toEqual(['COVERED', { element: 'span#lid' }]);
});

it('[BU4] the error carries the call log of what was waited for', async () => {
  await bench.show('<button disabled>B</button>');
  const { error } = await bench.run({ kind: 'click', selector: 'button' }, { timeoutMs: 3_000 });
  const log: unknown = error?.details?.['log'];
  expect(log).toEqual([
    expect.objectContaining({ label: 'find the element' }),
    expect.objectContaining({ label: 'the element is disabled: it is disabled' }),
  ]);
});

it('[AC3] waiting ends before the budget: a covered element is reported while time is left', async () => {
  await bench.show('<button>B</button><div style="position: fixed; inset: 0"></div>');
  const { error, ms } = await bench.run({ kind: 'click', selector: 'button' }, { timeoutMs: 3_000 });
  expect(error?.code).toBe('COVERED');
  expect(ms).toBeLessThan(3_000);
});

it('[AC5] a click that opens a popup or closes itself off is done', async () => {
  await bench.show(`<a href="/other" target="_blank">Out</a>`, { '/other': 'other' });
  expect((await bench.run({ kind: 'click', selector: 'a' }, { settle: true })).error).toBeUndefined();
  const { targetInfos } = await bench.lanes.commands.browser.send('Target.getTargets');
  expect(targetInfos.filter(({ url }) => url.endsWith('/other'))).toHaveLength(1);
});
