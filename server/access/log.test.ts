import { describe, expect, it } from 'vitest';
import { FakeClock } from '@/lib/budget/fake-clock';
import type { LogRow } from '@/lib/people/log-row';
import type { NewLogRow } from '@/server/store/workspace-log';
import { tempStore } from '@/server/testing/temp-store';
import { logEntry, serverEntry, WorkspaceLog } from './log';

const MINUTE_MS = 60_000;

async function fixture() {
  const store = await tempStore();
  const { workspace } = await store.people.ensureOwner({ workspace: 'Home', owner: 'Owner' }, new Date());
  const clock = new FakeClock();
  let refuses = 0;
  const change: typeof store.change = (work) => {
    refuses -= 1;
    return refuses >= 0 ? Promise.reject(new Error('busy')) : store.change(work);
  };
  const log = new WorkspaceLog({ change }, clock);
  const wrongKey = (address: string): void =>
    log.count(workspace, address, (times) => serverEntry({ code: 'keyRefused', times }, { address }));
  /** The rows when there are so many. */
  const rows = async (most: number): Promise<string[]> => {
    await expect.poll(async () => (await store.log.list(workspace, { limit: 1_000 })).length).toBe(most);
    return (await store.log.list(workspace, { limit: 1_000 })).map(shown);
  };
  return { store, workspace, clock, log, wrongKey, rows, refuse: (times: number) => (refuses = times) };
}

const shown = ({ address, said }: LogRow): string => `${address} ${said && 'times' in said ? said.times : ''}`;

describe('the log of a workspace', () => {
  it('[TL1] counts refusals: the first of a caller is a row at once, the others one row a minute', async () => {
    const { clock, wrongKey, rows } = await fixture();
    for (let n = 0; n < 1_000; n += 1) wrongKey('203.0.113.1');
    wrongKey('203.0.113.2');
    expect(await rows(2)).toEqual(['203.0.113.1 1', '203.0.113.2 1']);
    clock.advance(MINUTE_MS);
    expect(await rows(3)).toContain('203.0.113.1 999');
    clock.advance(MINUTE_MS);
    wrongKey('203.0.113.1');
    expect(await rows(4)).toEqual(['203.0.113.1 1', '203.0.113.2 1', '203.0.113.1 999', '203.0.113.1 1']);
    clock.advance(2 * MINUTE_MS);
    expect(clock.waiting).toBe(0);
  });

  it('[TL1][T15] the refusals of very many callers are counted together, and none is lost', async () => {
    const { clock, wrongKey, rows } = await fixture();
    for (let n = 0; n < 1_000; n += 1) wrongKey(`203.0.113.${n}`);
    clock.advance(MINUTE_MS);
    const all = await rows(102);
    expect(all.reduce((sum, row) => sum + Number(row.split(' ')[1]), 0)).toBe(1_000);
  });

  it('[TL1] refusals that the store did not take are counted on, and the end of the server writes what is left', async () => {
    const { clock, log, wrongKey, rows, refuse } = await fixture();
    refuse(1);
    wrongKey('203.0.113.1');
    wrongKey('203.0.113.1');
    await new Promise(setImmediate);
    clock.advance(MINUTE_MS);
    expect(await rows(1)).toEqual(['203.0.113.1 2']);
    wrongKey('203.0.113.1');
    await log.close();
    expect(await rows(2)).toEqual(['203.0.113.1 2', '203.0.113.1 1']);
    expect(clock.waiting).toBe(0);
  });

  it('[GU3] a row has the names of people and things cleaned, and says who, by which door, and how it ended', async () => {
    const { store, workspace, log } = await fixture();
    const ada = { id: 'p_1', name: '=Ada\u202e\n', kind: 'human', address: '203.0.113.1' } as const;
    const key = { id: 'k_1', name: 'bot\u0000' };
    const rows: NewLogRow[] = [
      logEntry(ada, { code: 'keyRevoked', name: 'bot\u0000' }, key),
      logEntry({ ...ada, kind: 'agent' }, { code: 'refused', what: 'keys', times: 1 }),
    ];
    for (const row of rows) await log.write(workspace, row);

    expect(await store.log.list(workspace, { limit: 2 })).toMatchObject([
      {
        ...{ kind: 'key', actor: { id: 'p_1', name: '=Ada', kind: 'human' }, door: 'ui', outcome: 'ok' },
        ...{ text: 'revoked the key “bot”', about: { id: 'k_1', name: 'bot' }, address: '203.0.113.1' },
      },
      { kind: 'refusal', actor: { kind: 'agent' }, door: 'http', text: 'was refused keys (×1)', outcome: 'failed' },
    ]);
  });
});
