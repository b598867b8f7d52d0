import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { humanOf } from '@/server/access/principal';
import { sharedTestChrome } from '@/server/testing/chrome';
import { personWithPassword, signedInPage } from '@/server/testing/accounts';
import { PageClient } from '@/server/testing/page-client';
import { PasskeyPage } from '@/server/testing/passkeys';
import { sharedTestServer, type TestServer } from '@/server/testing/server';

/** Passkeys with the virtual authenticator of a real Chrome, at the server's domain name (AU2). */
let server: TestServer;
let chrome: PasskeyPage;

beforeAll(async () => {
  server = await sharedTestServer();
  chrome = await PasskeyPage.open(atDomain(), await sharedTestChrome());
});

afterAll(async () => {
  await chrome.close();
  await server.close();
});

const atDomain = (): string => server.origin.replace('127.0.0.1', 'localhost');

const optionsOf = async (page: PageClient, route: string, body: unknown = {}): Promise<unknown> => {
  const answer = await page.send('POST', route, body);
  expect(answer.status).toBe(200);
  return answer.body;
};

/** A person with a passkey in a fresh authenticator. */
async function withPasskey(name: string) {
  const person = await personWithPassword(server, name);
  const page = await signedInPage(atDomain(), person);
  const authenticatorId = await chrome.addAuthenticator({ verifies: true });
  const options = await optionsOf(page, '/account/passkeys/options', { currentPassword: person.password });
  const added = await page.send('POST', '/account/passkeys', {
    name: 'Laptop',
    response: await chrome.create(options),
  });
  expect(added).toEqual({
    status: 201,
    body: { id: expect.any(String), name: 'Laptop', createdAt: expect.any(String) },
  });
  const { id } = z.object({ id: z.string() }).parse(added.body);
  return { ...person, page, passkey: id, authenticatorId, options };
}

describe('passkeys', () => {
  it('[AU2] a passkey signs in without a password, once for each challenge, and only until it is removed', async () => {
    const ada = await withPasskey('Ada');
    const page = new PageClient(atDomain());
    const challenge = await optionsOf(page, '/sign-in/passkey/options');
    const copy = page.copy();
    const response = await chrome.sign(challenge);
    const answer = await page.send('POST', '/sign-in/passkey', { response });
    const { store } = server.running.services;
    const counting = async () =>
      (await store.signIns.list(ada.id, new Date())).flatMap((one) =>
        one.factor === 'link' ? [] : [one.secondFactor],
      );
    // The sign-in by password counts, too, since the passkey was added in it.
    const before = await counting();

    expect(challenge).toMatchObject({ rpId: 'localhost', userVerification: 'required' });
    expect(answer).toEqual({ status: 200, body: { signedIn: true } });
    expect(await page.send('GET', '/account')).toMatchObject({ body: { id: ada.id, factor: 'passkey', passkeys: 1 } });
    expect(await copy.send('POST', '/sign-in/passkey', { response })).toMatchObject({ status: 401 });
    const wrong = await page.send('DELETE', `/account/passkeys/${ada.passkey}`, {});
    expect(wrong).toMatchObject({ status: 403, body: { error: { details: { proof: 'password' } } } });
    const { currentPassword } = { currentPassword: ada.password };
    expect(await ada.page.send('DELETE', `/account/passkeys/${ada.passkey}`, { currentPassword })).toMatchObject({
      status: 200,
    });
    expect([before, await counting()]).toEqual([['passkey', 'passkey'], [undefined]]);
    // Who signed in elsewhere by the passkey, which may be stolen, is out; the sign-in that removed it stays.
    expect(await page.send('GET', '/account')).toMatchObject({ status: 401 });
    expect(await ada.page.send('GET', '/account')).toMatchObject({ body: { id: ada.id, passkeys: 0 } });
    const gone = new PageClient(atDomain());
    const later = await chrome.sign(await optionsOf(gone, '/sign-in/passkey/options'));
    expect(await gone.send('POST', '/sign-in/passkey', { response: later })).toMatchObject({ status: 401 });
    await chrome.removeAuthenticator(ada.authenticatorId);
  });

  it('[AU2] a passkey that does not verify its user neither signs in nor is added', async () => {
    const grace = await withPasskey('Grace');
    await chrome.stopVerifying(grace.authenticatorId);
    const page = new PageClient(atDomain());
    const response = await chrome.sign(await optionsOf(page, '/sign-in/passkey/options'), { lenient: true });
    const signedIn = await page.send('POST', '/sign-in/passkey', { response });
    await chrome.removeAuthenticator(grace.authenticatorId);
    const other = await chrome.addAuthenticator({ verifies: false });
    const options = await optionsOf(grace.page, '/account/passkeys/options', { currentPassword: grace.password });
    const added = await grace.page.send('POST', '/account/passkeys', {
      name: 'No PIN',
      response: await chrome.create(options, { lenient: true }),
    });

    expect(signedIn).toMatchObject({
      status: 401,
      body: { error: { message: expect.stringContaining('who uses it') } },
    });
    expect(added).toMatchObject({ status: 403, body: { error: { message: expect.stringContaining('who uses it') } } });
    expect(await grace.page.send('GET', '/account/passkeys')).toMatchObject({ body: [{ name: 'Laptop' }] });
    await chrome.removeAuthenticator(other);
  });

  it('[AU2] nobody adds a passkey with the challenge of somebody else, and nobody removes one of somebody else', async () => {
    const [ada, eve] = [await withPasskey('Ada'), await personWithPassword(server, 'Eve')];
    const page = await signedInPage(atDomain(), eve);
    await chrome.removeAuthenticator(ada.authenticatorId);
    const fresh = await chrome.addAuthenticator({ verifies: true });
    const { currentPassword } = { currentPassword: ada.password };
    const response = await chrome.create(await optionsOf(ada.page, '/account/passkeys/options', { currentPassword }));
    const mixed = ada.page.copy();
    mixed.take(page, /^wh_\d+$/);
    const added = await mixed.send('POST', '/account/passkeys', { name: 'Eve', response });
    const removed = await page.send('DELETE', `/account/passkeys/${ada.passkey}`, { currentPassword: eve.password });

    expect(added).toMatchObject({
      status: 403,
      body: { error: { message: expect.stringContaining('somebody else') } },
    });
    expect(removed).toMatchObject({ status: 404 });
    expect(await ada.page.send('GET', '/account/passkeys')).toMatchObject({ body: [{ id: ada.passkey }] });
    await chrome.removeAuthenticator(fresh);
  });

  it('[AU2][T9] a passkey that is being added while its sign-in ends is not added', async () => {
    const { access, store } = server.running.services;
    const lin = await personWithPassword(server, 'Lin');
    const page = await signedInPage(atDomain(), lin);
    const fresh = await chrome.addAuthenticator({ verifies: true });
    const options = await optionsOf(page, '/account/passkeys/options', { currentPassword: lin.password });
    const response = z.looseObject({}).parse(await chrome.create(options));
    const request = { headers: { host: new URL(atDomain()).host, cookie: page.cookie }, address: '127.0.0.1' };
    const by = humanOf(await access.authentication.requirePrincipal(request));
    await access.authentication.signOut(by, request.headers);

    const added = access.passkeys.add(by, { name: 'Late', response }, request);
    await expect(added).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    expect(await store.accounts.passkeysOf(lin.id)).toEqual([]);
    await chrome.removeAuthenticator(fresh);
  });

  it('[AU2] at an IP address the answer says why there are no passkeys', async () => {
    const answer = await new PageClient(server.origin).send('POST', '/sign-in/passkey/options', {});
    expect(answer).toMatchObject({
      status: 400,
      body: { error: { code: 'UNSUPPORTED', hint: expect.stringContaining('localhost') } },
    });
  });
});
