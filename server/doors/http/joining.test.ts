import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { PageClient } from '@/server/testing/page-client';
import { signedInPerson } from '@/server/testing/people';
import { sharedTestServer, type TestServer } from '@/server/testing/server';

/** How a person comes in by an invitation (AU2). */
let server: TestServer;
beforeAll(async () => {
  server = await sharedTestServer();
});
afterAll(() => server.close());

const page = (): PageClient => new PageClient(server.origin);
const failure = z.object({ error: z.object({ code: z.string(), message: z.string(), hint: z.string() }) });
let people = 0;
const address = (): string => `joiner-${(people += 1)}@example.com`;
const PASSWORD = 'correct horse battery';

async function invited(wanted: { role: string; email?: string }): Promise<string> {
  const { body } = await server.api('POST', '/api/v1/invitations', wanted);
  return new URL(z.object({ url: z.string() }).parse(body).url).hash.slice(1);
}

/** The code of a refusal, which says what to do. */
function codeOf({ status, body }: { status: number; body: unknown }): string {
  if (status === 200) return 'done';
  const { code, message, hint } = failure.parse(body).error;
  expect([message.length > 10, hint.length > 10]).toEqual([true, true]);
  return code;
}

describe('a person with an invitation', () => {
  it('[AU2] reads what it offers, makes an account, is signed in at once, and later by the password', async () => {
    const [token, email] = [await invited({ role: 'member' }), address()];
    const browser = page();
    const { workspace } = server.running.services.access.owner;
    expect(await browser.send('POST', '/invitations/open', { token })).toEqual({
      status: 200,
      body: {
        ...{ role: 'member', workspace: 'Home', workspaceId: workspace },
        ...{ email: null, expiresAt: expect.any(String) },
      },
    });
    const joined = await browser.send('POST', '/invitations/accept', { token, name: 'Lin', email, password: PASSWORD });
    expect(joined).toEqual({ status: 200, body: { signedIn: true, workspace } });
    expect((await browser.send('GET', '/sessions')).status).toBe(200);
    expect((await browser.send('GET', '/invitations')).status).toBe(403);
    expect((await page().send('POST', '/sign-in/password', { email, password: PASSWORD })).body).toEqual({
      signedIn: true,
    });
  });

  it('[AU2] whose invitation names their address need not repeat it, and cannot use another', async () => {
    const email = address();
    const token = await invited({ role: 'viewer', email });
    const other = { token, name: 'Eve', email: address(), password: PASSWORD };
    expect(codeOf(await page().send('POST', '/invitations/accept', other))).toBe('FORBIDDEN');
    expect(codeOf(await page().send('POST', '/invitations/accept', { token, name: 'Lin', password: PASSWORD }))).toBe(
      'done',
    );
    expect(codeOf(await page().send('POST', '/sign-in/password', { email, password: PASSWORD }))).toBe('done');
  });

  it('[AU2] who is signed in joins with that account; a member, a stranger and a key do not', async () => {
    const { store } = server.running.services;
    const guest = await signedInPerson(server, 'viewer', 'Guest');
    const other = await store.people.addWorkspace('Other', new Date());
    const boss = await store.people.add({ workspace: other, name: 'Boss', role: 'owner' }, new Date());
    const rights = { workspace: new Set<never>(), sessions: undefined, named: new Map<string, never>() };
    const by = { kind: 'human', id: boss.id, name: 'Boss', person: boss.id, workspace: other, rights } as const;
    const { invitations } = server.running.services.access;
    const made = await invitations.create({ ...by, expiresAt: undefined }, { role: 'member' });
    const token = new URL(made.url).hash.slice(1);
    const accept = (headers: Record<string, string>) => page().send('POST', '/invitations/accept', { token }, headers);
    expect(codeOf(await accept({}))).toBe('UNAUTHENTICATED');
    const { key } = z.object({ key: z.string() }).parse((await server.api('POST', '/api/v1/keys', { name: 'k' })).body);
    expect(codeOf(await accept({ authorization: `Bearer ${key}` }))).toBe('FORBIDDEN');
    expect(await accept(guest.headers)).toEqual({ status: 200, body: { signedIn: true, workspace: other } });
    expect((await store.people.get(other, guest.id))?.role).toBe('member');
    const own = { token: await invited({ role: 'admin' }) };
    expect(codeOf(await page().send('POST', '/invitations/accept', own, guest.headers))).toBe('CONFLICT');
  });

  it('[AU2] of two browsers that use it at the same moment one gets in, and the other leaves nothing', async () => {
    const token = await invited({ role: 'viewer' });
    const answers = await Promise.all(
      [address(), address(), address()].map(async (email) => ({
        email,
        code: codeOf(
          await page().send('POST', '/invitations/accept', { token, name: 'Lin', email, password: PASSWORD }),
        ),
      })),
    );
    expect(answers.map(({ code }) => code).toSorted()).toEqual(['NOT_FOUND', 'NOT_FOUND', 'done']);
    for (const { email, code } of answers)
      expect((await server.running.services.store.people.byEmail(email)) !== undefined).toBe(code === 'done');
  });

  it('[AU2] used, unknown, malformed and hostile ones are refused alike, and cost no hash', async () => {
    const used = await invited({ role: 'viewer' });
    await page().send('POST', '/invitations/accept', { token: used, name: 'Lin', email: address() });
    const { accounts } = server.running.services.access;
    const before = accounts.hashes;
    for (const token of [used, 'A'.repeat(43), 'x', '<script>', '\u202e', '../../etc/passwd']) {
      const newcomer = { token, name: 'Lin', email: address(), password: PASSWORD };
      expect(codeOf(await page().send('POST', '/invitations/accept', newcomer))).toBe('NOT_FOUND');
      expect(codeOf(await page().send('POST', '/invitations/open', { token }))).toBe('NOT_FOUND');
    }
    for (const token of ['', 'x'.repeat(10_000), 7, null])
      expect(codeOf(await page().send('POST', '/invitations/open', { token }))).toBe('BAD_REQUEST');
    expect(accounts.hashes).toBe(before);
  });

  it('[AU2][T15] an address that is taken or not the invited one costs no hash, and one browser address gets thirty', async () => {
    const [taken, email] = [address(), address()];
    const accept = (newcomer: object) =>
      page().send('POST', '/invitations/accept', { name: 'Lin', password: PASSWORD, ...newcomer });
    expect(codeOf(await accept({ token: await invited({ role: 'viewer' }), email: taken }))).toBe('done');
    const [open, named] = [await invited({ role: 'viewer' }), await invited({ role: 'viewer', email })];
    const { accounts, limits } = server.running.services.access;
    const before = accounts.hashes;
    expect(codeOf(await accept({ token: open, email: taken }))).toBe('CONFLICT');
    expect(codeOf(await accept({ token: named, email: address() }))).toBe('FORBIDDEN');
    expect(accounts.hashes).toBe(before);
    for (let count = 0; count < 30; count += 1) await limits.newPasswordsPerAddress.take('127.0.0.1');
    expect(codeOf(await accept({ token: open, email: address() }))).toBe('RATE_LIMITED');
    expect(codeOf(await accept({ token: open, email: taken }))).toBe('RATE_LIMITED');
    expect(accounts.hashes).toBe(before);
    await limits.newPasswordsPerAddress.reset('127.0.0.1');
    expect(codeOf(await accept({ token: open, email: address() }))).toBe('done');
  });

  it('[AU2] names and addresses of HTML, bidi or 10 000 characters are kept harmless or refused with the field', async () => {
    const token = await invited({ role: 'viewer' });
    const wrong: readonly Record<string, unknown>[] = [
      { name: 'x'.repeat(10_000) },
      { name: '\u202e\u200b' },
      { name: 'Owner' },
      { name: 'The Ｏwner' },
      { email: '<b>@example.com' },
      { email: `${'x'.repeat(10_000)}@example.com` },
      { email: 'lin@example.com\r\nBcc: eve@example.com' },
      { email: 'lin@exa\u202emple.com' },
      { password: 'short' },
      { password: 'x'.repeat(10_000) },
      { email: undefined },
      { role: 'owner' },
    ];
    for (const change of wrong) {
      const newcomer = { token, name: 'Lin', email: address(), password: PASSWORD, ...change };
      const answer = await page().send('POST', '/invitations/accept', newcomer);
      expect(codeOf(answer)).toBe('BAD_REQUEST');
      expect(JSON.stringify(answer.body)).toContain(Object.keys(change)[0]);
    }
    const email = address();
    const markup = { token, name: '<img src=x> \u202eLin\u0000', email, password: PASSWORD };
    expect(codeOf(await page().send('POST', '/invitations/accept', markup))).toBe('done');
    expect((await server.running.services.store.people.byEmail(email))?.name).toBe('<img src=x> Lin');
  });

  it('[AU2] [AU6] a page of another site cannot use it for the person who is signed in', async () => {
    const guest = await signedInPerson(server, 'viewer', 'Guest');
    const token = await invited({ role: 'admin' });
    const headers = { cookie: guest.headers.cookie, origin: 'https://evil.example' };
    expect(codeOf(await page().send('POST', '/invitations/accept', { token }, headers))).toBe('FORBIDDEN');
    expect(codeOf(await page().send('POST', '/invitations/open', { token }))).toBe('done');
  });
});
