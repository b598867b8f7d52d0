import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { verifyLines } from '@/bin/verify/walk.mjs';
import { logRowSchema, type LogRow } from '@/lib/people/log-row';
import { ask, connectClient } from '@/server/testing/socket-client';
import { signedInPerson, type TestPerson } from '@/server/testing/people';
import { sharedTestServer, type TestServer } from '@/server/testing/server';

let server: TestServer;
let tries = 0;

beforeAll(async () => {
  server = await sharedTestServer();
});

afterAll(() => server.close());

async function call(
  by: { readonly headers: Readonly<Record<string, string>> },
  method: string,
  route: string,
  body?: object,
) {
  const type = body && { 'content-type': 'application/json' };
  const init = { method, headers: { ...by.headers, ...type }, ...(body && { body: JSON.stringify(body) }) };
  const response = await fetch(`${server.origin}/api/v1${route}`, init);
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
}

const rowsOf = async (by: TestPerson, query = ''): Promise<LogRow[]> =>
  z.array(logRowSchema).parse(JSON.parse((await call(by, 'GET', `/log${query}`)).text));

/** An admin who has made this many invitations. */
async function inviter(name: string, times: number): Promise<TestPerson> {
  const admin = await signedInPerson(server, 'admin', name);
  for (let n = 1; n <= times; n += 1)
    await call(admin, 'POST', '/invitations', { role: 'viewer', email: `no-${n}-${admin.id.slice(2, 8)}@example.com` });
  return admin;
}

describe('the log of a workspace', () => {
  it('[TL1] is read by admins: by kind, by actor, by words, and page by page', async () => {
    const admin = await inviter('Ada', 3);
    const own = `actor=${admin.id}`;
    const rows = await rowsOf(admin, `?${own}`);
    expect(rows.map(({ kind, said }) => [kind, said?.code])).toEqual(
      Array.from({ length: 3 }, () => ['invitation', 'invitationMadeFor']),
    );
    expect(rows[0]).toMatchObject({ actor: { id: admin.id, name: 'Ada' }, door: 'ui', address: '127.0.0.1' });
    const [first, second, third] = rows.map(({ seq }) => seq);
    const seen = async (query: string): Promise<number[]> => (await rowsOf(admin, query)).map(({ seq }) => seq);
    expect([
      await seen(`?${own}&q=NO-2`),
      await seen(`?${own}&kind=key`),
      await seen(`?${own}&limit=1`),
      await seen(`?${own}&before=${third}&limit=1`),
      await seen(`?${own}&since=${first}&limit=1`),
      await seen(`?${own}&since=${first}&q=example&limit=1`),
    ]).toEqual([[second], [], [third], [second], [second], [second]]);
  });

  it('[AU3] is closed to members and viewers, and to keys without `manage`', async () => {
    const admin = await signedInPerson(server, 'admin');
    const key = z
      .object({ key: z.string() })
      .parse(
        JSON.parse(
          (await call(admin, 'POST', '/keys', { name: 'reader', grants: ['watch', 'keys'], sessions: 'workspace' }))
            .text,
        ),
      );
    const callers = [
      await signedInPerson(server, 'viewer'),
      await signedInPerson(server, 'member'),
      { headers: { authorization: `Bearer ${key.key}` } },
    ];
    const answers = await Promise.all(
      callers.flatMap((by) => ['', '?format=csv', '?format=jsonl'].map((query) => call(by, 'GET', `/log${query}`))),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([403]));
  });

  it('[TL1] has who signed in, in what way and from where, and what was refused', async () => {
    const { access, store } = server.running.services;
    // Refusals of one address are one row for a while.
    const address = `203.0.113.${(tries += 1)}`;
    const [link, admin] = [await access.authentication.issueLink(), await signedInPerson(server, 'admin')];
    const [{ seq: before } = { seq: 0 }] = await store.log.list(admin.workspace, { limit: 1 });
    await fetch(link, { redirect: 'manual' });
    const used = new URL(link).searchParams.get('token') ?? '';
    const again = access.authentication.redeem(used, { headers: {}, address });
    await expect(again).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    const person = await signedInPerson(server, 'member', 'Alan');
    const request = { headers: { ...person.headers, 'user-agent': "Alan's browser" }, address: '203.0.113.9' };
    await access.authentication.admitPerson(person.id, 'password', request);
    const principal = await access.authentication.requirePrincipal(request);
    if (principal.kind === 'human') await access.authentication.signOut(principal, request.headers);

    const refusal = async (): Promise<LogRow | undefined> =>
      (await rowsOf(admin, `?since=${before}&kind=refusal&q=${address}`))[0];
    await expect.poll(refusal).toMatchObject({
      ...{ said: { code: 'linkRefused', times: 1 }, actor: { kind: 'system' }, door: 'server', outcome: 'failed' },
    });
    const rows = await rowsOf(admin, `?since=${before}&kind=sign-in`);
    const shown = rows.map(({ text, address, outcome }) => `${text} | ${address} | ${outcome}`);
    expect(shown).toEqual([
      'signed in (link) | 127.0.0.1 | ok',
      'signed in (password) | 203.0.113.9 | ok',
      'signed out | 203.0.113.9 | ok',
    ]);
    expect(rows[1]).toMatchObject({
      ...{ actor: { id: person.id, name: 'Alan', kind: 'human' }, about: { name: "Alan's browser" } },
    });
  });

  it('[TL1][AU2] has what became of each key, and of the keys that it made', async () => {
    const admin = await signedInPerson(server, 'admin', 'Margaret');
    const made = z.object({ id: z.string(), key: z.string() });
    const wanted = { name: 'bot', grants: ['watch', 'drive', 'keys'] };
    const { id, key } = made.parse(JSON.parse((await call(admin, 'POST', '/keys', wanted)).text));
    const robot = { headers: { authorization: `Bearer ${key}` } };
    await call(robot, 'POST', '/keys', { name: 'child', grants: ['watch', 'drive'] });
    await call(admin, 'PATCH', `/keys/${id}`, { grants: ['watch', 'keys'], sessions: 'workspace' });
    await call(admin, 'POST', `/keys/${id}/rotate`);
    await call(admin, 'DELETE', `/keys/${id}`);

    const rows = await rowsOf(admin, `?kind=key&q=${id}`);
    expect(rows.map(({ actor, text }) => `${actor.name} ${text}`)).toEqual([
      'Margaret made the key “bot” (grants: watch, drive, keys; sessions: own)',
      'bot made the key “child” (grants: watch, drive; sessions: own)',
      'Margaret changed the key “bot” (grants now: watch, keys; sessions: workspace)',
      'Margaret gave the key “bot” a new text',
      'Margaret revoked the key “bot”',
    ]);
    const all = await rowsOf(admin, `?kind=key&q=child&actor=${admin.id}`);
    expect(all.map(({ text }) => text)).toEqual(['revoked the key “child”']);
  });

  it('[TL1][AU3] has what each caller was refused by both doors, counted', async () => {
    const admin = await signedInPerson(server, 'admin');
    const viewer = await signedInPerson(server, 'viewer', 'Blaise');
    const client = connectClient(server.origin, { headers: viewer.headers });
    const { id } = await server.session();
    const waits = ask(client, 'control', { session: id, tab: 't1', do: 'take' });
    expect(await waits).toMatchObject({ ok: false, error: { code: 'FORBIDDEN' } });
    for (let n = 0; n < 3; n += 1) await call(viewer, 'GET', '/keys');
    client.close();

    const refusals = (): Promise<LogRow[]> => rowsOf(admin, `?kind=refusal&actor=${viewer.id}`);
    await expect.poll(refusals).toMatchObject([
      {
        ...{ actor: { name: 'Blaise' }, text: 'was refused control (drive) (×1)', door: 'ui', outcome: 'failed' },
        ...{ address: '127.0.0.1' },
      },
    ]);
  });

  it('[TL2] is exported whole, and the program verifies the file and finds a changed one', async () => {
    const admin = await inviter('Grace', 2);
    const { text, type } = await call(admin, 'GET', '/log?format=jsonl');
    const lines = text.trimEnd().split('\n');
    const { fingerprint } = server.running.services.store.timelineKey();
    expect(type).toBe('application/x-ndjson; charset=utf-8');
    expect(verifyLines(lines, fingerprint)).toMatchObject({ ok: true, rows: lines.length, fingerprint });
    const folder = mkdtempSync(path.join(tmpdir(), 'wheelhouse-log-'));
    const run = (name: string, content: readonly string[]) => {
      writeFileSync(path.join(folder, name), content.join('\n'));
      const args = ['bin/wheelhouse-verify.mjs', path.join(folder, name), '--key', fingerprint];
      return spawnSync(process.execPath, args, { encoding: 'utf8' }).status;
    };
    const forged = lines.with(lines.length - 1, lines.at(-1)?.replace('Grace', 'Trudy') ?? '');
    expect([run('whole', lines), run('cut', lines.slice(0, -1)), run('forged', forged)]).toEqual([0, 1, 1]);
    expect(verifyLines(lines.toSpliced(0, 1))).toMatchObject({ ok: false, how: 'missing', row: 1 });
    expect(verifyLines([])).toMatchObject({ ok: false, how: 'empty' });
    rmSync(folder, { recursive: true });
  });

  it('[T13] as CSV no cell is a formula, whatever people are called', async () => {
    const admin = await inviter('=HYPERLINK("http://evil.example","Ada")', 2);
    const { text, type } = await call(admin, 'GET', `/log?format=csv&actor=${admin.id}`);
    const [header, ...lines] = text.trimEnd().split('\r\n');
    expect(type).toBe('text/csv; charset=utf-8');
    expect(header).toBe('seq,at,kind,outcome,actor,actorId,actorKind,text,about,aboutId,door,address');
    expect(lines).toHaveLength(2);
    expect(lines[0]).toContain(`"'=HYPERLINK(""http://evil.example"",""Ada"")","${admin.id}","human"`);
    const { text: one } = await call(admin, 'GET', `/log?format=csv&actor=${admin.id}&limit=1`);
    expect(one.trimEnd().split('\r\n')).toEqual([header, lines[1]]);
  });
});
