import { expect, it } from 'vitest';
import { z } from 'zod';
import { callsOf, signedInPerson } from '@/server/testing/people';
import { useServerFixture } from '@/server/testing/server-fixture';

/** Where the pages of a workspace and of a session may go (GU1). */

const fixture = useServerFixture('<!doctype html><title>Guarded</title>');
const owner = () => callsOf(fixture.server, { headers: fixture.owner });
const hostOf = (url: string): string => new URL(url).host;
const policy = (egress: unknown) => owner()('PATCH', '/workspace', { policy: { egress } });

async function sessionWith(egress?: unknown): Promise<string> {
  const [, body] = await owner()('POST', '/sessions', egress === undefined ? {} : { policy: { egress } });
  return z.object({ id: z.string() }).parse(body).id;
}

const checked = async (id: string, url: string) =>
  (await owner()('GET', `/sessions/${id}/guard/check?url=${encodeURIComponent(url)}`))[1];
const allowed = { allowed: true, rule: null, by: null };
const denied = (rule: string, by: string) => ({ allowed: false, rule, by });

it('[GU1] a session may go to its listed sites only, and says which rule denies the rest', async () => {
  const id = await sessionWith({ kind: 'listed', sites: [hostOf(fixture.site), hostOf(fixture.server.origin)] });
  const there = await fixture.server.act(id, { kind: 'navigate', url: fixture.url });
  const beyond = await fixture.server.act(id, { kind: 'navigate', url: `${fixture.elsewhere}/` });
  const fetched = await fixture.server.act(id, {
    kind: 'evaluate',
    fn: `() => fetch(${JSON.stringify(`${fixture.elsewhere}/`)}, { mode: 'no-cors' }).then(() => 'in', () => 'refused')`,
  });

  expect(there.ok).toBe(true);
  expect(beyond).toMatchObject({ ok: false, error: { code: 'NAV_BLOCKED', details: { rule: 'unlisted' } } });
  // The proxy answers a plain http request with its page of denial, which a page cannot tell from any other answer.
  expect(fetched).toMatchObject({ ok: true });
  expect(await checked(id, fixture.url)).toEqual(allowed);
  expect(await checked(id, `${fixture.elsewhere}/`)).toEqual(denied('unlisted', 'session'));
  expect(await checked(id, 'file:///etc/passwd')).toEqual(denied('scheme', 'server'));
  expect(await checked(id, `${fixture.server.origin}/`)).toEqual(denied('own-port', 'server'));
});

it('[GU1] the policy of a workspace holds at once for all of its sessions, and a session only narrows it', async () => {
  const [plain, narrow] = [await sessionWith(), await sessionWith({ kind: 'local' })];
  const before = await checked(plain, fixture.url);
  const changed = await policy({ kind: 'listed', sites: ['*.example.com', hostOf(fixture.elsewhere)] });
  const listed = [await checked(plain, fixture.url), await checked(narrow, fixture.url)];
  const elsewhere = await checked(plain, `${fixture.elsewhere}/`);
  const refused = await owner()('POST', '/sessions', { url: fixture.url });
  await policy({ kind: 'open' });
  const open = await checked(plain, fixture.url);
  await policy(null);
  const log = await fixture.server.running.services.store.log.list(
    fixture.server.running.services.access.owner.workspace,
    {
      kind: 'workspace',
      limit: 3,
    },
  );

  expect(changed).toMatchObject([200, { policy: { egress: { kind: 'listed' } } }]);
  expect([before, ...listed, elsewhere]).toEqual([
    allowed,
    denied('unlisted', 'workspace'),
    denied('unlisted', 'workspace'),
    allowed,
  ]);
  expect(refused).toMatchObject([403, { error: { code: 'NAV_BLOCKED', details: { rule: 'unlisted' } } }]);
  expect(open).toEqual(denied('private', 'workspace'));
  expect(await checked(plain, fixture.url)).toEqual(allowed);
  expect(log.map(({ text }) => text)).toEqual([1, 2, 3].map(() => 'changed the policies of the workspace: egress'));
});

it('[GU1] a policy that cannot be understood changes nothing', async () => {
  const bad = await policy({ kind: 'listed', sites: ['https://example.com/'] });
  const [status, body] = await owner()('POST', '/sessions', { policy: { egress: { kind: 'listed', sites: [] } } });

  expect([bad, [status, body]]).toMatchObject([
    [400, { error: { code: 'BAD_REQUEST' } }],
    [400, { error: { code: 'BAD_REQUEST' } }],
  ]);
  expect(await owner()('GET', '/workspace')).toMatchObject([200, { policy: { egress: null } }]);
});

it('[GU1][AU3] moderators change it in a running session; others and keys do not, and it is stored', async () => {
  const id = await sessionWith();
  const listed = { kind: 'listed', sites: [hostOf(fixture.elsewhere)] };
  const change = (call: ReturnType<typeof owner>, egress: unknown) =>
    call('PATCH', `/sessions/${id}/policy`, { egress });
  const ada = callsOf(fixture.server, await signedInPerson(fixture.server, 'member', 'Ada'));
  const byMember = await change(ada, null);
  const byKey = await fixture.server.api('PATCH', `/api/v1/sessions/${id}/policy`, { egress: null });
  const changed = await change(owner(), listed);
  const seen = (await ada('GET', `/sessions/${id}/policy`))[1];
  const view = await ada('GET', `/sessions/${id}`);
  const there = await fixture.server.act(id, { kind: 'navigate', url: fixture.url });
  const { store, access } = fixture.server.running.services;
  const stored = await store.sessions.get(access.owner.workspace, id);
  const rows = await owner()('GET', `/sessions/${id}/timeline`);
  const freed = await change(owner(), null);

  expect(byMember).toMatchObject([403, { error: { code: 'FORBIDDEN' } }]);
  expect([byKey.status, byKey.body]).toMatchObject([403, { error: { code: 'FORBIDDEN' } }]);
  expect(changed).toMatchObject([200, { session: id, egress: listed, workspace: null, mayChange: true }]);
  expect(seen).toMatchObject({ egress: listed, mayChange: false });
  expect(view).toMatchObject([200, { narrowed: 'listed' }]);
  expect(there).toMatchObject({ ok: false, error: { code: 'NAV_BLOCKED', details: { rule: 'unlisted' } } });
  expect(stored?.policy).toMatchObject({ egress: listed });
  expect(JSON.stringify(rows)).toContain('limited the pages of the session to listed sites');
  expect(freed).toMatchObject([200, { egress: null }]);
  expect(await checked(id, fixture.url)).toEqual(allowed);
});

it('[GU1] of two moderators who change it at once, the second is told, and nothing is overwritten', async () => {
  const id = await sessionWith();
  const change = (egress: unknown, seen: unknown) => owner()('PATCH', `/sessions/${id}/policy`, { egress, seen });
  const listed = { kind: 'listed', sites: [hostOf(fixture.elsewhere)] };
  const first = await change(listed, null);
  const second = await change({ kind: 'local' }, null);
  const kept = (await owner()('GET', `/sessions/${id}/policy`))[1];

  expect([first, second]).toMatchObject([
    [200, {}],
    [409, { error: { code: 'CONFLICT' } }],
  ]);
  expect(kept).toMatchObject({ egress: listed });
  expect(await change(null, listed)).toMatchObject([200, { egress: null }]);
});

it('[GU1] a key narrows where the pages of a workspace may go, and only people widen it', async () => {
  const [, body] = await owner()('POST', '/keys', {
    ...{ name: 'Narrower', grants: ['watch', 'manage'], sessions: 'workspace' },
  });
  const authorization = `Bearer ${z.object({ key: z.string() }).parse(body).key}`;
  const byKey = async (change: object) => {
    const answer = await fixture.server.api('PATCH', '/api/v1/workspace', change, { authorization });
    return [answer.status, answer.body];
  };
  const egress = (sites: string[]) => ({ policy: { egress: { kind: 'listed', sites } } });
  const narrowed = [await byKey(egress(['*.a.test', 'b.test'])), await byKey(egress(['x.a.test']))];
  const widened = [
    await byKey(egress(['x.a.test', 'b.test'])),
    await byKey({ policy: { egress: { kind: 'local' } } }),
    await byKey({ policy: { egress: null } }),
  ];
  const renamed = await byKey({ name: 'Home' });
  const kept = await policy(undefined);
  const freed = await policy(null);

  expect(narrowed).toMatchObject([
    [200, {}],
    [200, {}],
  ]);
  expect(widened).toMatchObject(widened.map(() => [403, { error: { code: 'FORBIDDEN' } }]));
  expect([renamed, kept, freed]).toMatchObject([
    [200, {}],
    [200, egress(['x.a.test'])],
    [200, { policy: { egress: null } }],
  ]);
});
