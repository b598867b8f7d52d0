import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { withBudget } from '@/lib/budget/budget';
import { monotonicClock } from '@/lib/budget/clock';
import { WheelhouseError } from '@/lib/errors/error';
import { clickEvent } from '@/server/testing/events';
import { tempDir, tempSession, tempStore } from '@/server/testing/temp-store';
import { digestBefore, digestOf } from './chain';
import type { Store } from './store';
import type { TimelineQuery } from './timeline';

interface Record {
  readonly store: Store;
  readonly workspace: string;
  readonly session: string;
  /** A second way into the file, for tampering. */
  readonly file: Sqlite.Database;
}

/** A timeline of ten rows. */
async function ten(): Promise<Record> {
  const dataDir = tempDir();
  const store = await tempStore({ dataDir });
  const { workspace, session } = await tempSession(store);
  for (let number = 1; number <= 10; number += 1) {
    const more = {
      kind: number % 2 === 0 ? 'type' : 'click',
      actor: { id: number > 5 ? 'p_1' : 'k_1', name: 'A', kind: 'agent' },
    } as const;
    await store.timeline.append(workspace, session, clickEvent(`e${number}`, more));
  }
  return { store, workspace, session, file: new Sqlite(join(dataDir, 'wheelhouse.sqlite')) };
}

const seqs = (events: readonly { seq: number }[]): number[] => events.map((event) => event.seq);

describe('reading a timeline', () => {
  it('[TL2] gives the newest page first and then the rows before or after a position', async () => {
    const { store, workspace, session } = await ten();
    expect(seqs(await store.timeline.list(workspace, session, { limit: 3 }))).toEqual([8, 9, 10]);
    expect(seqs(await store.timeline.list(workspace, session, { limit: 3, before: 8 }))).toEqual([5, 6, 7]);
    expect(seqs(await store.timeline.list(workspace, session, { limit: 3, since: 2 }))).toEqual([3, 4, 5]);
    expect(seqs(await store.timeline.list(workspace, session, { limit: 9, kind: 'type', actor: 'p_1' }))).toEqual([
      6, 8, 10,
    ]);
  });

  it('[TL2] a search covers all rows, the newest first, or on from a position', async () => {
    const { store, workspace, session } = await ten();
    for (let row = 11; row <= 1_200; row += 1)
      await store.timeline.append(
        workspace,
        session,
        clickEvent(`e${row}`, { text: row % 400 === 0 ? `open ÉCLAIR ${row}` : 'wait' }),
      );
    const find = async (query: Partial<TimelineQuery>) =>
      seqs(
        await withBudget({ timeoutMs: 20_000, clock: monotonicClock }, (budget) =>
          store.timeline.search(budget, workspace, session, { limit: 10, ...query }),
        ),
      );

    expect(await find({ search: ' éclair ' })).toEqual([400, 800, 1_200]);
    expect(await find({ search: 'éclair', limit: 2 })).toEqual([800, 1_200]);
    expect(await find({ search: 'éclair', before: 800 })).toEqual([400]);
    expect(await find({ search: 'éclair', since: 0, limit: 1 })).toEqual([400]);
    expect(await find({ search: 'buy', kind: 'type', actor: 'p_1' })).toEqual([6, 8, 10]);
    expect(await find({ search: 'nowhere' })).toEqual([]);
  });

  it('[TL2] a search ends with its budget', async () => {
    const { store, workspace, session } = await ten();
    const search = withBudget({ timeoutMs: 20_000, clock: monotonicClock }, (budget) => {
      budget.abort(new WheelhouseError('ABORTED', 'The client went away.'));
      return store.timeline.search(budget, workspace, session, { limit: 10, search: 'x' });
    });
    await expect(search).rejects.toMatchObject({ code: 'ABORTED' });
  });

  it('[T6] another workspace sees nothing of it and cannot write to it', async () => {
    const { store, session } = await ten();
    expect(await store.timeline.list('w_other', session, { limit: 10 })).toEqual([]);
    await expect(store.timeline.append('w_other', session, clickEvent('e11'))).rejects.toThrow(
      expect.objectContaining({ code: 'NOT_FOUND' }),
    );
  });

  it('[TL1] events of several sessions have their own places', async () => {
    const { store, workspace } = await ten();
    const { session } = await tempSession(store);
    expect((await store.timeline.append(workspace, session, clickEvent('x'))).seq).toBe(1);
  });
});

describe('a timeline that was tampered with', () => {
  it('[T21] a correct one verifies at every length', async () => {
    const store = await tempStore();
    const { workspace, session } = await tempSession(store);
    for (let rows = 0; rows < 30; rows += 1) {
      expect(await store.verifyTimeline(workspace, session)).toEqual({ ok: true, rows });
      await store.timeline.append(workspace, session, clickEvent(`e${rows}`, { text: 'Zeile 🛞 "x"\u0000' }));
    }
  });

  const tricks: readonly (readonly [name: string, sql: string, at: number])[] = [
    ['an edited text', `UPDATE timeline SET payload = replace(payload, 'Buy', 'Sell') WHERE seq = 4`, 4],
    ['an edited actor column', `UPDATE timeline SET actor = 'p_2' WHERE seq = 4`, 4],
    ['an edited kind column', `UPDATE timeline SET kind = 'hover' WHERE seq = 4`, 4],
    ['an edited id', `UPDATE timeline SET event_id = 'e9' WHERE seq = 4`, 4],
    ['another phase', `UPDATE timeline SET phase = 'intent' WHERE seq = 4`, 4],
    ['a digest that is none', `UPDATE timeline SET digest = '' WHERE seq = 4`, 4],
    ['a payload that is none', `UPDATE timeline SET payload = '{' WHERE seq = 4`, 4],
    ['a removed row', `DELETE FROM timeline WHERE seq = 4`, 4],
    ['the first row removed', `DELETE FROM timeline WHERE seq = 1`, 1],
    ['a cut tail', `DELETE FROM timeline WHERE seq > 6`, 7],
    ['everything removed', `DELETE FROM timeline`, 1],
    [
      'two rows swapped',
      `UPDATE timeline SET seq = 99 WHERE seq = 4; UPDATE timeline SET seq = 4 WHERE seq = 5; UPDATE timeline SET seq = 5 WHERE seq = 99`,
      4,
    ],
    [
      'a row removed and the rest moved up',
      `DELETE FROM timeline WHERE seq = 4; UPDATE timeline SET seq = -seq WHERE seq > 4; UPDATE timeline SET seq = -seq - 1 WHERE seq < 0`,
      4,
    ],
    [
      'a row copied to the end',
      `INSERT INTO timeline SELECT workspace, session, 11, event_id, phase, kind, actor, payload, digest FROM timeline WHERE seq = 10`,
      11,
    ],
    ['an edited digest', `UPDATE timeline SET digest = '${'a'.repeat(64)}' WHERE seq = 4`, 4],
    [
      'a cut tail with a shorter head',
      `DELETE FROM timeline WHERE seq > 6; UPDATE timeline_heads SET seq = 6, digest = (SELECT digest FROM timeline WHERE seq = 6)`,
      10,
    ],
    ['a head removed', `DELETE FROM timeline_heads`, 10],
    [
      'moved to another workspace',
      `INSERT INTO workspaces (id, name, created_at) VALUES ('w_evil', 'x', ''); UPDATE timeline SET workspace = 'w_evil' WHERE seq = 4`,
      4,
    ],
  ];

  it.each(tricks)('[T21] %s is found', async (_name, sql, at) => {
    const { store, workspace, session, file } = await ten();
    file.exec(sql);
    const verdict = await store.verifyTimeline(workspace, session);
    expect(verdict).toMatchObject({ ok: false, problem: expect.any(String) });
    if (!verdict.ok && !sql.includes('timeline_heads')) expect(verdict.at).toBe(at);
  });

  /** Changes row 4 and rewrites the chain, like an attacker who has everything but the key. */
  function chainAnew(file: Sqlite.Database, session: string): void {
    file.prepare(`UPDATE timeline SET payload = replace(payload, 'Buy', 'Sell') WHERE seq = 4`).run();
    let digest = digestBefore(session);
    const rows = file.prepare<[], { seq: number; payload: string }>('SELECT seq, payload FROM timeline ORDER BY seq');
    for (const { seq, payload } of rows.all()) {
      digest = digestOf(digest, payload);
      file.prepare('UPDATE timeline SET digest = ? WHERE seq = ?').run(digest, seq);
    }
    file.prepare('UPDATE timeline_heads SET digest = ?').run(digest);
  }

  it('[T21] a timeline that was chained again is found, and stays found when rows follow and are signed', async () => {
    const { store, workspace, session, file } = await ten();
    chainAnew(file, session);
    const verdicts = [await store.verifyTimeline(workspace, session)];
    for (const id of ['e11', 'e12']) {
      await store.timeline.append(workspace, session, clickEvent(id));
      verdicts.push(await store.verifyTimeline(workspace, session));
    }
    const broken = { ok: false, at: 11, problem: 'row 11 was changed' };

    expect(verdicts).toEqual([
      { ok: false, at: 10, problem: 'the signature of the head is not of this timeline' },
      broken,
      broken,
    ]);
  });

  it('[T21] a row of another session cannot replace one', async () => {
    const { store, workspace, session, file } = await ten();
    const { session: other } = await tempSession(store);
    await store.timeline.append(workspace, other, clickEvent('e1'));
    file.prepare('DELETE FROM timeline WHERE session = ? AND seq = 1').run(other);
    file.prepare('UPDATE timeline SET session = ? WHERE session = ? AND seq = 1').run(other, session);
    expect(await store.verifyTimeline(workspace, other)).toMatchObject({
      ok: false,
      at: 1,
      problem: 'row 1 was changed',
    });
  });
});
