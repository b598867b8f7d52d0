import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { budgetOf, SnapshotStage, type SnapshotPage } from '@/server/testing/snapshot-page';
import { Shelf } from './shelf';

/** A shelf with a list of who had to let go. */
function shelfOf(mostBytes: number) {
  const gone: string[] = [];
  const shelf = new Shelf(mostBytes);
  const owners = new Map<string, object>();
  const put = (name: string, bytes: number): void => {
    const owner = owners.get(name) ?? {};
    owners.set(name, owner);
    shelf.put(owner, bytes, () => gone.push(name));
  };
  return { shelf, put, gone };
}

describe('the shelf', () => {
  it('[BU5] lets go of what was used longest ago, and of no more than it must', () => {
    const { shelf, put, gone } = shelfOf(100);
    for (const name of ['a', 'b', 'c', 'd']) put(name, 25);
    put('a', 25);
    put('e', 20);
    expect([gone, shelf.bytes]).toEqual([['b'], 95]);
  });

  it('[BU5] counts what an owner has now, not what it had', () => {
    const { shelf, put, gone } = shelfOf(100);
    put('a', 25);
    put('a', 5);
    expect([gone, shelf.bytes]).toEqual([[], 5]);
  });

  it('[BU5] keeps nothing that would push out most of the others', () => {
    const { shelf, put, gone } = shelfOf(100);
    put('a', 10);
    put('b', 26);
    expect([gone, shelf.bytes]).toEqual([['b'], 10]);
  });
});

describe('pages that are kept', () => {
  let stage: SnapshotStage;
  beforeAll(async () => {
    stage = await SnapshotStage.open();
  });
  afterAll(() => stage.close());

  const take = (page: SnapshotPage, since?: number) =>
    page.snapshots.take(budgetOf(15_000), since === undefined ? {} : { since });

  it('[SN1] are read again when other tabs needed their place, and say the same', async () => {
    const shelf = new Shelf(60_000);
    const page = await stage.page('<button>First</button>', shelf);
    const first = await take(page);
    const same = await take(page);
    const others = await Promise.all(
      [1, 2, 3, 4].map((at) => stage.page(`<button>Other ${at}</button><p>a</p><p>b</p>`, shelf)),
    );
    for (const other of others) await take(other);
    const again = await take(page);
    expect([same === first, again === first, again.text === first.text, shelf.bytes <= 60_000]).toEqual([
      true,
      false,
      true,
      true,
    ]);
  });

  it('[SN7] forget what was shown when there is no room for it, and then say so', async () => {
    const shelf = new Shelf(100);
    const page = await stage.page('<button id=b>A button with many words in its name</button>', shelf);
    const { revision } = await take(page);
    await page.run('b.disabled = true');
    expect((await take(page, revision)).delta?.whole).toBe(`Revision ${revision} is not kept in this form.`);
  });

  it('[SN8] of a tab that is gone take no room', async () => {
    const shelf = new Shelf(1_000_000);
    const page = await stage.page('<button>A</button>', shelf);
    await take(page);
    const kept = shelf.bytes;
    page.snapshots.dispose();
    expect([kept > 0, shelf.bytes]).toEqual([true, 0]);
  });
});
