import { describe, expect, it } from 'vitest';
import { useStand } from '@/server/testing/stand';

/** The flood goes on until it is told to end, however slow the machine is: a thousand lines, a turn for others, and again. */
const FLOOD = `() => {
  window.written = 0;
  const more = () => {
    if (window.enough) return;
    for (let line = 0; line < 1_000; line += 1) console.log('line ' + (window.written += 1), { line });
    setTimeout(more, 0);
  };
  setTimeout(more, 0);
}`;
const LOOKS = 8;
/** More than a flood can be that is over at once. */
const MANY = 5_000;

const stand = useStand('<title>Page</title><button onclick="this.dataset.count = Number(this.dataset.count ?? 0) + 1">Press</button>');

const { open } = stand;

/** How many lines a session's page has written, as far as they have been heard. */
function heard(session: string): () => number {
  const { hub, access } = stand.server.running.services;
  const { console: ring } = hub.get(access.owner.workspace, session).book.find('t1').tab.watch;
  return () => ring.cursor;
}

describe('a page that writes without end', () => {
  it('[F25] keeps nobody waiting: another session of that Chrome is read and clicked many times while lines come, and every line counts', async () => {
    const [noisy, calm] = [await open('Noisy'), await open('Calm')];
    await stand.server.snapshot(calm);
    const count = heard(noisy);
    const before = count();
    await stand.server.act(noisy, { kind: 'evaluate', fn: FLOOD }, 'Noisy');
    const replies = [];
    for (let look = 0; look < LOOKS; look += 1) replies.push(await stand.server.act(calm, { kind: 'click', role: 'button', name: 'Press', snapshot: 'full' }, 'Calm'));
    const { value: written } = await stand.server.act(noisy, { kind: 'evaluate', fn: '() => { window.enough = true; return window.written; }' }, 'Noisy');
    const all = await untilStill(count, before + Number(written));
    const ring = await stand.server.api('GET', `/api/v1/sessions/${noisy}/tabs/t1/console?limit=1`);

    expect(replies.map(({ ok, snapshot }) => [ok, snapshot !== undefined])).toEqual(Array.from({ length: LOOKS }, () => [true, true]));
    expect([Number(written) > MANY, all - before]).toEqual([true, written]);
    expect(ring.body).toMatchObject({ items: [{ level: 'log' }], next: all });
  }, 120_000);
});

const STILL_MS = 2_000;

/** The count when it has not grown for a while, and not before all that was written has been heard. */
async function untilStill(count: () => number, atLeast: number): Promise<number> {
  for (let last = -1; ; ) {
    const now = count();
    if (now === last && now >= atLeast) return now;
    last = now;
    await new Promise((resolve) => setTimeout(resolve, STILL_MS));
  }
}
