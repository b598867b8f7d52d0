import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { clickEvent } from '@/server/testing/events';
import { quietLogger, tempDir, tempSession, tempStore } from '@/server/testing/temp-store';
import { SessionLedger } from '@/server/session/ledger';
import { ActionPictureStore } from './action-picture-store';

const KILOBYTE = 1_024;

async function aStore(most: number) {
  const store = await tempStore();
  const { workspace, session } = await tempSession(store);
  const ledger = new SessionLedger(store, workspace, session, quietLogger);
  const root = tempDir();
  const open = () => new ActionPictureStore(root, ledger, most);
  /** Adds a row, and a picture of this size for it. */
  const keep = async (album: ActionPictureStore, id: string, bytes: number) => {
    const row = await store.timeline.append(workspace, session, clickEvent(id));
    return album.keep(row, {
      data: new Uint8Array(bytes).fill(row.seq),
      at: '2026-01-01T00:00:00.000Z',
      width: 640,
      height: 360,
    });
  };
  const rows = async () =>
    (await ledger.events({ limit: 50 })).filter(({ picture }) => picture !== undefined).map(({ id }) => id);
  return { open, keep, rows, files: () => readdirSync(path.join(root, session)).length };
}

it('[TL2] at the bound the oldest pictures are removed: row, file and answer; a picture larger than the bound is not kept', async () => {
  const { open, keep, rows, files } = await aStore(3 * KILOBYTE);
  const store = open();
  for (const id of ['a', 'b', 'c']) await keep(store, id, KILOBYTE);
  const full = await rows();
  await keep(store, 'd', 2 * KILOBYTE);
  const tooLarge = await keep(store, 'e', 4 * KILOBYTE);

  expect([full, await rows(), files(), tooLarge]).toEqual([['a', 'b', 'c'], ['c', 'd'], 2, undefined]);
  await expect(store.read('a')).rejects.toMatchObject({
    code: 'NOT_FOUND',
    message: expect.stringContaining('made room for newer ones'),
  });
  expect((await store.read('d')).byteLength).toBe(2 * KILOBYTE);
});

it('[TL2] the bound holds over a restart of the server', async () => {
  const { open, keep, rows } = await aStore(3 * KILOBYTE);
  const before = open();
  for (const id of ['a', 'b', 'c']) await keep(before, id, KILOBYTE);
  before.close();
  await keep(open(), 'd', KILOBYTE);
  expect(await rows()).toEqual(['b', 'c', 'd']);
});
