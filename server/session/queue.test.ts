import { describe, expect, it } from 'vitest';
import { Deferred } from '@/lib/async/deferred';
import { createBudget } from '@/lib/budget/budget';
import { FakeClock } from '@/lib/budget/fake-clock';
import { WheelhouseError } from '@/lib/errors/error';
import { refusal } from '@/server/testing/disturbed-store';
import { aQueue } from '@/server/testing/queue';
import { STORE_MS } from '@/server/store/in-time';
import type { Decision } from './queue';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: unknown) => String(Object(error).code),
  );

/** A queue whose commands are stored when the test says so; `log` tells what became of them. */
function makeQueue() {
  const clock = new FakeClock();
  const queue = aQueue(clock);
  const log: string[] = [];
  const writes: Deferred[] = [];
  const command = (name: string) => (): Decision<void> => {
    log.push(`${name} decided`);
    return {
      store: () => {
        const write = new Deferred();
        writes.push(write);
        return write.promise;
      },
      apply: () => void log.push(`${name} applied`),
      withdraw: () => void log.push(`${name} withdrawn`),
    };
  };
  const budget = (timeoutMs: number) => createBudget({ timeoutMs, clock });
  return { clock, queue, log, writes, command, budget };
}

describe('a command with a budget', () => {
  it('[BU1] answers its caller when the budget ends, also while the store is silent, and counts if it is stored', async () => {
    const { clock, queue, log, writes, command, budget } = makeQueue();
    const taken = codeOf(queue.run(budget(300), command('take')));
    clock.advance(300);
    const answer = await taken;
    writes[0]?.resolve();
    await turn();

    expect([answer, log]).toEqual(['TIMEOUT', ['take decided', 'take applied']]);
  });

  it('[BU1] that waits behind another is dropped when its budget ends, and is never done', async () => {
    const { clock, queue, log, writes, command, budget } = makeQueue();
    const first = codeOf(queue.run(budget(60_000), command('take')));
    const second = codeOf(queue.run(budget(300), command('release')));
    clock.advance(300);
    const answer = await second;
    writes[0]?.resolve();
    await turn();

    expect([answer, await first, log]).toEqual(['TIMEOUT', 'done', ['take decided', 'take applied']]);
  });

  it('[F16] waits no longer than five seconds for the store', async () => {
    const { clock, queue, command, budget } = makeQueue();
    const taken = codeOf(queue.run(budget(60_000), command('take')));
    clock.advance(STORE_MS);

    expect(await taken).toBe('STORE_BUSY');
  });
});

describe('a command that must be stored', () => {
  it('[F16] keeps its turn while the store refuses, and is decided anew: no later command overtakes it', async () => {
    const { clock, queue, log, writes, command, budget } = makeQueue();
    const lost = codeOf(queue.surely(command('lost')));
    const back = codeOf(queue.surely(command('back')));
    const taken = codeOf(queue.run(budget(60_000), command('take')));
    writes[0]?.reject(refusal());
    await turn();
    clock.advance(250);
    const tried = [...log];
    for (const write of [1, 2, 3]) {
      writes[write]?.resolve();
      await turn();
    }

    expect(tried).toEqual(['lost decided', 'lost withdrawn', 'lost decided']);
    expect([await lost, await back, await taken]).toEqual(['done', 'done', 'done']);
    expect(log.slice(3)).toEqual(['lost applied', 'back decided', 'back applied', 'take decided', 'take applied']);
  });

  it('[F16] waits for a silent store as long as that takes', async () => {
    const { clock, queue, log, writes, command, budget } = makeQueue();
    const taken = codeOf(queue.run(budget(60_000), command('take')));
    const closed = queue.surely(command('close'));
    clock.advance(10 * STORE_MS);
    writes[0]?.resolve();
    await turn();
    writes[1]?.resolve();
    await closed;

    expect([await taken, log.at(-1)]).toEqual(['STORE_BUSY', 'close applied']);
  });

  it('[F30] is not tried again after a fault of the server, which would stop all commands behind it', async () => {
    const { queue, log, writes, command, budget } = makeQueue();
    const lost = codeOf(queue.surely(command('lost')));
    const taken = codeOf(queue.run(budget(60_000), command('take')));
    writes[0]?.reject(new WheelhouseError('INTERNAL', 'a fault'));
    await turn();
    writes[1]?.resolve();

    expect([await lost, await taken, log.at(-1)]).toEqual(['INTERNAL', 'done', 'take applied']);
  });
});

describe('a queue that is disposed', () => {
  it('[SE2] ends every wait with its reason, applies nothing more, and leaves no timer', async () => {
    const { clock, queue, log, writes, command, budget } = makeQueue();
    const limits = [budget(60_000), budget(60_000), budget(60_000)] as const;
    const storing = codeOf(queue.run(limits[0], command('take')));
    const waits = [codeOf(queue.run(limits[1], command('release'))), codeOf(queue.surely(command('close')))];
    queue.dispose(new WheelhouseError('NOT_FOUND', 'The session is over.'));
    const later = [codeOf(queue.run(limits[2], command('ask'))), codeOf(queue.surely(command('left')))];
    const ended = await Promise.all([storing, ...waits, ...later]);
    writes[0]?.resolve();
    await turn();
    for (const one of limits) one.dispose();

    expect([ended, log, clock.waiting]).toEqual([Array(5).fill('NOT_FOUND'), ['take decided'], 0]);
  });

  it('[SE2] makes no further attempt', async () => {
    const { clock, queue, log, writes, command } = makeQueue();
    const lost = codeOf(queue.surely(command('lost')));
    writes[0]?.reject(refusal());
    await turn();
    queue.dispose(new WheelhouseError('NOT_FOUND', 'The session is over.'));
    clock.advance(10_000);

    expect([await lost, log, clock.waiting]).toEqual(['NOT_FOUND', ['lost decided', 'lost withdrawn'], 0]);
  });
});
