import { expect, it } from 'vitest';
import { tempStore } from '@/server/testing/temp-store';
import { createAccess, type Access } from '../access';

/** Accounts without a door: what depends on the address and the settings of the server. */
async function accessOf(config: { publicUrl?: URL; passwordSignIn?: boolean }): Promise<Access> {
  const { publicUrl, ...rest } = config;
  const store = await tempStore();
  const access = await createAccess({
    ...{ store, passwordCost: 4 },
    config: { host: '127.0.0.1', publicUrl, apiKey: undefined, ...rest },
  });
  access.listening(7400);
  return access;
}

it("[T1] over TLS better-auth's cookies have the __Host- prefix, too", async () => {
  const access = await accessOf({ publicUrl: new URL('https://wheel.example.com') });
  const asked = (host: string) => access.passkeys.challenge({ headers: { host }, address: '203.0.113.7' });

  expect((await asked('wheel.example.com')).setCookies).toEqual([
    expect.stringMatching(
      /^__Host-wh_auth\.better-auth-passkey=[^;]+; Max-Age=300; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    ),
  ]);
  expect((await asked('localhost:7400')).setCookies).toEqual([
    expect.stringMatching(/^wh_auth_7400\.better-auth-passkey=[^;]+; Max-Age=300; Path=\/; HttpOnly; SameSite=Lax$/),
  ]);
});

it('[AU2] where passwords are switched off none is checked, and the sign-in page shows none', async () => {
  const access = await accessOf({ passwordSignIn: false });
  const request = { headers: { host: '127.0.0.1:7400' }, address: '203.0.113.7' };
  const tried = access.accounts.signInByPassword({ email: 'ada@example.com', password: 'x' }, request);

  await expect(tried).rejects.toMatchObject({ code: 'UNSUPPORTED' });
  expect(access.accounts.methods(request.headers).password).toBe(false);
  expect(access.accounts.hashes).toBe(0);
});
