import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { startMailServer, type MailServer } from '@/server/testing/mail-server';
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
    await expect.poll(() => stateOf(id)).toBe('sent');
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

  it('[AU2] a mail that is refused makes no difference to the link, and the owner is told', async () => {
    refuses = 'No <b>such</b>\u202e box';
    const { status, body } = await server.api('POST', '/api/v1/invitations', {
      role: 'viewer',
      email: 'x@example.com',
    });
    const { id, url } = made.parse(body);
    expect([status, url]).toEqual([201, expect.stringContaining('/invitation#')]);
    await expect.poll(() => stateOf(id)).toBe('failed');
    const ready = JSON.stringify((await server.api('GET', '/readyz')).body);
    expect(ready).toMatch(/Mails could not be sent by 127\.0\.0\.1 \(SMTP_URL\): .*No <b>such<\/b> box\. Links are/);
    refuses = undefined;
  });
});
