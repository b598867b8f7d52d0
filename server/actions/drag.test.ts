import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WheelhouseError } from '@/lib/errors/error';
import { ActionBench } from '@/server/testing/action-bench';

let bench: ActionBench;
beforeAll(async () => {
  bench = await ActionBench.open();
});
afterAll(() => bench.close());

const LOG = `<script>window.log = []; for (const type of ['pointerdown', 'pointerup', 'click', 'dragstart', 'dragenter', 'drop', 'dragend']) addEventListener(type, (event) => log.push(type + ' ' + event.target.id))</script>`;
const CARD = '<div id="card" style="width: 80px; height: 40px; background: teal">card</div>';
const BOARD =
  '<div id="board" style="position: absolute; left: 300px; top: 200px; width: 200px; height: 200px; background: silver">board</div>';

/** A card that the page itself moves by pointer events. */
const BY_POINTER = `${CARD}${BOARD}${LOG}<script>
  window.moves = 0; card.style.position = 'absolute';
  card.onpointerdown = () => { onpointermove = (event) => { moves += 1; card.style.left = event.clientX - 40 + 'px'; card.style.top = event.clientY - 20 + 'px' } };
  onpointerup = () => { onpointermove = null };
</script>`;

/** A card that HTML drags and drops; the board takes its text. */
const BY_HTML = `<div id="card" draggable="true" style="width: 80px; height: 40px; background: teal" ondragstart="event.dataTransfer.setData('text/plain', 'card 7')">card</div>${BOARD}${LOG}<script>
  board.ondragover = board.ondragenter = (event) => event.preventDefault();
  board.ondrop = (event) => { event.preventDefault(); board.textContent = event.dataTransfer.getData('text/plain') };
</script>`;

const onto = { kind: 'drag', from: { selector: '#card' }, to: { selector: '#board' } };

describe('drag', () => {
  it('[AC1] moves an element that the page drags by pointer events, in as many steps as asked', async () => {
    await bench.show(BY_POINTER);
    const { outcome, error } = await bench.run({ ...onto, steps: 4 });
    expect([error, outcome?.value]).toEqual([undefined, { by: 'pointer' }]);
    expect(await bench.read('[card.style.left, card.style.top, moves, log.join()]')).toEqual([
      '360px',
      '280px',
      4,
      'pointerdown card,pointerup board,click ',
    ]);
    expect(bench.tab.input.held().buttons).toEqual([]);
  });

  it('[AC1] drops by HTML drag and drop, with the data of the page', async () => {
    await bench.show(BY_HTML);
    const { outcome, error } = await bench.run(onto);
    expect([error, outcome?.value]).toEqual([undefined, { by: 'drag-and-drop' }]);
    expect(await bench.read('[board.textContent, log.join()]')).toEqual([
      'card 7',
      'pointerdown card,dragstart card,dragenter ,dragenter board,drop board,dragend card',
    ]);
  });

  it('[AC1] works in a frame, between points, and twice in a row', async () => {
    await bench.show(
      `<iframe srcdoc='${BY_HTML.replaceAll("'", '&#39;')}' style="width: 700px; height: 500px; border: 0"></iframe>`,
    );
    for (const text of ['card 7', 'card 7']) {
      await bench.read('frames[0].board.textContent = ""');
      const { error } = await bench.run({
        kind: 'drag',
        from: { at: { x: 40, y: 20 } },
        to: { at: { x: 400, y: 300 } },
      });
      expect([error, await bench.read('frames[0].board.textContent')]).toEqual([undefined, text]);
    }
  });

  it('[AC1] the older names of the ends are taken', async () => {
    await bench.show(BY_HTML);
    const [startRef, endRef] = [await bench.ref('card'), await bench.ref('board')];
    const { targets, error } = await bench.run({ kind: 'drag', startRef, endRef });
    expect([error, targets[0]?.element?.ref, await bench.read('board.textContent')]).toEqual([
      undefined,
      startRef,
      'card 7',
    ]);
  });

  it('[AC3] presses nothing when either end cannot be used', async () => {
    await bench.show(
      `${BY_POINTER}<div style="position: fixed; inset: 190px 0 0 0; background: white" id="cover">cover</div>`,
    );
    const covered = await bench.run(onto, { timeoutMs: 3_000 });
    await bench.show(BY_POINTER);
    const gone = await bench.run({ ...onto, from: { selector: '#none' } }, { timeoutMs: 3_000 });
    expect([covered.error?.code, gone.error?.code, await bench.read('log')]).toEqual(['COVERED', 'NODE_GONE', []]);
  });

  it.each([
    ['pointer events', BY_POINTER],
    ['HTML drag and drop', BY_HTML],
  ])('[CO2] a takeover in the middle of a drag by %s releases the button without a drop', async (_, page) => {
    await bench.show(page);
    let moves = 0;
    bench.fence = (method) => {
      if (method === 'Input.dispatchDragEvent' || method === 'Input.dispatchMouseEvent') moves += 1;
      if (moves > 5) throw new WheelhouseError('CONTROL_LOST', 'Ada took the wheel.');
    };
    const { error } = await bench.run(onto);
    bench.fence = () => undefined;
    expect([error?.code, bench.tab.input.held().buttons]).toEqual(['CONTROL_LOST', ['left']]);
    // As the hand-over does for the new holder.
    await bench.tab.input.releaseAll(bench.write);
    expect(bench.tab.input.held().buttons).toEqual([]);
    expect(await bench.read('log.filter((line) => /drop|click (card|board)/.test(line))')).toEqual([]);
    await bench.show(BY_HTML);
    expect((await bench.run(onto)).outcome?.value).toEqual({ by: 'drag-and-drop' });
  });
});

describe('highlight', () => {
  it('[AC1] draws over the picture without touching the page, and disappears by itself', async () => {
    await bench.show(
      `${CARD}<script>window.changes = 0; new MutationObserver((list) => { changes += list.length }).observe(document, { subtree: true, childList: true, attributes: true, characterData: true })</script>`,
    );
    const [picture, html] = [await pixels(), await bench.read('document.documentElement.outerHTML')];
    const { error, targets } = await bench.run({ kind: 'highlight', selector: '#card' });
    expect([error, targets[0]?.element?.name]).toEqual([undefined, '']);
    expect(await pixels()).not.toBe(picture);
    expect(await bench.read('[document.documentElement.outerHTML, changes]')).toEqual([html, 0]);
    await expect.poll(pixels, { timeout: 10_000 }).toBe(picture);
  });

  it('[AC8] an element that is not there is refused', async () => {
    await bench.show(CARD);
    const { error } = await bench.run({ kind: 'highlight', selector: '#none' }, { timeoutMs: 500 });
    expect([error?.code, error?.hint]).toEqual([
      'NODE_GONE',
      'Look at a new snapshot: correct the selector, or use a ref from it.',
    ]);
  });
});

async function pixels(): Promise<string> {
  const { data } = await bench.tab.sessions.bulk.send('Page.captureScreenshot', { format: 'png' });
  return data;
}
