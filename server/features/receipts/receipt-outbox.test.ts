import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import type { Receipt } from '@/lib/actions/receipt';
import { FakeClock } from '@/lib/budget/fake-clock';
import { RESULT_LIFE_MS } from '@/server/store/journal';
import { ReceiptOutbox } from './receipt-outbox';

const receipt = (note: string): Receipt => ({ by: 'Ada', note, takenAt: '', returnedAt: '', url: '', tabs: [] });

/** Makes an outbox over the stored state, with which the next run of the server starts. */
function boxes() {
  const stored = new Map<string, Receipt>();
  const clock = new FakeClock();
  const ledger = {
    saveReceipt: ({ participant, receipt: saved }: { participant: string; receipt: Receipt }) =>
      Promise.resolve(void stored.set(participant, saved)),
    forgetReceipts: (participant?: string) =>
      Promise.resolve(void (participant === undefined ? stored.clear() : stored.delete(participant))),
  };
  const start = (): ReceiptOutbox =>
    new ReceiptOutbox({
      known: [...stored].map(([participant, known]) => ({ participant, receipt: known })),
      ledger,
      clock,
      logger: pino({ enabled: false }),
    });
  /** A person gives the lease back, and the store accepts. */
  const give = (box: ReceiptOutbox, note: string): void => {
    const outgoing = box.put('a1', receipt(note));
    stored.set('a1', outgoing.record.receipt);
    outgoing.stored();
  };
  return { start, give, stored, clock };
}

describe('a receipt that went with the reply to an action with an id', () => {
  it('[CO5][F7] comes with it again, and with control/wait, until its agent sends something else, and is stored until then', async () => {
    const { start, give, stored } = boxes();
    const box = start();
    give(box, 'one');
    const told = ['x', 'x'].map((action) => (box.heard('a1', action), box.tell('a1', action)?.note));
    const shown = box.of('a1')?.note;
    const kept = stored.size;
    box.heard('a1', 'y');

    expect([told, shown, kept]).toEqual([['one', 'one'], 'one', 1]);
    expect([box.tell('a1', 'y'), box.tell('a1', 'x'), box.of('a1'), stored.size]).toEqual([
      undefined,
      undefined,
      undefined,
      0,
    ]);
  });

  it('[CO5] comes with the next receipt when the same action is sent again; another action gets only the next', async () => {
    const { start, give, stored } = boxes();
    const [again, other] = [start(), start()];
    const told: (string | undefined)[] = [];
    for (const [turn, box] of [again, other].entries()) {
      give(box, 'one');
      box.tell('a1', 'x');
      give(box, 'two');
      const action = turn === 0 ? 'x' : 'y';
      box.heard('a1', action);
      told.push(box.tell('a1', action)?.note);
    }

    expect([told, stored.get('a1')?.note]).toEqual([['one\ntwo', 'two'], 'two']);
  });

  it('[CO5][F7] is there for it after a restart of the server', async () => {
    const { start, give } = boxes();
    const first = start();
    give(first, 'one');
    first.tell('a1', 'x');
    const second = start();
    second.heard('a1', 'x');

    expect(second.tell('a1', 'x')?.note).toBe('one');
  });

  it("[CO5] is kept no longer than the action's id, and not at all without one", async () => {
    const { start, give, stored, clock } = boxes();
    const box = start();
    give(box, 'one');
    box.tell('a1', 'x');
    clock.advance(RESULT_LIFE_MS);
    box.heard('a1', 'x');
    const late = box.tell('a1', 'x');
    give(box, 'two');
    const plain = box.tell('a1', undefined)?.note;

    expect([late, plain, box.tell('a1', undefined), stored.size]).toEqual([undefined, 'two', undefined, 0]);
  });
});
