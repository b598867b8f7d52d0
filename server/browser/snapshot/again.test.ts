import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { budgetOf, SnapshotStage, type SnapshotPage } from '@/server/testing/snapshot-page';
import { MUTABLE_PAGE, MUTATIONS } from './testing/mutations';

let stage: SnapshotStage;
beforeAll(async () => {
  stage = await SnapshotStage.open();
});
afterAll(() => stage.close());

const take = (page: SnapshotPage) => page.snapshots.take(budgetOf(15_000), { urls: true });
const steps = fc.array(fc.tuple(fc.constantFrom(...MUTATIONS), fc.nat(200), fc.nat(50)), { minLength: 1, maxLength: 2 });

describe('a snapshot taken again', () => {
  it('[SN1] equals one for which everything was read, whatever changed', { timeout: 180_000 }, async () => {
    const page = await stage.page(MUTABLE_PAGE);
    const property = fc.asyncProperty(fc.array(steps, { minLength: 5, maxLength: 10 }), async (rounds) => {
      await page.goto(`${stage.origin}/${page.targetId}`);
      await take(page);
      for (const round of rounds) {
        for (const [kind, n, m] of round) await page.run(`mutate(${JSON.stringify(kind)}, ${n}, ${m})`);
        const again = await take(page);
        page.snapshots.forget();
        const whole = await take(page);
        expect([again.text, again.refs], JSON.stringify(round)).toEqual([whole.text, whole.refs]);
      }
    });
    await fc.assert(property, { numRuns: 6, endOnFailure: true });
  });

  it('[SN1] is the same answer while nothing changes, and another one when only the window moved over the page', async () => {
    const page = await stage.page(MUTABLE_PAGE);
    const first = await take(page);
    const second = await take(page);
    await page.run('scrollTo(0, 5000)');
    const scrolled = await take(page);
    page.snapshots.forget();
    const whole = await take(page);
    expect([second === first, scrolled.text === whole.text, scrolled.text === first.text, scrolled.source.reason]).toEqual([true, true, false, first.source.reason]);
  });

  it.each([
    ['a value set by a script', `fields()[1].value = 'new@x.y'`, 'a field holds something else'],
    ['a click handler', `list.addEventListener('click', () => {})`, 'scripts began or ceased to listen'],
    ['a rule of a style sheet', `document.styleSheets[0].insertRule('#note { display: none }')`, 'style sheets or modal dialogs changed'],
    ['an open shadow root', `note.attachShadow({ mode: 'open' }).innerHTML = '<button>Late</button>'`, 'a shadow root was attached'],
    ['a change inside a shadow root', `host.shadowRoot.querySelector('button').textContent = 'Other'`, 'it changed'],
    ['a change inside a frame', `frame.contentDocument.querySelector('button').textContent = 'Other'`, 'it changed'],
    ['the focus', `b1.focus()`, 'the focus moved'],
  ])('[SN1] everything is read after %s', async (_, script, reason) => {
    const page = await stage.page(MUTABLE_PAGE);
    await take(page);
    await take(page);
    await page.run(script);
    expect((await take(page)).source.reason.split(' Read again: ')[1]).toBe(`${reason}.`);
  });
});
