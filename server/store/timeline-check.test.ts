import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { monotonicClock } from '@/lib/budget/clock';
import { clickEvent } from '@/server/testing/events';
import { startTestServer } from '@/server/testing/server';
import { tempDir, tempSession, tempStore } from '@/server/testing/temp-store';
import type { Store } from './store';
import type { TimelinesState } from './timeline-check';

/** Changes one row, like an attacker who can write to the file. */
function change(dataDir: string, session: string, seq: number): void {
  const file = new Sqlite(join(dataDir, 'wheelhouse.sqlite'));
  file.prepare('UPDATE timeline SET kind = ? WHERE session = ? AND seq = ?').run('forged', session, seq);
  file.close();
}

const checked = (store: Store, meanwhile: () => void = () => undefined): Promise<TimelinesState> =>
  new Promise((resolve) => {
    const heart = setInterval(meanwhile, 1);
    const check = store.checkTimelines(monotonicClock, (state) => {
      clearInterval(heart);
      resolve(state);
    });
    expect(check.state).toMatchObject({ state: 'checking' });
  });

describe('the check of all timelines', () => {
  it('[T21] runs beside other work: rows that are added and signed meanwhile raise no false alarm', async () => {
    const store = await tempStore();
    const [{ workspace, session }, other] = [await tempSession(store), await tempSession(store)];
    for (let row = 1; row <= 1_500; row += 1) await store.timeline.append(workspace, session, clickEvent(`e${row}`));
    let added = 0;
    const state = await checked(store, () => {
      added += 1;
      void store.timeline.append(workspace, session, clickEvent(`more${added}`));
      if (added % 5 === 0) void store.exportTimeline(workspace, session).next();
      if (added % 7 === 0) void store.timeline.append(workspace, other.session, clickEvent(`other${added}`));
    });

    expect(added).toBeGreaterThan(10);
    expect(state).toMatchObject({ state: 'ok', timelines: 2 });
    expect(state.state === 'ok' && state.rows > 1_500).toBe(true);
  });

  it('[T21] names each broken timeline, with its first row that does not hold', async () => {
    const dataDir = tempDir();
    const store = await tempStore({ dataDir });
    const [one, two, three] = [await tempSession(store), await tempSession(store), await tempSession(store)];
    for (let row = 1; row <= 400; row += 1)
      for (const { workspace, session } of [one, two, three])
        await store.timeline.append(workspace, session, clickEvent(`e${row}`));
    change(dataDir, one.session, 333);
    change(dataDir, three.session, 7);

    expect(await checked(store)).toEqual({
      state: 'broken',
      timelines: 3,
      rows: 400,
      broken: expect.arrayContaining([
        { session: one.session, row: 333, problem: 'row 333 was changed' },
        { session: three.session, row: 7, problem: 'row 7 was changed' },
      ]),
    });
  });

  it('[T21] [OP3] the server checks at its start, and /readyz gives the result to callers who are signed in', async () => {
    const dataDir = tempDir();
    const first = await startTestServer({ dataDir });
    const { id } = await first.session();
    await expect
      .poll(async () => (await first.api('GET', '/readyz')).body)
      .toMatchObject({ ready: true, timelines: { state: 'ok', timelines: 0 } });
    await first.close({ keepData: true });
    change(dataDir, id, 1);
    const second = await startTestServer({ dataDir });
    await expect
      .poll(async () => (await second.api('GET', '/readyz')).body)
      .toMatchObject({ ready: true, timelines: { state: 'broken', broken: [{ session: id, row: 1 }] } });
    const anonymous = await fetch(`${second.origin}/readyz`).then((response) => response.json());
    await second.close({ keepData: true });

    expect(anonymous).toEqual({ ready: true });
  });
});
