import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { Secret } from '@/server/config/secret';
import type { Store } from '@/server/store/store';
import { tempSession, tempStore } from '@/server/testing/temp-store';
import { createAccess } from './access';
import { isPasswordOf } from './accounts/password-hash';
import { humanOf } from './principal';
import { hashToken, randomToken } from './tokens';

const HOST = '127.0.0.1:7400';
const PRESET = 'preset-preset-preset-preset';
const PASSWORD = 'correct horse battery staple';
const LATER = new Date('2099-01-01T00:00:00Z');
const address = '127.0.0.1';

/** Every text of the database, and every longer word in one of them. */
async function textsOf({ accounts: { database } }: Store): Promise<string[]> {
  const names = z.array(z.object({ name: z.string() }));
  const tables = await sql`SELECT name FROM sqlite_master WHERE type = 'table'`.execute(database);
  const rows = await Promise.all(
    names.parse(tables.rows).map(({ name }) => sql`SELECT * FROM ${sql.table(name)}`.execute(database)),
  );
  const values = rows.flatMap((table) =>
    table.rows.flatMap((row) => Object.values(z.record(z.string(), z.unknown()).parse(row))),
  );
  const texts = values.filter((value) => typeof value === 'string');
  return [...new Set(texts.flatMap((text) => [text, ...(text.match(/[\w-]{8,}/g) ?? [])]))];
}

it('[AU2][T14] no text of a copied database works as a cookie, key, link, invitation or password', async () => {
  const store = await tempStore();
  const { workspace } = await tempSession(store);
  const apiKey = new Secret('WHEELHOUSE_API_KEY', PRESET);
  const access = await createAccess({
    store,
    passwordCost: 4,
    config: { host: '127.0.0.1', publicUrl: undefined, apiKey },
  });
  access.listening(7400);
  const now = new Date();
  const link = await access.authentication.issueToken();
  const signedIn = await access.authentication.redeem(await access.authentication.issueToken(), {
    headers: { host: HOST },
    address,
  });
  const cookie = signedIn.setCookies[0]?.split(';')[0]?.split('=')[1] ?? '';
  const by = humanOf(signedIn.principal);
  const ada = await store.people.add({ workspace, name: 'Ada', email: 'ada@example.com', role: 'member' }, now);
  await access.accounts.setPassword(ada.id, PASSWORD);
  const known = await access.accounts.signInByPassword(
    { email: 'ada@example.com', password: PASSWORD },
    { headers: { host: HOST }, address },
  );
  const newPassword = randomToken();
  await store.signIns.addToken(
    { workspace, person: ada.id, hash: hashToken(newPassword), purpose: 'password', expiresAt: LATER },
    now,
  );
  const { text: key } = await access.keys.create(by, { name: 'Bot', grants: ['watch'], sessions: 'workspace' });
  const { url } = await access.invitations.create(by, { role: 'member', email: 'bob@example.com' });
  const invitation = new URL(url).hash.slice(1);
  const texts = await textsOf(store);
  const hashes = texts.filter((text) => text.startsWith('scrypt$'));
  /** The ways in that a text opens. */
  const opens = async (text: string): Promise<string[]> => {
    const ways = {
      cookie: await access.authentication.provenBy({ host: HOST, cookie: `wh_7400=${text}` }),
      key: (await access.keys.credentialOf(text)) ?? (await access.keys.credentialOf(`wh_${text}`)),
      link: (await store.signIns.canRedeem(hashToken(text), now)) || undefined,
      'link to a new password': await store.signIns.redeemToken(hashToken(text), 'password', now),
      invitation: await store.invitations.find(hashToken(text), now),
      password: (await Promise.all(hashes.map((hash) => isPasswordOf(hash, text)))).includes(true) || undefined,
    };
    return Object.entries(ways).flatMap(([way, found]) => (found === undefined ? [] : [way]));
  };
  const found: string[] = [];
  for (const text of texts) found.push(...(await opens(text)).map((way) => `${text} as ${way}`));
  const real = await Promise.all([cookie, key, PRESET, link, newPassword, invitation, PASSWORD].map(opens));

  expect(found).toEqual([]);
  expect([known.kind, hashes.length]).toEqual(['signedIn', 1]);
  expect(texts.length).toBeGreaterThan(50);
  expect(real).toEqual([
    ...[['cookie'], ['key'], ['key'], ['link'], ['link to a new password'], ['invitation'], ['password']],
  ]);
});
