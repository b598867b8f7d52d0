import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { budgetOf, SnapshotFixture, type SnapshotPage } from '@/server/testing/snapshot-fixture';
import { SnapshotCache } from './snapshot-cache';

/** A cache with a list of the owners whose entries it dropped. */
function cacheOf(mostBytes: number) {
  const gone: string[] = [];
  const snapshotCache = new SnapshotCache(mostBytes);
  const owners = new Map<string, object>();
  const put = (name: string, bytes: number): void => {
    const owner = owners.get(name) ?? {};
    owners.set(name, owner);
    snapshotCache.put(owner, bytes, () => gone.push(name));
  };
  return { cache: snapshotCache, put, gone };
}

describe('SnapshotCache', () => {
  it('[BU5] drops the least recently used entries, and no more than needed', () => {
    const { cache: snapshotCache, put, gone } = cacheOf(100);
    for (const name of ['a', 'b', 'c', 'd']) put(name, 25);
    put('a', 25);
    put('e', 20);
    expect([gone, snapshotCache.bytes]).toEqual([['b'], 95]);
  });

  it("[BU5] counts the present size of an owner's entry, not a former one", () => {
    const { cache: snapshotCache, put, gone } = cacheOf(100);
    put('a', 25);
    put('a', 5);
    expect([gone, snapshotCache.bytes]).toEqual([[], 5]);
  });

  it('[BU5] does not keep an entry that would displace most of the others', () => {
    const { cache: snapshotCache, put, gone } = cacheOf(100);
    put('a', 10);
    put('b', 26);
    expect([gone, snapshotCache.bytes]).toEqual([['b'], 10]);
  });
});

describe('cached pages', () => {
  let fixture: SnapshotFixture;
  beforeAll(async () => {
    fixture = await SnapshotFixture.open();
  });
  afterAll(() => fixture.close());

  const take = (page: SnapshotPage, since?: number) =>
    page.snapshots.take(budgetOf(15_000), since === undefined ? {} : { since });

  it('[SN1] are read again when other tabs displaced them, and give the same text', async () => {
    const snapshotCache = new SnapshotCache(60_000);
    const page = await fixture.page('<button>First</button>', snapshotCache);
    const first = await take(page);
    const same = await take(page);
    const others = await Promise.all(
      [1, 2, 3, 4].map((at) => fixture.page(`<button>Other ${at}</button><p>a</p><p>b</p>`, snapshotCache)),
    );
    for (const other of others) await take(other);
    const again = await take(page);
    expect([same === first, again === first, again.text === first.text, snapshotCache.bytes <= 60_000]).toEqual([
      true,
      false,
      true,
      true,
    ]);
  });

  it('[SN7] forget the former snapshot when there is no room for it, and then say so', async () => {
    const snapshotCache = new SnapshotCache(100);
    const page = await fixture.page('<button id=b>A button with many words in its name</button>', snapshotCache);
    const { revision } = await take(page);
    await page.run('b.disabled = true');
    expect((await take(page, revision)).delta?.whole).toBe(`Revision ${revision} is not kept in this form.`);
  });

  it('[SN8] of a closed tab take no room', async () => {
    const snapshotCache = new SnapshotCache(1_000_000);
    const page = await fixture.page('<button>A</button>', snapshotCache);
    await take(page);
    const kept = snapshotCache.bytes;
    page.snapshots.dispose();
    expect([kept > 0, snapshotCache.bytes]).toEqual([true, 0]);
  });
});
