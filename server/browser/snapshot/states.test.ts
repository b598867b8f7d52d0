import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { monotonicClock } from '@/lib/budget/clock';
import { budgetOf, NO_OTHERS, SnapshotFixture, type SnapshotPage } from '@/server/testing/snapshot-fixture';
import { TabSnapshots } from './tab-snapshots';

let fixture: SnapshotFixture;
beforeAll(async () => {
  fixture = await SnapshotFixture.open();
});
afterEach(() => fixture.endPages());
afterAll(() => fixture.close());

const STATES = `<button aria-expanded=false aria-haspopup=true id=menu>Menu</button><button aria-haspopup=dialog>Filter</button>
<details id=d><summary>More</summary>Words</details><select aria-label=Size><option>S<option>M</select>
<input role=combobox aria-expanded=false aria-haspopup=listbox aria-label=City><input type=password aria-label=Password id=p>`;

const CLOSED = [
  '- button "Menu" [collapsed] [haspopup=menu] [ref=e1]',
  '- button "Filter" [haspopup=dialog] [ref=e2]',
  '- button "More" [collapsed] [ref=e3]',
  '- combobox "Size" [collapsed] [ref=e4]',
  '- combobox "City" [collapsed] [ref=e5]',
  '- textbox "Password" [ref=e6] [value=""]',
];

/** The same page through a session on which Chrome refuses accessibility: the DOM alone is read. */
function fromDom(page: SnapshotPage): TabSnapshots {
  const currentDocument = () => ({ frameId: page.targetId, loaderId: '', url: '' });
  return new TabSnapshots({
    session: fixture.refusing(page, 'Accessibility.getFullAXTree'),
    refs: page.refs,
    targetId: page.targetId,
    clock: monotonicClock,
    frames: NO_OTHERS,
    currentDocument,
    title: () => '',
  });
}

describe('states of elements', () => {
  it.each([
    ['accessibility', (page: SnapshotPage) => page.snapshots],
    ['the DOM alone', fromDom],
  ] as const)(
    '[SN2] closed elements, elements that open something and empty passwords are marked: %s',
    async (_, of) => {
      const page = await fixture.page(STATES);
      const snapshots = of(page);
      const lines = (await snapshots.take(budgetOf(10_000), { interactive: true })).text
        .split('\n')
        .filter((line) => !line.includes('option'))
        .map((line) => line.replace(' [value="S"]', ''));
      await page.run(`menu.ariaExpanded = 'true'; menu.ariaHasPopup = 'false'; d.open = true; p.value = 'x'`);
      const now = (await snapshots.take(budgetOf(10_000), { interactive: true })).text.split('\n');
      expect(lines).toEqual(CLOSED);
      expect(now).toEqual(
        expect.arrayContaining([
          '- button "Menu" [expanded] [ref=e1]',
          '- button "More" [expanded] [ref=e3]',
          '- textbox "Password" [ref=e6] [value=masked]',
        ]),
      );
    },
  );

  it('[SN1] a list that a person opened is marked open, and closed afterwards', async () => {
    const page = await fixture.page('<select aria-label=Size id=s><option>S<option>M</select>');
    const text = async () => (await page.snapshots.take(budgetOf(10_000))).text.split('\n')[0];
    const closed = await text();
    const key = (type: 'rawKeyDown' | 'keyUp', name: string, code: number) =>
      page.acting.send('Input.dispatchKeyEvent', { type, key: name, code: name, windowsVirtualKeyCode: code });
    await page.run('s.focus()');
    await key('rawKeyDown', 'F4', 115);
    const opened = await text();
    await page.run('s.blur()');
    const after = await text();
    page.snapshots.forget();
    expect([closed, after, await text()]).toEqual([
      '- combobox "Size" [collapsed] [ref=e1] [value="S"]',
      '- combobox "Size" [collapsed] [ref=e1] [value="S"]',
      after,
    ]);
    expect(opened).toMatch(/\[active\]/);
  });
});
