import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ActionBench, newBudget } from '@/server/testing/action-bench';

/** In the view `webarena` every line has a number; these tests act by numbers of lines that are no controls. */
let bench: ActionBench;
beforeAll(async () => {
  bench = await ActionBench.open();
});
afterAll(() => bench.close());

/** The refs of all lines, by their words. */
async function lines(): Promise<ReadonlyMap<string, string>> {
  const budget = newBudget(8_000);
  const { refs } = await bench.tab.snapshots.take(budget, { view: 'webarena' });
  budget.dispose();
  return new Map(refs.map(({ ref, name }) => [name, ref]));
}

const NOTING =
  '<script>var seen = []; addEventListener("click", (event) => { const at = event.composedPath()[0]; seen.push(at.id || at.localName); }, true);</script>';
const seen = () => bench.read('seen.splice(0).join()');

async function click(words: string) {
  return bench.run({ kind: 'click', ref: (await lines()).get(words) });
}

describe('a line of text by its number', () => {
  it('[SN3][AC3] is pressed at its own place, not in the middle of the element around it', async () => {
    await bench.show(
      `<div id=box style="width:600px;display:flex;justify-content:space-between">Left <button id=middle>Middle</button> right</div>${NOTING}`,
    );
    const answers = [await click('Left'), await click('right'), await click('Middle')];
    expect([answers.map(({ error }) => error?.message), await seen()]).toEqual([
      [undefined, undefined, undefined],
      'box,box,middle',
    ]);
  });

  it('[SN3] headings, list items and text of style sheets are pressed too, and the reply names them', async () => {
    await bench.show(
      `<style>#g::after{content:"made"}</style><h1 id=h>Title</h1><ul><li id=one>First</ul><div id=g><button>Go</button></div>${NOTING}`,
    );
    const answers = [await click('Title'), await click('First'), await click('made')];
    expect([answers.map(({ error }) => error?.message), await seen()]).toEqual([
      [undefined, undefined, undefined],
      'h,one,g',
    ]);
    expect(answers.map(({ targets }) => targets[0]?.element)).toMatchObject([
      { role: 'heading', name: 'Title' },
      { role: 'listitem', name: 'First' },
      { role: 'text', name: 'made' },
    ]);
  });

  it('[SN5] is pressed in a shadow root and in a frame', async () => {
    await bench.show(`<div id=host></div><iframe srcdoc="<div>Far <b style='position:absolute;left:200px'>off</b></div><script>onclick = () => parent.seen.push('inner')</script>"></iframe>${NOTING}
      <script>host.attachShadow({ mode: 'open' }).innerHTML = '<p id=deep>Deep <i>x</i></p><slot></slot>';</script>`);
    const answers = [await click('Deep x'), await click('Far')];
    expect([answers.map(({ error }) => error?.message), await seen()]).toEqual([[undefined, undefined], 'deep,inner']);
  });

  it('[SN4] is found again by its words when the page renders it anew, and is gone when the page has no such text', async () => {
    await bench.show(`<div id=box>Words <button>b</button></div>${NOTING}`);
    const ref = (await lines()).get('Words');
    await bench.read(`box.innerHTML = 'Words <button>b</button>'; 1`);
    const again = await bench.run({ kind: 'click', ref });
    await bench.read(`box.innerHTML = 'Other <button>b</button>'; 1`);
    const gone = await bench.run({ kind: 'click', ref }, { timeoutMs: 2_000 });
    expect([again.outcome?.via, await seen(), gone.error?.code]).toEqual(['role', 'box', 'NODE_GONE']);
  });

  it('[AC3] is scrolled into view inside an element larger than the window, and a covering element is named', async () => {
    await bench.show(
      `<div id=tall style="height:4000px">Top <button>b</button><span style="position:absolute;top:3000px;left:9px">Deep</span></div>${NOTING}`,
    );
    const budget = newBudget(8_000);
    const { refs } = await bench.tab.snapshots.take(budget, { view: 'webarena' });
    budget.dispose();
    await bench.read('scrollTo(0, 3000)');
    const away = await bench.run({ kind: 'click', ref: refs.find(({ name }) => name === 'Top')?.ref });
    const top = await bench.read('scrollY < 600');
    await bench.read(
      `document.body.insertAdjacentHTML('beforeend', '<div id=lid style="position:fixed;inset:0">Lid</div>'); 1`,
    );
    const covered = await bench.run(
      { kind: 'click', ref: refs.find(({ name }) => name === 'Top')?.ref },
      { timeoutMs: 2_000 },
    );
    expect([away.error?.message, await seen(), top, covered.error?.code]).toEqual([undefined, 'tall', true, 'COVERED']);
  });

  it('[SN3][DI3] an option of a native select is chosen by a click, with the events of a change', async () => {
    await bench.show(`<select id=s aria-label=Size onchange="changes = (window.changes ?? 0) + 1"><option>S<option>M<option disabled>L</select><select id=many multiple aria-label=Many><option>A<option>B</select>
      <ul role=listbox aria-label=Own><li role=option onclick="own = 1">Mine</ul>`);
    const all = await lines();
    const answers = [];
    for (const words of ['M', 'M', 'B', 'Mine', 'L'])
      answers.push(await bench.run({ kind: 'click', ref: all.get(words) }));
    const byRole = await bench.run({ kind: 'click', role: 'option', name: 'S' });
    const right = await bench.run({ kind: 'click', ref: all.get('M'), button: 'right' });
    expect(answers.map(({ error, outcome }) => [error?.code, outcome?.warnings?.length])).toEqual([
      [undefined, 1],
      [undefined, 1],
      [undefined, 1],
      [undefined, 0],
      ['DISABLED', undefined],
    ]);
    expect([await bench.read('[s.value, changes, many.value, own].join()'), byRole.error, right.error?.code]).toEqual([
      'S,2,B,1',
      undefined,
      'WRONG_ELEMENT',
    ]);
  });

  it('[AC8] takes no typing', async () => {
    await bench.show('<p>Words</p>');
    const { error } = await bench.run({ kind: 'type', ref: (await lines()).get('Words'), text: 'x' });
    expect(error?.code).toBe('WRONG_ELEMENT');
  });

  it('[EV5] gives a script the element that holds it; a wait holds while it is there', async () => {
    await bench.show('<div id=box>Words <button>b</button></div>');
    const ref = (await lines()).get('Words');
    const evaluated = await bench.run({ kind: 'evaluate', ref, fn: '(element) => element.id' });
    const waited = await bench.run({ kind: 'wait', ref, state: 'visible' });
    expect([evaluated.outcome?.value ?? evaluated.error, waited.error]).toEqual(['box', undefined]);
  });
});
