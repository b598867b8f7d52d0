import { expect, it, onTestFinished } from 'vitest';
import { withBudget } from '@/lib/budget/budget';
import type { ControlEvent } from '@/lib/control/lease';
import { everywhere } from '@/lib/rights/grants';
import type { GuestPrincipal, HumanPrincipal } from '@/server/access/principal';
import { presence } from '@/server/features/presence/presence';
import { privacy } from '@/server/features/privacy/privacy';
import { traces } from '@/server/features/traces/traces';
import { aSession } from '@/server/testing/kernel';

const SINCE = '2026-11-23T08:00:00.000Z';

it('[AU4][BR7] guests of one link see the same, so that one view is made for all of them; those of another link do not', async () => {
  const { session } = await aSession(presence);
  onTestFinished(async () => {
    session.dispose();
    // The rows of who came and went are stored by then.
    await session.timeline.tell({ kind: 'session', said: { code: 'sessionOver' } });
  });
  const guest = (id: string, link: Partial<GuestPrincipal['link']> = {}): GuestPrincipal => ({
    ...{ id, name: `Guest: ${id}`, kind: 'guest', workspace: session.workspace, rev: 0, expiresAt: Infinity },
    ...{ rights: everywhere(['watch', 'drive']), credential: { kind: 'link', id } },
    link: { ...{ id: 'sh_one', session: session.id, tab: undefined, since: SINCE, by: 'Ada' }, ...link },
  });
  const [mia, noor] = [guest('g_mia'), guest('g_noor')];
  const others = [guest('g_tab', { tab: 't1' }), guest('g_late', { since: '2026-11-23T09:00:00.000Z' })];
  for (const principal of [mia, noor, ...others]) session.join({ principal, door: 'ui' });

  expect(session.viewKey(mia)).toBe(session.viewKey(noor));
  expect(session.view(mia)).toEqual(session.view(noor));
  expect(new Set([mia, noor, ...others].map((one) => session.viewKey(one))).size).toBe(3);
});

it('[CO8] after a private hold, until the page is shown again, the view of who held it goes to them alone', async () => {
  const { session, clock } = await aSession(privacy, traces);
  onTestFinished(() => session.dispose());
  const { leases, visibility } = session;
  const [ada, bob] = ['p_ada', 'p_bob'].map((id): HumanPrincipal => {
    const base = { id, person: id, name: id, workspace: session.workspace, rights: everywhere(['watch', 'drive']) };
    return { ...base, kind: 'human', rev: 0, expiresAt: undefined, credential: { kind: 'cookie', id } };
  });
  if (!ada || !bob) throw new Error('Two people were asked for.');
  const by = { id: ada.id, name: ada.name, kind: 'human' } as const;
  const apply = (event: ControlEvent): Promise<void> =>
    withBudget({ timeoutMs: 1_000, clock }, (budget) => leases.apply(budget, event));
  const isShared = (): boolean => session.viewKey(ada) === session.viewKey(bob);
  await leases.opened('t1', undefined, undefined);
  const before = isShared();
  await apply({ type: 'take', tab: 't1', by, scope: 'tab' });
  await apply({ type: 'hide', tab: 't1', by, reason: '', until: 'ended' });
  await apply({ type: 'release', tab: 't1', by, reason: 'released' });

  expect([leases.lease('t1')?.state, visibility.placeFor('t1', bob.id)?.title]).toEqual(['free', '']);
  expect([before, visibility.placeFor('t1', ada.id), isShared()]).toEqual([true, undefined, false]);
});
