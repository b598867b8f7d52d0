import { describe, expect, it } from 'vitest';
import { tempSession, tempStore } from '@/server/testing/temp-store';

const agent = { id: 'k_1', name: 'Agent', kind: 'agent' } as const;
const person = { id: 'p_1', name: 'Owner', kind: 'human' } as const;
const now = new Date('2026-01-01T00:00:00.000Z');

describe('rows', () => {
  it('[BR5] a browser is found again with its process; an ended one is not listed', async () => {
    const store = await tempStore();
    const { workspace } = await tempSession(store);
    const [browser] = await store.browsers.listOpen(workspace);
    expect(browser).toMatchObject({
      origin: 'launched',
      pid: 4_000_000,
      processStarted: '77',
      port: 1,
      userDataDir: 'profile',
      state: 'live',
    });
    await store.browsers.update(workspace, browser?.id ?? '', { pid: null, state: 'ended' }, now);
    expect(await store.browsers.get(workspace, browser?.id ?? '')).toMatchObject({
      pid: null,
      port: 1,
      state: 'ended',
    });
    expect(await store.browsers.listOpen(workspace)).toEqual([]);
  });

  it('[SE1] a session is read back whole; changes touch only the named fields', async () => {
    const store = await tempStore();
    const { workspace, session } = await tempSession(store);
    const before = await store.sessions.get(workspace, session);
    await store.sessions.update(workspace, session, { viewport: { width: 800, height: 600 } });
    await store.sessions.update(workspace, session, {});
    expect(await store.sessions.get(workspace, session)).toEqual({ ...before, viewport: { width: 800, height: 600 } });
    await store.sessions.update(workspace, session, { state: 'ended', endedAt: now.toISOString() });
    expect(await store.sessions.listOpen(workspace)).toEqual([]);
  });

  it('[SN4] the last ref of a tab and the ids of closed tabs survive', async () => {
    const store = await tempStore();
    const place = await tempSession(store);
    for (let number = 1; number <= 11; number += 1) {
      await store.tabs.add({
        ...place,
        id: `t${number}`,
        targetId: `T${number}`,
        label: null,
        opener: null,
        url: 'about:blank',
        lastRef: 0,
        openedAt: now.toISOString(),
        closedAt: null,
      });
    }
    await store.tabs.update(place.workspace, place.session, 't11', { lastRef: 42, closedAt: now.toISOString() });
    const tabs = await store.tabs.list(place.workspace, place.session);
    expect(tabs.map((tab) => tab.id)).toEqual(['t1', 't2', 't3', 't4', 't5', 't6', 't7', 't8', 't9', 't10', 't11']);
    expect(tabs.at(-1)).toMatchObject({ lastRef: 42, closedAt: now.toISOString(), url: 'about:blank' });
  });

  it('[CO1] the epoch in a lease row never decreases', async () => {
    const store = await tempStore();
    const place = { ...(await tempSession(store)), tab: 't1' };
    const taken = {
      ...place,
      epoch: 7,
      holder: person,
      takenFrom: agent,
      reason: 'taken',
      privateHold: { reason: 'a code', until: 'field' },
    } as const;
    expect(await store.leases.save(taken, now)).toBe(true);
    expect(
      await store.leases.save(
        { ...place, epoch: 6, holder: agent, takenFrom: null, reason: 'late', privateHold: null },
        now,
      ),
    ).toBe(false);
    expect(await store.leases.list(place.workspace, place.session)).toEqual([taken]);
  });

  it('[T6] no row of a workspace can be read or changed from another', async () => {
    const store = await tempStore();
    const place = await tempSession(store);
    const [browser] = await store.browsers.listOpen(place.workspace);
    const lease = { ...place, tab: 't1', epoch: 1, holder: agent, takenFrom: null, reason: 'first', privateHold: null };
    await store.leases.save(lease, now);
    await store.sessions.update('w_other', place.session, { name: 'stolen' });
    await store.browsers.update('w_other', browser?.id ?? '', { state: 'ended' }, now);
    expect(await store.sessions.get('w_other', place.session)).toBeUndefined();
    expect(await store.browsers.get('w_other', browser?.id ?? '')).toBeUndefined();
    expect(await store.tabs.list('w_other', place.session)).toEqual([]);
    expect(await store.leases.list('w_other', place.session)).toEqual([]);
    expect(await store.sessions.get(place.workspace, place.session)).toMatchObject({ name: 'Test' });
    expect(await store.browsers.get(place.workspace, browser?.id ?? '')).toMatchObject({ state: 'live' });
  });
});
