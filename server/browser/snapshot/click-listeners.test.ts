import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { budgetOf, SnapshotFixture, type SnapshotPage } from '@/server/testing/snapshot-fixture';
import { walk } from './in-view-walk';
import { listeningAmong } from './click-listeners';
import type { TakeOptions } from './take-options';

let fixture: SnapshotFixture;
beforeAll(async () => {
  fixture = await SnapshotFixture.open();
});
afterEach(() => fixture.endPages());
afterAll(() => fixture.close());

const take = (page: SnapshotPage, options: TakeOptions = {}) => page.snapshots.take(budgetOf(30_000), options);

/** Nothing but a script tells that the card may be clicked. */
const CARD = '<div id=card>Card</div><p id=plain>Plain</p>';
const LISTEN = `card.addEventListener('click', () => { document.title = 'clicked'; })`;
/** Enough elements to make a page large; they are not shown, which is cheaper. */
const FILLER = `<div hidden>${'<i></i>'.repeat(21_000)}</div>`;

describe('an element with only a click listener', () => {
  it.each<[string, TakeOptions]>([
    ['everything', {}],
    ['role', { view: 'role' }],
    ['interactive', { interactive: true }],
    ['compact', { view: 'role', compact: true }],
    ['efficient', { preset: 'efficient' }],
    ['aria', { view: 'aria', interactive: true }],
    ['webarena, which shows what is in view', { view: 'webarena' }],
  ])('[SN1] has a ref in the view of %s, by the source "mixed"', async (_, options) => {
    const page = await fixture.page(`${CARD}<script>${LISTEN}</script>`);
    const { refs, source } = await take(page, options);
    // There every line has a ref.
    expect([refs.filter(({ role }) => role === 'generic'), source.kind]).toEqual([
      [{ ref: 'e1', role: 'generic', name: 'Card' }],
      'mixed',
    ]);
  });

  it.each<[string, TakeOptions]>([
    ['everything', {}],
    ['interactive', { interactive: true }],
    ['webarena', { view: 'webarena' }],
  ])(
    '[SN10] has one on a page that is too large to be read whole, in the view of %s, by the source "dom"',
    { timeout: 60_000 },
    async (_, options) => {
      const page = await fixture.page(`${CARD}<p onmousedown="1">Pressed</p>${FILLER}<script>${LISTEN}</script>`);
      const { refs, source } = await take(page, options);
      const pressed = refs.filter(({ role, name }) => role === 'generic' || name === 'Pressed');
      expect([pressed.map(({ name }) => name), source.kind]).toEqual([['Card', 'Pressed'], 'dom']);
    },
  );

  it('[SN4] acts by that ref on a large page', { timeout: 60_000 }, async () => {
    const page = await fixture.page(`${CARD}${FILLER}<script>${LISTEN}</script>`);
    const { refs } = await take(page, { interactive: true });
    const { backendNodeId } = page.refs.lookup(refs.find(({ name }) => name === 'Card')?.ref ?? '');
    const { object } = await page.acting.send('DOM.resolveNode', { backendNodeId });
    await page.acting.send('Runtime.callFunctionOn', {
      objectId: object.objectId ?? '',
      functionDeclaration: 'function () { this.click(); }',
    });
    expect(await page.run('document.title')).toBe('clicked');
  });

  it('[SN10] is found among very many others on a large page', { timeout: 60_000 }, async () => {
    const page = await fixture.page(
      `<div style="display:flex;flex-wrap:wrap;font-size:4px">${'<i>w</i>'.repeat(900)}</div>${CARD}${FILLER}<script>${LISTEN}</script>`,
    );
    const { refs, truncated } = await take(page, { interactive: true, maxChars: 200_000 });
    // A machine under load may not get through all of them in time; then the answer has to say so.
    expect(
      refs.some(({ name }) => name === 'Card') || /and not all of that|was not asked of/.test(truncated?.how ?? ''),
    ).toBe(true);
  });

  it('[SN10] is not looked for once time is over, and the snapshot says how many were left out', async () => {
    const page = await fixture.page(
      `${CARD}${'<i>w</i> '.repeat(300)}<p id=last>Last</p><script>${LISTEN}; last.onclick = () => {};</script>`,
    );
    const { frameTree } = await page.bulk.send('Page.getFrameTree');
    const { executionContextId: contextId } = await page.bulk.send('Page.createIsolatedWorld', {
      frameId: frameTree.frame.id,
    });
    const { nodes } = await walk(page.bulk, { contextId }, { nodes: 1_000, ms: 5_000 }, 'test');
    const turns = [true, false];
    const { listening, unasked } = await listeningAmong(page.bulk, nodes, 'test', () => turns.shift() === true);
    expect([listening.size, unasked]).toEqual([1, 103]);
  });
});
