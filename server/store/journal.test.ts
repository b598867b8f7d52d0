import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import type { Reply } from '@/lib/actions/reply';
import { Child } from '@/server/testing/child';
import { clickEvent } from '@/server/testing/events';
import { quietLogger, tempDir, tempSession, tempStore } from '@/server/testing/temp-store';
import { RESULT_LIFE_MS, type StoredActionKey } from './journal';
import { openStore, type Store } from './store';

const reply: Reply = {
  ok: true,
  id: 'a1',
  kind: 'click',
  tab: 't1',
  url: 'http://localhost/',
  startedAt: '2026-01-01T00:00:00.000Z',
  ms: 12,
  warnings: [],
};

async function small(now?: () => Date): Promise<{ store: Store; key: StoredActionKey }> {
  const store = await tempStore(now ? { now } : {});
  return { store, key: { ...(await tempSession(store)), participant: 'k_1', action: 'a1' } };
}

describe('intent before effect', () => {
  it('[TL1] one action leaves an intent and an outcome row with one id', async () => {
    const { store, key } = await small();
    await store.journal.recordIntent(key, 'f', clickEvent('e1', { at: '2026-01-01T00:00:00.000Z' }));
    await store.journal.recordOutcome(
      key,
      reply,
      clickEvent('e1', { at: '2026-01-01T00:00:01.000Z', outcome: 'ok', ms: 12 }),
    );
    expect(await store.timeline.list(key.workspace, key.session, { limit: 10 })).toEqual([
      { ...clickEvent('e1'), seq: 1, phase: 'intent', at: '2026-01-01T00:00:00.000Z' },
      { ...clickEvent('e1'), seq: 2, phase: 'outcome', at: '2026-01-01T00:00:01.000Z', outcome: 'ok', ms: 12 },
    ]);
  });

  it('[F7] the same request again gets the same answer and leaves no row', async () => {
    const { store, key } = await small();
    await store.journal.recordIntent(key, 'f', clickEvent('e1'));
    await store.journal.recordOutcome(key, reply, clickEvent('e1'));
    expect(await store.journal.recordIntent(key, 'f', clickEvent('e2'))).toEqual({ state: 'done', reply });
    expect(await store.timeline.list(key.workspace, key.session, { limit: 10 })).toHaveLength(2);
  });

  it('[F7] a repeat of a running request gets told so', async () => {
    const { store, key } = await small();
    await store.journal.recordIntent(key, 'f', clickEvent('e1'));
    expect(await store.journal.recordIntent(key, 'f', clickEvent('e2'))).toEqual({ state: 'running' });
  });

  it('[CO10] another request with a used id is detected', async () => {
    const { store, key } = await small();
    await store.journal.recordIntent(key, 'f', clickEvent('e1'));
    expect(await store.journal.recordIntent(key, 'other', clickEvent('e2'))).toEqual({ state: 'different' });
  });

  it('[CO10] an id is unique per participant, not per session', async () => {
    const { store, key } = await small();
    await store.journal.recordIntent(key, 'f', clickEvent('e1'));
    expect(await store.journal.recordIntent({ ...key, participant: 'k_2' }, 'f', clickEvent('e2'))).toMatchObject({
      state: 'recorded',
    });
  });

  it('[CO10] an id is free again after ten minutes, not before', async () => {
    let time = Date.parse('2026-01-01T00:00:00Z');
    const { store, key } = await small(() => new Date(time));
    await store.journal.recordIntent(key, 'f', clickEvent('e1'));
    await store.journal.recordOutcome(key, reply, clickEvent('e1'));
    time += RESULT_LIFE_MS - 1;
    expect((await store.journal.recordIntent(key, 'f', clickEvent('e2'))).state).toBe('done');
    time += 1;
    expect((await store.journal.recordIntent(key, 'f', clickEvent('e3'))).state).toBe('recorded');
  });

  it('[I4] an outcome is written once, and only after an intent', async () => {
    const { store, key } = await small();
    await expect(store.journal.recordOutcome(key, reply, clickEvent('e1'))).rejects.toThrow(
      expect.objectContaining({ code: 'CONFLICT' }),
    );
    await store.journal.recordIntent(key, 'f', clickEvent('e1'));
    await store.journal.recordOutcome(key, reply, clickEvent('e1'));
    await expect(store.journal.recordOutcome(key, reply, clickEvent('e1'))).rejects.toThrow(
      expect.objectContaining({ code: 'CONFLICT' }),
    );
    expect(await store.timeline.list(key.workspace, key.session, { limit: 10 })).toHaveLength(2);
  });

  it('[CO10][F16] the id of an action that was not carried out is free at once, and both of its rows stay', async () => {
    const { store, key } = await small();
    await store.journal.recordIntent(key, 'f', clickEvent('e1'));
    await store.journal.withdraw(key, clickEvent('e1', { outcome: 'failed', code: 'STORE_BUSY' }));
    const rows = await store.timeline.list(key.workspace, key.session, { limit: 10 });

    expect(rows.map(({ phase, code }) => [phase, code])).toEqual([
      ['intent', undefined],
      ['outcome', 'STORE_BUSY'],
    ]);
    expect(await store.journal.recall(key, 'f')).toBeUndefined();
    await expect(store.journal.withdraw(key, clickEvent('e1'))).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await store.journal.recordIntent(key, 'f', clickEvent('e2'))).toMatchObject({ state: 'recorded' });
  });

  it('[F7] an answer too large to keep is repeated without its value, and says so', async () => {
    const { store, key } = await small();
    await store.journal.recordIntent(key, 'f', clickEvent('e1'));
    await store.journal.recordOutcome(key, { ...reply, value: 'x'.repeat(1_100_000) }, clickEvent('e1'));
    expect(await store.journal.recordIntent(key, 'f', clickEvent('e2'))).toEqual({
      state: 'done',
      reply: { ...reply, warnings: [expect.stringContaining('too large to be kept')] },
    });
  });

  it("[T14] [F7] a page's data is in the answer to a repeat, and in no file", async () => {
    const dataDir = tempDir();
    const store = await tempStore({ dataDir });
    const key = { ...(await tempSession(store)), participant: 'k_1', action: 'a1' };
    const canary = 'canary-of-a-signed-in-page';
    const inside = { ...reply, kind: 'extract', value: { text: canary } };
    const told: Reply = {
      ...reply,
      kind: 'batch',
      value: {
        results: [
          inside,
          {
            ...reply,
            kind: 'evaluate',
            ok: false,
            error: { code: 'EVAL_THREW', message: canary, hint: '', retry: 'no', details: { stack: canary } },
          },
          { ...reply, kind: 'tab', value: 'kept' },
        ],
      },
      snapshot: { text: canary },
    };
    await store.journal.recordIntent(key, 'f', clickEvent('e1'));
    await store.journal.recordOutcome(key, told, clickEvent('e1'));
    const again = await store.journal.recordIntent(key, 'f', clickEvent('e2'));
    await store.close();
    const files = readdirSync(dataDir)
      .filter((name) => name.startsWith('wheelhouse.sqlite'))
      .map((name) => readFileSync(join(dataDir, name), 'latin1'));
    const later = await tempStore({ dataDir });
    const after = await later.journal.recordIntent(key, 'f', clickEvent('e3'));

    expect(again).toEqual({ state: 'done', reply: told });
    expect([files.length > 0, files.some((bytes) => bytes.includes(canary))]).toEqual([true, false]);
    expect(after).toMatchObject({
      state: 'done',
      reply: {
        ok: true,
        value: { results: [{ kind: 'extract' }, { error: { code: 'EVAL_THREW' } }, { value: 'kept' }] },
        warnings: [expect.stringContaining('not kept')],
      },
    });
  });

  it("[T14] answers in memory are bounded: the oldest are dropped first, and then repeated without the page's data", async () => {
    const { store, key } = await small();
    const answer = (action: string): StoredActionKey => ({ ...key, action });
    for (let at = 0; at < 40; at += 1) {
      await store.journal.recordIntent(answer(`a${at}`), 'f', clickEvent(`e${at}`));
      await store.journal.recordOutcome(
        answer(`a${at}`),
        { ...reply, kind: 'evaluate', value: 'x'.repeat(900_000) },
        clickEvent(`e${at}`),
      );
    }
    const given = (at: number): Promise<unknown> => store.journal.recall(answer(`a${at}`), 'f');

    expect(await given(39)).toMatchObject({ reply: { value: expect.any(String), warnings: [] } });
    expect(await given(0)).toEqual({
      state: 'done',
      reply: { ...reply, kind: 'evaluate', warnings: [expect.stringContaining('not kept')] },
    });
  });

  it('[F16] while another program writes, an action is refused rather than done without its row', async () => {
    const dataDir = tempDir();
    const store = await tempStore({ dataDir, busyMs: 50 });
    const key = { ...(await tempSession(store)), participant: 'k_1', action: 'a1' };
    const other = new Sqlite(join(dataDir, 'wheelhouse.sqlite'));
    other.exec('BEGIN IMMEDIATE');
    await expect(store.journal.recordIntent(key, 'f', clickEvent('e1'))).rejects.toThrow(
      expect.objectContaining({ code: 'STORE_BUSY', retry: 'later' }),
    );
    await expect(store.browsers.listOpen(key.workspace)).resolves.toHaveLength(1);
    other.close();
    expect(await store.journal.recordIntent(key, 'f', clickEvent('e1'))).toMatchObject({
      state: 'recorded',
      event: { seq: 1 },
    });
  });
});

describe('a server killed in the middle', () => {
  it('[F11] interrupted actions become OUTCOME_UNKNOWN with an outcome row, and are not done again', async () => {
    const dataDir = tempDir();
    const before = await openStore({ dataDir, logger: quietLogger });
    const key = { ...(await tempSession(before)), participant: 'k_1', action: 'a1' };
    await before.journal.recordIntent(key, 'f', clickEvent('e1', { tab: 't1', epoch: 3 }));
    await before.close();
    const after = await tempStore({ dataDir });
    expect(await after.journal.resolveUnfinished()).toEqual([
      {
        ...key,
        event: {
          ...clickEvent('e1'),
          tab: 't1',
          epoch: 3,
          seq: 2,
          phase: 'outcome',
          at: expect.any(String),
          outcome: 'unknown',
          code: 'OUTCOME_UNKNOWN',
        },
      },
    ]);
    expect(await after.journal.recordIntent(key, 'f', clickEvent('e2'))).toEqual({ state: 'unknown' });
    expect(await after.journal.resolveUnfinished()).toEqual([]);
  });

  it('[TL1] kill -9 loses no acknowledged row: 5 kills', { timeout: 60_000 }, async () => {
    const dataDir = tempDir();
    for (let round = 0; round < 5; round += 1) {
      const before = await openStore({ dataDir, logger: quietLogger });
      const { workspace, session } = await tempSession(before);
      await before.close();
      const child = new Child('server/testing/store-child.ts', [dataDir, workspace, session]);
      await child.count(20 + Math.floor(Math.random() * 60));
      await child.kill();
      await provesWhole(dataDir, workspace, session, child.lines);
    }
  });
});

/** Every row that the child had acknowledged is there, at most one action is open, and the chain holds. */
async function provesWhole(
  dataDir: string,
  workspace: string,
  session: string,
  lines: readonly string[],
): Promise<void> {
  const store = await openStore({ dataDir, logger: quietLogger });
  const events = await store.timeline.list(workspace, session, { since: 0, limit: 1_000_000 });
  const rows = new Set(events.map((event) => `${event.phase} ${event.id.slice(1)}`));
  expect(lines.filter((line) => /^(?:intent|outcome) \d+$/.test(line)).filter((line) => !rows.has(line))).toEqual([]);
  const open = await store.journal.resolveUnfinished();
  expect(open.length).toBeLessThanOrEqual(1);
  expect(await store.verifyTimeline(workspace, session)).toEqual({ ok: true, rows: events.length + open.length });
  await store.close();
}
