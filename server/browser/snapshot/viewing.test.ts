import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { budgetOf, SnapshotFixture, type SnapshotPage } from '@/server/testing/snapshot-fixture';
import type { TakeOptions } from './take-options';

let fixture: SnapshotFixture;
beforeAll(async () => {
  fixture = await SnapshotFixture.open();
});
afterEach(() => fixture.endPages());
afterAll(() => fixture.close());

const take = (page: SnapshotPage, options: TakeOptions = {}) => page.snapshots.take(budgetOf(15_000), options);
const textOf = async (page: SnapshotPage, options: TakeOptions = {}): Promise<string> =>
  (await take(page, options)).text;

describe('changes since a revision', () => {
  const SHOP = `<ul>${Array.from({ length: 12 }, (_, index) => `<li><span>Pot ${index}</span> <button>Add ${index}</button></li>`).join('')}</ul>`;

  it('[SN7] are told in few words', async () => {
    const page = await fixture.page(SHOP);
    const { revision } = await take(page);
    await page.run('document.querySelectorAll("button")[3].textContent = "Added"');
    const view = await take(page, { since: revision });
    expect([
      view.text,
      view.refs,
      view.delta,
      view.revision,
      view.stats.refs,
      view.stats.lines,
      view.stats.tokens < 150,
    ]).toEqual([
      '# Changed since revision 1, now 2:\n   - listitem\n-    - button "Add 3" [ref=e5]\n+    - button "Added" [ref=e14]',
      [{ ref: 'e14', role: 'button', name: 'Added' }],
      { since: 1, edits: [{ at: 12, remove: 1, insert: ['    - button "Added" [ref=e14]'] }] },
      2,
      1,
      4,
      true,
    ]);
  });

  it('[SN7] is the whole, with the reason, where it is not known or not shorter', async () => {
    const page = await fixture.page(SHOP);
    const { revision } = await take(page);
    const nothing = await take(page, { since: revision });
    const unknown = await take(page, { since: 77 });
    const otherForm = await take(page, { since: revision, interactive: true });
    const json = await take(page, { since: revision, view: 'aria' });
    await page.run(
      'document.querySelectorAll("button").forEach((button) => { button.textContent += "!" }); document.querySelectorAll("span").forEach((span) => { span.textContent += "!" })',
    );
    const most = await take(page, { since: revision });
    expect([nothing.text, unknown.delta, otherForm.delta, json.delta, most.delta]).toEqual([
      '# Nothing changed since revision 1.',
      { since: 77, whole: 'Revision 77 is not kept in this form.' },
      { since: 1, whole: 'Revision 1 is not kept in this form.' },
      { since: 1, whole: 'The view "aria" is always given whole.' },
      { since: 1, whole: 'Most of it changed since revision 1.' },
    ]);
    expect([unknown.text === most.text, unknown.text.startsWith('- list'), most.text.includes('Add 1!')]).toEqual([
      false,
      true,
      true,
    ]);
  });

  it('[SN7] are known for a bounded number of earlier revisions', async () => {
    const page = await fixture.page(SHOP);
    for (let change = 0; change < 26; change += 1) {
      await page.run(`document.title = "x"; document.querySelector("button").textContent = "Change ${change}"`);
      await take(page);
    }
    const { delta: oldest } = await take(page, { since: 1 });
    const { delta: newer } = await take(page, { since: 20 });
    expect([oldest, newer?.whole, newer?.edits?.length]).toEqual([
      { since: 1, whole: 'Revision 1 is not kept in this form.' },
      undefined,
      1,
    ]);
  });

  it('[SN7] are told to each reader since its last look, in the form of that look', async () => {
    const page = await fixture.page(SHOP);
    const first = await page.snapshots.takeChanges(budgetOf(10_000), 'ann');
    await take(page, { interactive: true, reader: 'ann' });
    await take(page, { reader: 'bob' });
    await page.run('document.querySelectorAll("button")[3].disabled = true');
    const changes = await page.snapshots.takeChanges(budgetOf(10_000), 'ann');
    expect([first.delta, changes.text]).toEqual([
      { since: 0, whole: 'You have taken no snapshot of this tab before.' },
      '# Changed since revision 1, now 2:\n-- button "Add 3" [ref=e5]\n+- button "Add 3" [disabled] [ref=e5]',
    ]);
  });

  it('[SN2] elements that came since the same reader looked are marked as new, for that reader only', async () => {
    const page = await fixture.page('<button>Old</button>');
    const first = await textOf(page, { reader: 'ann' });
    await page.run('document.body.insertAdjacentHTML("beforeend", "<button>Fresh</button><p>words</p>")');
    const fresh = [
      await textOf(page, { reader: 'ann' }),
      await textOf(page, { reader: 'bob' }),
      await textOf(page, { reader: 'ann' }),
    ];
    await page.run('document.body.insertAdjacentHTML("beforeend", "<button>Third</button>")');
    const arena = await textOf(page, { reader: 'bob', view: 'webarena', interactive: true, tabs: [] });
    await page.goto(fixture.put('/new-page', '<button>Elsewhere</button>'));
    const plain = '- button "Old" [ref=e1]\n- button "Fresh" [ref=e2]\n- paragraph "words"';
    expect([first, fresh, arena, await textOf(page, { reader: 'ann' })]).toEqual([
      '- button "Old" [ref=e1]',
      [plain.replace(' [ref=e2]', ' [new] [ref=e2]'), plain, plain],
      "\n\n[1] button 'Old'\n[2] button 'Fresh'\n[3] button 'Third' new: True",
      '- button "Elsewhere" [ref=e4]',
    ]);
  });
});
