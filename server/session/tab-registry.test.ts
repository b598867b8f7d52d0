import { describe, expect, it } from 'vitest';
import { createBudget } from '@/lib/budget/budget';
import { FakeClock } from '@/lib/budget/fake-clock';
import { TabRegistry, type StoredTab } from './tab-registry';

class TestTab {
  disposed = false;

  constructor(
    readonly tab: { readonly id: string; readonly targetId: string; label: string | undefined; readonly url: string },
    readonly opener: string | undefined,
  ) {}

  dispose(): void {
    this.disposed = true;
  }
}

interface Target {
  readonly targetId: string;
  readonly openerId?: string;
}

/** A book whose seats are made at once, or one by one by `finish` when `slow`. */
function makeRegistry({ known = [], slow = false }: { known?: readonly StoredTab[]; slow?: boolean } = {}) {
  const made: TestTab[] = [];
  const finish = new Map<string, (failure?: Error) => void>();
  const registry = new TabRegistry<TestTab, Target>(async (info, { id, label }, opener) => {
    const sessionTab = new TestTab({ id, targetId: info.targetId, label, url: `https://${id}.test/` }, opener?.tab.id);
    made.push(sessionTab);
    if (slow)
      await new Promise<void>((resolve, reject) =>
        finish.set(info.targetId, (failure) => (failure ? reject(failure) : resolve())),
      );
    return sessionTab;
  }, known);
  return { registry, made, finish };
}

const ids = (registry: TabRegistry<TestTab, Target>): string[] => registry.all().map(({ tab }) => tab.id);
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('the ids of tabs', () => {
  it('[SE2] are short, stable and in the order in which the tabs appeared, not in which they were ready', async () => {
    const { registry, finish } = makeRegistry({ slow: true });
    const both = ['AAAA1111', 'BBBB2222'].map((targetId) => registry.adopt({ targetId }));
    await settled();
    finish.get('BBBB2222')?.();
    finish.get('AAAA1111')?.();
    await Promise.all(both);
    expect([registry.byTarget('AAAA1111')?.tab.id, registry.byTarget('BBBB2222')?.tab.id]).toEqual(['t1', 't2']);
  });

  it('[SE2] survive a restart, and are not given again', async () => {
    const { registry } = makeRegistry({ known: [{ id: 't7', targetId: 'AAAA1111', label: 'cart', lastRef: 3 }] });
    await registry.adopt({ targetId: 'BBBB2222' });
    await registry.adopt({ targetId: 'AAAA1111' });
    expect([registry.find('cart').tab.id, registry.byTarget('BBBB2222')?.tab.id]).toEqual(['t7', 't8']);
  });

  it('[SE2] are given once for a target, however often it is announced', async () => {
    const { registry, made } = makeRegistry();
    await Promise.all([registry.adopt({ targetId: 'AAAA1111' }), registry.adopt({ targetId: 'AAAA1111' })]);
    await registry.adopt({ targetId: 'AAAA1111' });
    expect([ids(registry), made.length]).toEqual([['t1'], 1]);
  });

  it('[SE2] are not used again after a tab is closed', async () => {
    const { registry } = makeRegistry();
    await registry.adopt({ targetId: 'AAAA1111' });
    expect(registry.remove('AAAA1111')?.tab.id).toBe('t1');
    await registry.adopt({ targetId: 'BBBB2222' });
    expect(ids(registry)).toEqual(['t2']);
  });
});

describe('find', () => {
  const three = async (): Promise<TabRegistry<TestTab, Target>> => {
    const { registry } = makeRegistry({ known: [{ id: 't1', targetId: 'ABCD1111', label: 'cart', lastRef: 0 }] });
    for (const targetId of ['ABCD1111', 'ABCD2222', 'FFFF3333']) await registry.adopt({ targetId });
    return registry;
  };

  it.each([
    ['t2', 't2'],
    ['cart', 't1'],
    ['FFFF3333', 't3'],
    ['FFFF', 't3'],
    ['ffff', 't3'],
    ['ABCD2', 't2'],
  ])('[SE2] %s is %s: by id, label, target id or unique prefix', async (name, id) => {
    expect((await three()).find(name).tab.id).toBe(id);
  });

  it('[SE2] a prefix that fits several is TAB_AMBIGUOUS, and lists the tabs', async () => {
    const registry = await three();
    expect(() => registry.find('ABCD')).toThrow(
      expect.objectContaining({
        code: 'TAB_AMBIGUOUS',
        message: '"ABCD" fits 2 tabs.',
        details: { tabs: ['t1', 't2', 't3'].map((id) => expect.objectContaining({ id })) },
      }),
    );
  });

  it.each(['FFF', '', 't9', 'CART', 'ABCD1111x', 'constructor'])('[SE2] %j is TAB_NOT_FOUND', async (name) => {
    const registry = await three();
    expect(() => registry.find(name)).toThrow(expect.objectContaining({ code: 'TAB_NOT_FOUND' }));
  });

  it('[SE2] an id takes precedence over an equal label', async () => {
    const registry = await three();
    const [cart] = registry.all();
    if (cart) cart.tab.label = 't2';
    expect(registry.find('t2').tab.targetId).toBe('ABCD2222');
  });

  it('[SE2] a tab that was closed is no longer found', async () => {
    const registry = await three();
    registry.remove('ABCD2222');
    expect(registry.find('ABCD').tab.id).toBe('t1');
    expect(() => registry.find('t2')).toThrow('There is no tab "t2" in this session.');
  });
});

describe('tabs that come and go', () => {
  it('[SE2] a popup knows its opener, even one that is not ready yet', async () => {
    const { registry, made, finish } = makeRegistry({ slow: true });
    const opener = registry.adopt({ targetId: 'AAAA1111' });
    const popup = registry.adopt({ targetId: 'BBBB2222', openerId: 'AAAA1111' });
    await settled();
    expect(made.map(({ tab }) => tab.id)).toEqual(['t1']);
    finish.get('AAAA1111')?.();
    await opener;
    await settled();
    finish.get('BBBB2222')?.();
    await popup;
    expect(made[1]).toMatchObject({ opener: 't1', tab: { id: 't2' } });
  });

  it('[SE2] a popup of a tab that could not be attached is added without an opener', async () => {
    const { registry, made, finish } = makeRegistry({ slow: true });
    const opener = registry.adopt({ targetId: 'AAAA1111' });
    const popup = registry.adopt({ targetId: 'BBBB2222', openerId: 'AAAA1111' });
    await settled();
    finish.get('AAAA1111')?.(new Error('gone'));
    await expect(opener).rejects.toThrow('gone');
    await settled();
    finish.get('BBBB2222')?.();
    await popup;
    expect([made[1]?.opener, ids(registry)]).toEqual([undefined, ['t2']]);
  });

  it('[SE2] a tab that is closed before it is ready never appears, and leaves nothing behind', async () => {
    const { registry, made, finish } = makeRegistry({ slow: true });
    const sessionTabs: string[] = [];
    registry.onAdded.on(({ tab }) => sessionTabs.push(tab.id));
    const work = registry.adopt({ targetId: 'AAAA1111' });
    await settled();
    expect(registry.remove('AAAA1111')).toBeUndefined();
    finish.get('AAAA1111')?.();
    await work;
    expect([made[0]?.disposed, sessionTabs, ids(registry)]).toEqual([true, [], []]);
  });

  it('[BU1] waiting for a seat ends with it, or with the budget', async () => {
    const clock = new FakeClock();
    const budget = createBudget({ timeoutMs: 100, clock });
    const { registry } = makeRegistry();
    const coming = registry.whenAdded(budget, 'AAAA1111');
    await registry.adopt({ targetId: 'BBBB2222' });
    await registry.adopt({ targetId: 'AAAA1111' });
    expect((await coming).tab.id).toBe('t2');
    expect((await registry.whenAdded(budget, 'AAAA1111')).tab.id).toBe('t2');
    const never = registry.whenAdded(budget, 'CCCC3333');
    clock.advance(100);
    await expect(never).rejects.toMatchObject({
      code: 'TIMEOUT',
      message: 'Not done within 100 ms while waiting for: the new tab to be attached.',
    });
  });
});
