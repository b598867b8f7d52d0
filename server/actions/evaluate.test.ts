import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ActionBench } from '@/server/testing/action-bench';

let bench: ActionBench;
beforeAll(async () => {
  bench = await ActionBench.open();
});
afterAll(() => bench.close());

describe('evaluate on an element that has left the document', () => {
  it('[EV5] fails with NODE_GONE and runs nothing', async () => {
    await bench.show('<p id="p">Here</p>');
    const ref = await bench.ref('document.querySelector("p")');
    await bench.read('window.kept = p; p.remove(); 0');
    const { error } = await bench.run({
      kind: 'evaluate',
      ref,
      fn: '(p) => { window.ran = true; return p.textContent; }',
    });
    expect([error?.code, await bench.read('window.ran')]).toEqual(['NODE_GONE', undefined]);
  });

  it('[EV5][SN4] uses the element that the page rendered in its place, and reports that', async () => {
    await bench.show('<div id="box"><button>Save</button></div>');
    const ref = await bench.ref('document.querySelector("button")');
    await bench.read(
      'window.kept = document.querySelector("button"); box.innerHTML = "<button data-new=1>Save</button>"; 0',
    );
    const { outcome } = await bench.run({ kind: 'evaluate', ref, fn: '(button) => button.dataset.new' });
    expect(outcome).toMatchObject({ value: '1', via: 'role' });
  });

  it('[EV5] an element in a shadow root is still in the document', async () => {
    await bench.show(
      '<div id="host"></div><script>host.attachShadow({ mode: "open" }).innerHTML = "<button>In</button>"</script>',
    );
    const ref = await bench.ref('host.shadowRoot.querySelector("button")');
    expect((await bench.run({ kind: 'evaluate', ref, fn: '(button) => button.textContent' })).outcome?.value).toBe(
      'In',
    );
  });
});

describe('wait with fn', () => {
  it.each([
    ['an expression', 'window.n >= 3'],
    ['an expression with a semicolon', 'window.n >= 3;'],
    ['a function', '() => window.n >= 3'],
    ['an async function', 'async () => { await null; return window.n >= 3; }'],
    ['statements', 'const now = window.n; return now >= 3;'],
    ['statements without a value at first', 'if (window.n >= 3) return true;'],
  ])('[EV5] looks again until it is true: %s', async (_, fn) => {
    await bench.show('<p>Wait</p>');
    await bench.read(
      'window.n = 0; const timer = setInterval(() => { n += 1; if (n === 3) clearInterval(timer); }, 60); 0',
    );
    const { error } = await bench.run({ kind: 'wait', fn });
    expect([error?.message, await bench.read('n')]).toEqual([undefined, 3]);
  });

  it("[EV5][BU3] ends with the budget when the condition never holds, and reports the script's exception", async () => {
    await bench.show('<p>Wait</p>');
    const never = await bench.run({ kind: 'wait', fn: 'window.never' }, { timeoutMs: 400 });
    const threw = await bench.run({ kind: 'wait', fn: 'nothing.at.all' });
    const wrong = await bench.run({ kind: 'wait', fn: 'if (' });
    expect([never.error?.code, threw.error?.code, wrong.error?.code]).toEqual(['TIMEOUT', 'EVAL_THREW', 'BAD_REQUEST']);
  });
});
