import { randomUUID } from 'node:crypto';
import type { ParsedMail } from 'mailparser';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import type { Role } from '@/lib/rights/roles';
import { startMailServer, type MailServer } from '@/server/testing/mail-server';
import { PageClient } from '@/server/testing/page-client';
import { signedInPerson } from '@/server/testing/people';
import { startTestServer, type TestServer } from '@/server/testing/server';

/** A mail server that takes mails, until `refuses` says what it answers to recipients. */
let mails: MailServer;
let refuses: string | undefined;
let server: TestServer;

beforeAll(async () => {
  mails = await startMailServer({
    onRcptTo: (_address, _session, done) =>
      done(refuses === undefined ? null : Object.assign(new Error(refuses), { responseCode: 550 })),
  });
  const env = { SMTP_URL: `smtp://127.0.0.1:${mails.port}`, MAIL_FROM: 'Wheel <wheel@example.com>' };
  server = await startTestServer({ env });
});
afterEach(() => {
  refuses = undefined;
  mails.got.length = 0;
});
afterAll(async () => {
  await server.close();
  mails.close();
});

const made = z.object({ id: z.string(), url: z.string(), mail: z.string() });

async function stateOf(id: string): Promise<unknown> {
  const { body } = await server.api('GET', '/api/v1/invitations');
  return z
    .array(made.omit({ url: true }))
    .parse(body)
    .find((one) => one.id === id)?.mail;
}

describe('links by mail', () => {
  it('[AU2] an invitation for an address is sent there, with who invites whom to what', async () => {
    const admin = await signedInPerson(server, 'admin', 'Ad\u202ea\nBcc: eve@example.com');
    const response = await fetch(`${server.origin}/api/v1/invitations`, {
      method: 'POST',
      headers: { ...admin.headers, 'content-type': 'application/json' },
      body: JSON.stringify({ role: 'member', email: 'Lin@Example.com' }),
    });
    const { id, url, mail } = made.parse(await response.json());
    expect([response.status, mail]).toEqual([201, 'sending']);
    await expect.poll(() => stateOf(id), { timeout: 20_000 }).toBe('sent');
    expect(mails.got.map(({ to, bcc, subject }) => [[to].flat()[0]?.text, bcc, subject])).toEqual([
      ['lin@example.com', undefined, 'Invitation to the Wheelhouse workspace “Home”'],
    ]);
    expect(mails.got[0]?.text).toContain('“Ada Bcc: eve@example.com” invites you to the workspace “Home”');
    expect(mails.got[0]?.text).toContain(`\n${url}\n`);
  });

  it('[AU2] one without an address is sent nowhere', async () => {
    const { body } = await server.api('POST', '/api/v1/invitations', { role: 'viewer' });
    expect(made.parse(body).mail).toBe('none');
  });

  it('[AU2][AU3] a mail that is refused makes no difference to the link, and the owner of the server is told, no admin', async () => {
    refuses = 'No <b>such</b>\u202e box';
    const { status, body } = await server.api('POST', '/api/v1/invitations', {
      role: 'viewer',
      email: 'x@example.com',
    });
    const { id, url } = made.parse(body);
    expect([status, url]).toEqual([201, expect.stringContaining('/invitation#')]);
    await expect.poll(() => stateOf(id), { timeout: 20_000 }).toBe('failed');
    const ready = JSON.stringify((await server.api('GET', '/readyz')).body);
    expect(ready).toMatch(/Mails could not be sent by 127\.0\.0\.1 \(SMTP_URL\): .*No <b>such<\/b> box\. Links are/);
    const told = expect.arrayContaining([{ code: 'mailsNotSent', host: '127.0.0.1', reason: expect.any(String) }]);
    expect((await server.api('GET', '/api/v1/server')).body).toMatchObject({ warningsSaid: told });
    const admin = await signedInPerson(server, 'admin');
    const other = JSON.stringify((await page().send('GET', '/../../readyz', undefined, admin.headers)).body);
    expect(other).toContain('timelines');
    expect(other).not.toContain('Mails could');
    const warnings = server.running.services.warnings.map(({ text }) => text);
    expect(JSON.parse(ready)).toMatchObject({ warnings: expect.arrayContaining([...warnings]) });
    expect(warnings.filter((text) => other.includes(text))).toEqual([]);
  });
});

const PASSWORD = 'correct horse battery';
const failure = z.object({ error: z.object({ code: z.string(), hint: z.string() }) });
const codeOf = ({ status, body }: { status: number; body: unknown }): string =>
  status < 300 ? 'done' : failure.parse(body).error.code;
const page = (): PageClient => new PageClient(server.origin);

/** A member with an address, who is signed in. */
async function member(role: Role, email?: string) {
  const person = await signedInPerson(server, role);
  const { store } = server.running.services;
  if (email === undefined) return person;
  await store.people.setEmail(person.id, email, new Date());
  // So that a second try can have the address.
  onTestFinished(() => store.people.setEmail(person.id, `${person.id}@gone.example`, new Date()));
  return person;
}

/** Mails to an address. */
const mailsTo = (email: string): ParsedMail[] => mails.got.filter(({ to }) => [to].flat()[0]?.text === email);
const tokenIn = (mail: ParsedMail | undefined): string => /new-password#([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? '';
const link = (headers: Record<string, string>, id: string) =>
  page().send('POST', `/members/${id}/password-link`, undefined, headers);
const given = z.object({ url: z.string(), mail: z.string() });

describe('a forgotten password', () => {
  it('[AU2] is chosen anew by a link that was sent to the address; all sign-ins of that person end', async () => {
    const email = 'grace@example.com';
    const grace = await member('member', email);
    expect(await page().send('POST', '/sign-in/forgotten', { email: 'Grace@Example.com' })).toEqual({
      status: 200,
      body: { mail: true },
    });
    await expect.poll(() => mailsTo(email).length, { timeout: 20_000 }).toBe(1);
    const token = tokenIn(mailsTo(email)[0]);
    expect(codeOf(await page().send('GET', '/sessions', undefined, grace.headers))).toBe('done');
    const chosen = await page().send('POST', '/sign-in/new-password', { token, password: PASSWORD });
    expect(chosen).toEqual({ status: 200, body: { changed: true } });
    expect(codeOf(await page().send('GET', '/sessions', undefined, grace.headers))).toBe('UNAUTHENTICATED');
    expect(codeOf(await page().send('POST', '/sign-in/password', { email, password: PASSWORD }))).toBe('done');
    expect(codeOf(await page().send('POST', '/sign-in/new-password', { token, password: PASSWORD }))).toBe('NOT_FOUND');
  });

  it('[AU2] an unknown address is answered alike, and gets no mail; one that has an account gets three an hour', async () => {
    const email = `alan-${randomUUID()}@example.com`;
    await member('member', email);
    const answers = [];
    for (const tried of ['nobody@example.com', email, email, email, email])
      answers.push(await page().send('POST', '/sign-in/forgotten', { email: tried }));
    expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toEqual(
      new Set([JSON.stringify({ status: 200, body: { mail: true } })]),
    );
    await expect.poll(() => mailsTo(email).length, { timeout: 20_000 }).toBe(3);
    expect(mailsTo('nobody@example.com')).toEqual([]);
  });

  it('[AU2] links that are used, unknown or malformed are refused alike, without a hash; the newest and its use end all', async () => {
    const barbara = await member('member', 'barbara@example.com');
    const owner = { cookie: await server.signIn(), origin: server.origin };
    const links = [];
    for (let count = 0; count < 2; count += 1)
      links.push(new URL(given.parse((await link(owner, barbara.id)).body).url).hash.slice(1));
    const [first = '', second = ''] = links;
    const use = (token: string) => page().send('POST', '/sign-in/new-password', { token, password: PASSWORD });
    expect(codeOf(await use(second))).toBe('done');
    const before = server.running.services.access.accounts.hashes;
    for (const token of [first, second, 'A'.repeat(43), '<b>', '\u202e'])
      expect(codeOf(await use(token))).toBe('NOT_FOUND');
    expect(codeOf(await use('x'.repeat(10_000)))).toBe('BAD_REQUEST');
    expect(server.running.services.access.accounts.hashes).toBe(before);
  });

  it('[AU2] a new address and a new password end the links of before, wherever they were sent', async () => {
    const ruth = await member('member', 'ruth@example.com');
    const owner = { cookie: await server.signIn(), origin: server.origin };
    const { access, store } = server.running.services;
    const newest = async () => new URL(given.parse((await link(owner, ruth.id)).body).url).hash.slice(1);
    const use = (token: string) => page().send('POST', '/sign-in/new-password', { token, password: 'of a thief' });
    await access.accounts.setPassword(ruth.id, PASSWORD);
    const ofAddress = await newest();
    const moved = { email: 'ruth2@example.com', currentPassword: PASSWORD };
    expect(codeOf(await page().send('PATCH', '/account', moved, ruth.headers))).toBe('done');
    expect(codeOf(await use(ofAddress))).toBe('NOT_FOUND');
    const ofPassword = await newest();
    const changed = { password: 'another one', currentPassword: PASSWORD };
    expect(codeOf(await page().send('PUT', '/account/password', changed, ruth.headers))).toBe('done');
    expect(codeOf(await use(ofPassword))).toBe('NOT_FOUND');
    expect(await store.signIns.list(ruth.id, new Date())).toHaveLength(1);
  });

  it('[AU2] a link that signs in chooses no password, and one for a password signs nobody in', async () => {
    const { access } = server.running.services;
    const signIn = new URL(await access.authentication.issueLink()).searchParams.get('token') ?? '';
    const answer = await page().send('POST', '/sign-in/new-password', { token: signIn, password: PASSWORD });
    expect(codeOf(answer)).toBe('NOT_FOUND');
    const grace = await member('viewer', 'signs-in@example.com');
    const owner = { cookie: await server.signIn(), origin: server.origin };
    const token = new URL(given.parse((await link(owner, grace.id)).body).url).hash.slice(1);
    const browser = page();
    await browser.open(`/sign-in?token=${token}`);
    expect(browser.cookieNames).toEqual([]);
  });

  it('[AU2] admins make links for those whose role they may give, owners for all but the owner of the server', async () => {
    const { store, access } = server.running.services;
    const [admin, owner] = [await member('admin'), await member('owner', 'owner2@example.com')];
    const [viewer, peer] = [await member('viewer', 'v@example.com'), await member('admin', 'a2@example.com')];
    const abroad = await member('viewer', 'abroad@example.com');
    const other = await store.people.addWorkspace('Other', new Date());
    await store.people.setRole(other, abroad.id, 'owner', new Date());
    await store.people.setEmail(access.owner.id, 'server@example.com', new Date());
    const may = async (by: { headers: Record<string, string> }, id: string) => codeOf(await link(by.headers, id));
    expect(await may(admin, viewer.id)).toBe('done');
    expect(await may(admin, peer.id)).toBe('done');
    expect(await may(admin, owner.id)).toBe('FORBIDDEN');
    expect(await may(admin, abroad.id)).toBe('FORBIDDEN');
    expect(await may(admin, admin.id)).toBe('CONFLICT');
    expect(await may(peer, peer.id)).toBe('FORBIDDEN');
    expect(await may(owner, peer.id)).toBe('done');
    expect(await may(owner, access.owner.id)).toBe('FORBIDDEN');
    expect(await may(viewer, peer.id)).toBe('FORBIDDEN');
    expect(await may(admin, 'p_none')).toBe('NOT_FOUND');
    const log = await store.log.list(access.owner.workspace, { limit: 50 });
    expect(log.filter(({ said }) => said?.code === 'passwordLinkMade').length).toBeGreaterThanOrEqual(3);
  });

  it('[AU2] a link that an admin made works only while they may still make it', async () => {
    const { store, access } = server.running.services;
    const { workspace } = access.owner;
    const [admin, other] = [await member('admin'), await member('admin')];
    const [viewer, riser] = [await member('viewer', 'v3@example.com'), await member('member', 'riser@example.com')];
    const made = async (by: { headers: Record<string, string> }, id: string) =>
      new URL(given.parse((await link(by.headers, id)).body).url).hash.slice(1);
    const use = async (token: string) =>
      codeOf(await page().send('POST', '/sign-in/new-password', { token, password: PASSWORD }));
    const [ofDemoted, ofOther] = [await made(admin, viewer.id), await made(other, riser.id)];
    await store.people.setRole(workspace, admin.id, 'member', new Date());
    await store.people.setRole(workspace, riser.id, 'owner', new Date());
    expect(await use(ofDemoted)).toBe('NOT_FOUND');
    expect(await use(ofOther)).toBe('NOT_FOUND');
    expect(await store.accounts.passwordOf(riser.id)).toBeUndefined();
    await store.people.setRole(workspace, riser.id, 'member', new Date());
    expect(await use(ofOther)).toBe('done');
  });
});
