import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ActionBench } from '@/server/testing/action-bench';
import { lightLoop } from '@/server/testing/light-loop';

let bench: ActionBench;
beforeAll(async () => {
  bench = await ActionBench.open();
});
afterAll(() => bench.close());

const CARD =
  '<div id="card"></div><script>card.attachShadow({ mode: "open" }).innerHTML = "<style>p { color: red }</style><p>In the shade</p> and beside it"</script>';

describe('wait', () => {
  it.each([
    [
      'shown in capitals, asked for as in the source',
      '<p style="text-transform: uppercase">Successfully deployed</p>',
      'Successfully deployed',
    ],
    ['shown as in the source, asked for in capitals', '<p>Straße frei</p>', 'STRASSE FREI'],
    ['with other white space', '<p>Total:&nbsp;&nbsp;</p><p>5 items</p>', 'total: 5\n items '],
    ['in an open shadow root', CARD, 'in the shade'],
    ['right in a shadow root', CARD, 'beside it'],
    ['in a frame of the same site', '<iframe src="/in"></iframe>', 'inside'],
  ])('[AC4] finds text %s', async (_, page, text) => {
    await bench.show(page, { '/in': '<p>Inside</p>' });
    const found = await bench.run({ kind: 'wait', text });
    const gone = await bench.run({ kind: 'wait', textGone: text, timeoutMs: 50 }, { timeoutMs: 300 });
    expect([found.error?.message, gone.error?.code]).toEqual([undefined, 'TIMEOUT']);
  });

  it('[AC4] finds an element by role and name when it appears, and notices when it disappears', async () => {
    await bench.show(
      '<p>Empty</p><script>setTimeout(() => document.body.insertAdjacentHTML("beforeend", "<button>Pay</button>"), 400)</script>',
    );
    const came = await bench.run({ kind: 'wait', role: 'button', name: 'Pay' });
    await bench.read('void setTimeout(() => document.querySelector("button").remove(), 400)');
    const gone = await bench.run({ kind: 'wait', any: [{ role: 'button', name: 'Pay', state: 'hidden' }] });
    const never = await bench.run({ kind: 'wait', role: 'button', name: 'Pay' }, { timeoutMs: 2_000 });
    expect([came.error, gone.error, never.error?.code, never.error?.message]).toEqual([
      undefined,
      undefined,
      'TIMEOUT',
      expect.stringContaining('button "Pay" to be visible'),
    ]);
  });

  it('[AC4][BU4] names the element that it waits for when its time ends while it reads a busy page again', async () => {
    await bench.show(`<p>Empty</p><script>setTimeout(() => { ${await lightLoop(2_000)} }, 300)</script>`);
    const { error } = await bench.run({ kind: 'wait', role: 'button', name: 'Pay' }, { timeoutMs: 1_000 });
    expect([error?.code, error?.message]).toEqual([
      'TIMEOUT',
      'Not done within 1000 ms while waiting for: button "Pay" to be visible.',
    ]);
  });

  it.each([
    ['is hidden', '<p hidden>Secret</p>'],
    ['is hidden in a frame that is', '<iframe src="/in" style="display: none"></iframe>'],
    [
      'is hidden with its shadow root',
      `<div hidden>${CARD}</div><p id="secret"></p><script>card.shadowRoot.append("Secret")</script>`,
    ],
    [
      'is a style of a shadow root',
      '<div id="card"></div><script>card.attachShadow({ mode: "open" }).innerHTML = "<style>.secret { color: red }</style>"</script>',
    ],
  ])('[AC4] does not count as text what %s', async (_, page) => {
    await bench.show(page, { '/in': '<p>Secret</p>' });
    const found = await bench.run({ kind: 'wait', text: 'secret' }, { timeoutMs: 300 });
    const gone = await bench.run({ kind: 'wait', textGone: 'secret' });
    expect([found.error?.code, gone.error]).toEqual(['TIMEOUT', undefined]);
  });
});
