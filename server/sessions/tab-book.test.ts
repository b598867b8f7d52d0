import { describe, expect, it } from 'vitest';
import { createBudget } from '@/lib/budget/budget';
import { FakeClock } from '@/lib/budget/fake-clock';
import { TabBook, type KnownTab } from './tab-book';

class Seat {
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
function makeBook({ known = [], slow = false }: { known?: readonly KnownTab[]; slow?: boolean } = {}) {
  const made: Seat[] = [];
  const finish = new Map<string, (failure?: Error) => void>();
  const book = new TabBook<Seat, Target>(async (info, { id, label }, opener) => {
    const seat = new Seat({ id, targetId: info.targetId, label, url: `https://${id}.test/` }, opener?.tab.id);
    made.push(seat);
    if (slow)
      await new Promise<void>((resolve, reject) =>
        finish.set(info.targetId, (failure) => (failure ? reject(failure) : resolve())),
      );
    return seat;
  }, known);
  return { book, made, finish };
}

const ids = (book: TabBook<Seat, Target>): string[] => book.all().map(({ tab }) => tab.id);
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('the ids of tabs', () => {
  it('[SE2] are short, stable and in the order in which the tabs appeared, not in which they were ready', async () => {
    const { book, finish } = makeBook({ slow: true });
    const both = ['AAAA1111', 'BBBB2222'].map((targetId) => book.adopt({ targetId }));
    await settled();
    finish.get('BBBB2222')?.();
    finish.get('AAAA1111')?.();
    await Promise.all(both);
    expect([book.byTarget('AAAA1111')?.tab.id, book.byTarget('BBBB2222')?.tab.id]).toEqual(['t1', 't2']);
  });

  it('[SE2] survive a restart, and are not given again', async () => {
    const { book } = makeBook({ known: [{ id: 't7', targetId: 'AAAA1111', label: 'cart', lastRef: 3 }] });
    await book.adopt({ targetId: 'BBBB2222' });
    await book.adopt({ targetId: 'AAAA1111' });
    expect([book.find('cart').tab.id, book.byTarget('BBBB2222')?.tab.id]).toEqual(['t7', 't8']);
  });

  it('[SE2] are given once for a target, however often it is announced', async () => {
    const { book, made } = makeBook();
    await Promise.all([book.adopt({ targetId: 'AAAA1111' }), book.adopt({ targetId: 'AAAA1111' })]);
    await book.adopt({ targetId: 'AAAA1111' });
    expect([ids(book), made.length]).toEqual([['t1'], 1]);
  });

  it('[SE2] are not used again after a tab is closed', async () => {
    const { book } = makeBook();
    await book.adopt({ targetId: 'AAAA1111' });
    expect(book.remove('AAAA1111')?.tab.id).toBe('t1');
    await book.adopt({ targetId: 'BBBB2222' });
    expect(ids(book)).toEqual(['t2']);
  });
});

describe('find', () => {
  const three = async (): Promise<TabBook<Seat, Target>> => {
    const { book } = makeBook({ known: [{ id: 't1', targetId: 'ABCD1111', label: 'cart', lastRef: 0 }] });
    for (const targetId of ['ABCD1111', 'ABCD2222', 'FFFF3333']) await book.adopt({ targetId });
    return book;
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
    const book = await three();
    expect(() => book.find('ABCD')).toThrow(
      expect.objectContaining({
        code: 'TAB_AMBIGUOUS',
        message: '"ABCD" fits 2 tabs.',
        details: { tabs: ['t1', 't2', 't3'].map((id) => expect.objectContaining({ id })) },
      }),
    );
  });

  it.each(['FFF', '', 't9', 'CART', 'ABCD1111x', 'constructor'])('[SE2] %j is TAB_NOT_FOUND', async (name) => {
    const book = await three();
    expect(() => book.find(name)).toThrow(expect.objectContaining({ code: 'TAB_NOT_FOUND' }));
  });

  it('[SE2] an id goes before a label that says the same', async () => {
    const book = await three();
    const [cart] = book.all();
    if (cart) cart.tab.label = 't2';
    expect(book.find('t2').tab.targetId).toBe('ABCD2222');
  });

  it('[SE2] a tab that was closed is no longer found', async () => {
    const book = await three();
    book.remove('ABCD2222');
    expect(book.find('ABCD').tab.id).toBe('t1');
    expect(() => book.find('t2')).toThrow('There is no tab "t2" in this session.');
  });
});

describe('tabs that come and go', () => {
  it('[SE2] a popup knows its opener, also one whose own seat is not ready yet', async () => {
    const { book, made, finish } = makeBook({ slow: true });
    const opener = book.adopt({ targetId: 'AAAA1111' });
    const popup = book.adopt({ targetId: 'BBBB2222', openerId: 'AAAA1111' });
    await settled();
    expect(made.map(({ tab }) => tab.id)).toEqual(['t1']);
    finish.get('AAAA1111')?.();
    await opener;
    await settled();
    finish.get('BBBB2222')?.();
    await popup;
    expect(made[1]).toMatchObject({ opener: 't1', tab: { id: 't2' } });
  });

  it('[SE2] a popup of a tab that could not be attached is seated without one', async () => {
    const { book, made, finish } = makeBook({ slow: true });
    const opener = book.adopt({ targetId: 'AAAA1111' });
    const popup = book.adopt({ targetId: 'BBBB2222', openerId: 'AAAA1111' });
    await settled();
    finish.get('AAAA1111')?.(new Error('gone'));
    await expect(opener).rejects.toThrow('gone');
    await settled();
    finish.get('BBBB2222')?.();
    await popup;
    expect([made[1]?.opener, ids(book)]).toEqual([undefined, ['t2']]);
  });

  it('[SE2] one that is closed before it is ready never appears, and leaves nothing behind', async () => {
    const { book, made, finish } = makeBook({ slow: true });
    const seats: string[] = [];
    book.onSeated.on(({ tab }) => seats.push(tab.id));
    const work = book.adopt({ targetId: 'AAAA1111' });
    await settled();
    expect(book.remove('AAAA1111')).toBeUndefined();
    finish.get('AAAA1111')?.();
    await work;
    expect([made[0]?.disposed, seats, ids(book)]).toEqual([true, [], []]);
  });

  it('[BU1] waiting for a seat ends with it, or with the budget', async () => {
    const clock = new FakeClock();
    const budget = createBudget({ timeoutMs: 100, clock });
    const { book } = makeBook();
    const coming = book.seated(budget, 'AAAA1111');
    await book.adopt({ targetId: 'BBBB2222' });
    await book.adopt({ targetId: 'AAAA1111' });
    expect((await coming).tab.id).toBe('t2');
    expect((await book.seated(budget, 'AAAA1111')).tab.id).toBe('t2');
    const never = book.seated(budget, 'CCCC3333');
    clock.advance(100);
    await expect(never).rejects.toMatchObject({
      code: 'TIMEOUT',
      message: 'Not done within 100 ms while waiting for: the new tab to be attached.',
    });
  });
});
