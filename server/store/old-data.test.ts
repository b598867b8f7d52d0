import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { verifyLines } from '@/bin/verify/walk.mjs';
import { clickEvent } from '@/server/testing/events';
import { OLD, OLD_MAKERS, oldDataDir } from '@/server/testing/old-data';
import { quietLogger, tempStore } from '@/server/testing/temp-store';
import { Connection } from './connection';
import { digests } from './migrations/0002-digests';
import { oneChain } from './migrations/0012-one-chain';
import { openStore, type Store } from './store';

const DATABASE = 'wheelhouse.sqlite';
/** Soon after the server was killed, so ids of actions still count. */
const AT = new Date('2026-11-22T20:05:00.000Z');
const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The data directory of da4c5e6, opened by this version. */
async function opened(dataDir = oldDataDir()): Promise<{ dataDir: string; store: Store; workspace: string }> {
  const store = await tempStore({ dataDir, now: () => AT });
  const { workspace } = await store.people.ensureOwner({ workspace: 'New', owner: 'New' }, AT);
  return { dataDir, store, workspace };
}

/** Changes the database of a stopped server. */
function change(dataDir: string, sql: string): void {
  const file = new Sqlite(join(dataDir, DATABASE));
  file.exec(sql);
  file.close();
}

async function verdicts(store: Store, workspace: string): Promise<unknown[]> {
  return Promise.all(Object.values(OLD).map((session) => store.verifyTimeline(workspace, session)));
}

/** A timeline without rows has nothing that an export could show. */
const EMPTY = `${OLD.empty}: WRONG at row 1: empty. The file has no row. A record without rows is exported like this, but nothing proves that it had none.`;

const WELL = [
  { ok: true, rows: 12 },
  { ok: true, rows: 6 },
  { ok: true, rows: 4 },
  { ok: true, rows: 0 },
];

describe('a data directory of da4c5e6', () => {
  it('[F11] keeps people, keys, sign-ins, sessions, tabs and leases', async () => {
    const { store, workspace } = await opened();
    const agent = await store.apiKeys.find(hashOf('key'), AT);

    expect(agent).toMatchObject({ workspace, name: 'Agent', grants: ['view', 'drive'] });
    expect(await store.apiKeys.find(hashOf('ended key'), AT)).toBeUndefined();
    expect(await store.signIns.find(hashOf('login'), AT)).toMatchObject({ workspace });
    expect(await store.signIns.canRedeem(hashOf('token used'), AT)).toBe(false);
    expect(await store.signIns.canRedeem(hashOf('token open'), AT)).toBe(true);
    expect((await store.browsers.listOpen(workspace)).map(({ floorPort }) => floorPort)).toEqual([40_001]);
    expect((await store.sessions.listOpen(workspace)).map(({ id }) => id)).toEqual([OLD.whole, OLD.tail, OLD.empty]);
    expect(await store.sessions.get(workspace, OLD.whole)).toMatchObject({
      name: 'Shop',
      egressPort: 40_002,
      policy: { evaluate: true, whenTaken: 'wait' },
      maker: `key ${agent?.id}`,
      active: { tab: 't2', by: { [agent?.id ?? '']: 't1' } },
    });
    expect(await store.tabs.list(workspace, OLD.whole)).toMatchObject([
      { id: 't1', lastRef: 10, masks: [{ fields: [4, 9] }] },
      { id: 't2', label: 'cart' },
      { id: 't3', opener: 't1', closedAt: expect.any(String) },
    ]);
    expect(await store.leases.list(workspace, OLD.whole)).toMatchObject([
      { tab: 't1', epoch: 7, takenFrom: { id: agent?.id }, privateHold: { reason: 'a code', until: 'ended' } },
      { tab: 't2', epoch: 3, holder: { kind: 'agent' }, privateHold: null },
    ]);
  });

  it('[F11] keeps help requests, receipts, answers and encrypted state, and closes the action that was under way', async () => {
    const { store, workspace } = await opened();
    const { id: participant } = (await store.apiKeys.find(hashOf('key'), AT)) ?? { id: '' };
    const place = { workspace, session: OLD.whole };
    const key = (action: string) => ({ ...place, participant, action });

    expect((await store.questions.list(place)).map(({ outcome }) => outcome?.state)).toEqual([undefined, 'answered']);
    expect(await store.receipts.list(place)).toMatchObject([{ participant, receipt: { note: 'go on' } }]);
    expect(await store.saved.read(OLD.whole)).toContain('shop.example');
    expect(await store.saved.read(`${OLD.whole}.secrets`)).toContain('hunter22');
    expect(await store.pictures.list(workspace, OLD.whole)).toMatchObject([{ seq: 2, eventId: 'e1' }]);
    expect(await store.journal.resolveUnfinished()).toMatchObject([{ action: 'a6', event: { seq: 13 } }]);
    const recalled = await store.journal.recordIntent(key('a6'), 'f6', clickEvent('again'));
    expect(recalled).toEqual({ state: 'unknown' });
  });

  it('[TL1] its timelines have one chain with a signed head, also where the killed server had not signed yet', async () => {
    const { dataDir, store, workspace } = await opened();
    const before = await verdicts(store, workspace);
    for (const session of Object.values(OLD)) await store.timeline.append(workspace, session, clickEvent('new'));
    await store.close();
    const again = await opened(dataDir);

    expect([before, store.loss, again.store.loss]).toEqual([WELL, undefined, undefined]);
    expect(await verdicts(again.store, workspace)).toEqual(WELL.map(({ rows }) => ({ ok: true, rows: rows + 1 })));
    expect(existsSync(join(dataDir, 'timeline.mark'))).toBe(false);
  });

  it('[TL2] its exports still verify, and equal an export of today', async () => {
    const { dataDir, store, workspace } = await opened();
    const { fingerprint } = store.timelineKey();
    for (const session of [OLD.whole, OLD.ended]) {
      const then = readFileSync(join(dataDir, `${session}.jsonl`), 'utf8')
        .trimEnd()
        .split('\n');
      const parts: string[] = [];
      for await (const part of store.exportTimeline(workspace, session)) parts.push(part);
      const now = parts.join('').trimEnd().split('\n');
      expect(verifyLines(then, fingerprint)).toMatchObject({ ok: true, rows: then.length });
      expect(verifyLines(now, fingerprint)).toMatchObject({ ok: true, rows: then.length });
      expect(now.slice(0, -1)).toEqual(then.slice(0, -1));
    }
  });

  it('[TL2] the program checks it as it is, and when it was brought up to date', async () => {
    const dataDir = oldDataDir();
    const check = (): string[] => {
      const { stdout } = spawnSync(process.execPath, ['bin/wheelhouse-verify.mjs', '--data', dataDir], {
        encoding: 'utf8',
      });
      return stdout
        .trim()
        .split('\n')
        .map((line) => line.replace(/, none.*/, ''));
    };
    const before = check();
    await (await openStore({ dataDir, logger: quietLogger })).close();

    expect(before).toEqual([
      EMPTY,
      `${OLD.ended}: ok. 4 rows`,
      `${OLD.whole}: ok. 12 rows`,
      `${OLD.tail}: WRONG at row 4: unsigned. Only the rows up to 3 are signed, and 3 more follow.`,
    ]);
    expect(check()).toEqual([
      EMPTY,
      `${OLD.ended}: ok. 4 rows`,
      `${OLD.whole}: ok. 12 rows`,
      `${OLD.tail}: ok. 6 rows`,
    ]);
  });

  it('[F17] rows that its count misses are reported once', async () => {
    const dataDir = oldDataDir();
    rmSync(join(dataDir, `${DATABASE}-wal`));
    const first = await opened(dataDir);
    await first.store.close();
    const second = await opened(dataDir);

    expect([first.store.loss?.rows, second.store.loss]).toEqual([3, undefined]);
  });

  it('[T21] a changed count is reported', async () => {
    const dataDir = oldDataDir();
    const mark = readFileSync(join(dataDir, 'timeline.mark'), 'utf8');
    writeFileSync(join(dataDir, 'timeline.mark'), mark.replace('22', '21'));
    const { store } = await opened(dataDir);
    expect(store.loss).toMatchObject({ rows: undefined, said: { code: 'headChanged' } });
  });

  const rechained = (session: string, seq: number): string => `
    UPDATE timeline SET payload = replace(payload, '"row', '"ROW') WHERE session = '${session}' AND seq = ${seq}`;
  it.each([
    ['a signed row', rechained(OLD.ended, 2), OLD.ended, 2],
    ['a row that nobody had signed', rechained(OLD.tail, 5), OLD.tail, 5],
    ['a column of a row', `UPDATE timeline SET kind = 'hover' WHERE session = '${OLD.tail}' AND seq = 5`, OLD.tail, 5],
    ['a cut tail', `DELETE FROM timeline WHERE session = '${OLD.ended}' AND seq = 4`, OLD.ended, 4],
    ['a removed head', `DELETE FROM timeline_heads WHERE session = '${OLD.ended}'`, OLD.ended, 4],
  ])('[T21] %s, changed before the update, is found after it and when rows follow', async (_, sql, session, at) => {
    const dataDir = oldDataDir();
    change(dataDir, sql);
    const { store, workspace } = await opened(dataDir);
    const found = await store.verifyTimeline(workspace, session);
    await store.timeline.append(workspace, session, clickEvent('new')).catch(() => undefined);

    expect(found).toMatchObject({ ok: false, at });
    expect(await store.verifyTimeline(workspace, session)).toMatchObject({ ok: false, at });
  });

  it('[T21] an unsigned end that was chained again without the key is never signed', async () => {
    const dataDir = oldDataDir();
    const file = new Sqlite(join(dataDir, DATABASE));
    const rows = file.prepare<[string], { seq: number; payload: string; digest: string }>(
      'SELECT seq, payload, digest FROM timeline WHERE session = ? ORDER BY seq',
    );
    let digest = '';
    for (const row of rows.all(OLD.tail)) {
      const payload = row.seq === 5 ? row.payload.replace('row 5', 'row 9') : row.payload;
      digest = row.seq < 5 ? row.digest : createHash('sha256').update(`${digest}\n${payload}`).digest('hex');
      const update = file.prepare('UPDATE timeline SET payload = ?, digest = ? WHERE session = ? AND seq = ?');
      update.run(payload, digest, OLD.tail, row.seq);
    }
    file.prepare('UPDATE timeline_heads SET digest = ? WHERE session = ?').run(digest, OLD.tail);
    file.close();
    const { store, workspace } = await opened(dataDir);
    const found = await store.verifyTimeline(workspace, OLD.tail);
    await store.timeline.append(workspace, OLD.tail, clickEvent('new'));

    expect(found).toMatchObject({ ok: false, at: 6, problem: expect.stringContaining('signature') });
    expect(await store.verifyTimeline(workspace, OLD.tail)).toMatchObject({ ok: false, at: 7 });
  });

  it('[F11] an update that was cut off before it was noted is done again', async () => {
    const dataDir = oldDataDir();
    const connection = new Connection(join(dataDir, DATABASE), 1_000);
    await oneChain(dataDir).up(connection.db);
    await connection.close();
    const { store, workspace } = await opened(dataDir);
    expect(await verdicts(store, workspace)).toEqual(WELL);
  });

  it('[TL1] timelines from before digests get digests, and are signed', async () => {
    const dataDir = oldDataDir();
    for (const column of [
      'timeline.digest',
      'timeline_heads.digest',
      'timeline_heads.signed_seq',
      'timeline_heads.signed_at',
      'timeline_heads.signature',
    ])
      change(dataDir, `ALTER TABLE ${column.split('.')[0]} DROP COLUMN ${column.split('.')[1]}`);
    const connection = new Connection(join(dataDir, DATABASE), 1_000);
    await digests.up(connection.db);
    await connection.close();
    const { store, workspace } = await opened(dataDir);
    expect(await verdicts(store, workspace)).toEqual(WELL);
  });

  it('[T21] without the key of the old chain unsigned rows are not opened', async () => {
    const dataDir = oldDataDir();
    rmSync(join(dataDir, 'timeline.key'));
    await expect(openStore({ dataDir, logger: quietLogger })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('timeline.key'),
    });
  });
});

describe('a data directory of 1f9baa86, which had one owner', () => {
  it('[AU2] keeps its owner, who owns the server from now on, their sign-ins and their keys', async () => {
    const store = await tempStore({ dataDir: oldDataDir('1f9baa86'), now: () => AT });
    const owner = await store.people.ensureOwner({ workspace: 'New', owner: 'New' }, AT);
    const { workspace, id: person } = owner;

    expect(owner).toMatchObject({ name: 'Owner', email: undefined, role: 'owner', serverOwner: true });
    expect(await store.people.memberships()).toEqual([{ workspace, person, role: 'owner' }]);
    expect(await store.people.workspace(workspace)).toEqual({
      ...{ id: workspace, name: 'Home', policy: { secondFactor: false }, unreadable: [] },
    });
    expect(await store.signIns.list(person, AT)).toMatchObject([{ workspace, person, factor: 'link', address: null }]);
    expect(await store.signIns.canRedeem(hashOf('token open'), AT)).toBe(true);
    expect(await store.apiKeys.find(hashOf('key'), AT)).toMatchObject({
      ...{ person, grants: ['watch', 'drive', 'clipboard'], scope: 'workspace', sessions: [], expiresAt: null },
    });
  });

  it('[AU3] keeps its sessions open to the workspace, and whoever made one owns it', async () => {
    const store = await tempStore({ dataDir: oldDataDir('1f9baa86'), now: () => AT });
    const { workspace, id: owner } = await store.people.ensureOwner({ workspace: 'New', owner: 'New' }, AT);
    const key = (await store.apiKeys.find(hashOf('key'), AT))?.id;
    const all = await store.access.open();
    const access = (session: string) => all.find((one) => one.session === session);

    expect(all.map(({ open, watchOnly }) => [open, watchOnly])).toEqual(all.map(() => ['workspace', false]));
    expect(access(OLD_MAKERS.person)).toMatchObject({ workspace, owner, key: undefined });
    expect(access(OLD_MAKERS.key)).toMatchObject({ owner, key });
    expect(access(OLD_MAKERS.preset)).toMatchObject({ owner, key: 'k_preset' });
    expect(access(OLD_MAKERS.nobody)).toMatchObject({ owner, key: undefined });
    expect(await store.verifyTimeline(workspace, OLD_MAKERS.person)).toEqual({ ok: true, rows: 1 });
  });
});
