import { z } from 'zod';
import { Deferred } from '@/lib/async/deferred';
import { randomToken } from '@/server/access/tokens';
import { launchTestChrome, type TestChrome } from '@/server/testing/chrome';
import { startOidcProvider, type TestProvider } from '@/server/testing/oidc-provider';
import { PageClient } from '@/server/testing/page-client';
import { PasskeyPage } from '@/server/testing/passkeys';
import { signedInPerson } from '@/server/testing/people';
import { tempSession } from '@/server/testing/temp-store';
import { startTestServer, TEST_KEY, type TestServer } from '@/server/testing/server';
import type { Campaign } from './campaign';
import type { CampaignFixture } from './campaign-fixture';
import type { Random } from './random';

const FULL = 10_000;
const SMALL = 300;
/** Of the secret of a share link. */
const LINK_FULL = 1_000;
const LINK_SMALL = 60;
/** As many wrong secrets of one link are looked at in this time, milliseconds. */
const MOST_LOOKED_AT = 30;
const LOOKED_AT_MS = 60_000;
/** Guesses under way at a time. */
const AHEAD = 40;
/** As many as may be checked for one account in a quarter of an hour. */
const MOST_CHECKED = 10;
const PASSWORD = 'the one that nobody guesses';
const ADDRESS = 'ada@example.com';
const NOBODY = 'nobody@example.com';

/** A browser, and the forwarded address that it comes from. */
interface Guesser {
  readonly page: PageClient;
  readonly address: string;
}

/**
 * T15: guesses of passwords from ever new addresses get ten checks for each account, known or not, with the same
 * answers. While they go on, people still get in who prove themselves in another way, or in a browser that is known.
 * Guesses of a share link's secret count against that link: all the while its guests, new ones and its owner get in.
 */
export const guesses: Campaign = {
  id: 'T15',
  about: `${FULL} guesses of passwords from rotating forwarded addresses: ten reach the check for each account, known or not; a known browser, a passkey, the provider, a cookie, a key and the link still get in meanwhile; and ${LINK_FULL} guesses of a share link's secret`,
  smallWithout: `${FULL - SMALL + LINK_FULL - LINK_SMALL} of the guesses, and the passkey`,
  full: 1,
  bare: true,
  round: (fixture, random) => tried(fixture, random, FULL),
  inSmall: (fixture, random) => tried(fixture, random, SMALL),
};

async function tried(fixture: CampaignFixture, random: Random, most: number): Promise<string | undefined> {
  // A passkey takes another Chrome.
  const chrome = most === FULL ? await launchTestChrome() : undefined;
  const provider = await startOidcProvider();
  const server = await startTestServer({
    env: {
      TRUSTED_HOPS: '1',
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: provider.clientId,
      OIDC_CLIENT_SECRET: provider.clientSecret,
    },
  });
  provider.leadsTo(`${server.origin}/api/v1/sign-in/oidc/callback`);
  try {
    const ways = await waysIn(server, provider, random, chrome);
    const problems = [
      ...(await guessed(fixture, server, random, { most, ways })),
      ...(await guessedLink(fixture, server, random, most === FULL ? LINK_FULL : LINK_SMALL)),
    ];
    return problems.length > 0 ? problems.join('; ') : undefined;
  } finally {
    await server.close();
    provider.close();
    await chrome?.close();
  }
}

/** A way to sign in or to be let in, and what it is answered. */
interface WayIn {
  readonly who: string;
  readonly wanted: string;
  enter(): Promise<string>;
}

/**
 * The ways into the account that is guessed at.
 * @param chrome has the passkey; without it that way is left out
 */
async function waysIn(
  server: TestServer,
  provider: TestProvider,
  random: Random,
  chrome: TestChrome | undefined,
): Promise<WayIn[]> {
  const { access, store } = server.running.services;
  const { id, headers } = await signedInPerson(server, 'member', 'Ada');
  await store.people.setEmail(id, ADDRESS, new Date());
  await access.accounts.setPassword(id, PASSWORD);
  const known: Guesser = { page: new PageClient(server.origin), address: '203.0.113.9' };
  const first = await signIn(known, ADDRESS, PASSWORD);
  if (first !== '200') throw new Error(`The first sign-in was answered ${first}.`);
  await connect(known.page, provider);
  const link = async (): Promise<string> =>
    landing(await fetch(await access.authentication.issueLink(), { redirect: 'manual' }));
  return [
    { who: 'by password, in a known browser', wanted: '200', enter: () => signIn(known, ADDRESS, PASSWORD) },
    {
      who: 'by password, in another browser',
      wanted: '429 RATE_LIMITED',
      enter: () => signIn(stranger(server, random), ADDRESS, PASSWORD),
    },
    { who: 'with a sign-in', wanted: '200', enter: () => status(server, headers) },
    { who: 'with a key', wanted: '200', enter: () => status(server, { authorization: `Bearer ${TEST_KEY}` }) },
    { who: 'by the link', wanted: '302 /', enter: link },
    { who: 'by the provider', wanted: '302 /', enter: () => byProvider(server, provider) },
    ...(chrome ? [await passkeyWay(server, chrome, known.page)] : []),
  ];
}

function landing(response: Response): string {
  return `${response.status} ${response.headers.get('location') ?? ''}`;
}

/** Adds the provider to the account of a page that is signed in. */
async function connect(page: PageClient, provider: TestProvider): Promise<void> {
  const asked = { connect: true, currentPassword: PASSWORD, to: '/account' };
  const { body } = await page.send('POST', '/sign-in/oidc', asked);
  const { pathname, search } = await provider.visit(z.object({ url: z.string() }).parse(body).url);
  const back = await page.open(`${pathname}${search}`);
  if (landing(back) !== '302 /account') throw new Error(`The provider was not added: ${landing(back)}`);
}

/** Signs in by the provider in a new browser; returns where that leads. */
async function byProvider({ origin }: TestServer, provider: TestProvider): Promise<string> {
  const page = new PageClient(origin);
  const begun = await page.open('/api/v1/sign-in/oidc?to=/');
  const { pathname, search } = await provider.visit(begun.headers.get('location') ?? '');
  return landing(await page.open(`${pathname}${search}`));
}

/** @param signedIn a page of the person whose sign-in counts with a second factor, as a new passkey takes */
async function passkeyWay(server: TestServer, chrome: TestChrome, signedIn: PageClient): Promise<WayIn> {
  const origin = server.origin.replace('127.0.0.1', 'localhost');
  const page = await PasskeyPage.open(origin, chrome);
  await page.addAuthenticator({ verifies: true });
  const owner = new PageClient(origin);
  owner.take(signedIn, /^/);
  const options = await owner.send('POST', '/account/passkeys/options', { currentPassword: PASSWORD });
  if (options.status !== 200) throw new Error(`A passkey was not offered: ${JSON.stringify(options)}`);
  const response = await page.create(options.body);
  const added = await owner.send('POST', '/account/passkeys', { name: 'Laptop', response });
  if (added.status !== 201) throw new Error(`The passkey was answered ${added.status}.`);
  return {
    who: 'with a passkey',
    wanted: '200 {"signedIn":true}',
    enter: async () => {
      const fresh = new PageClient(origin);
      const challenge = await fresh.send('POST', '/sign-in/passkey/options', {});
      const answer = await fresh.send('POST', '/sign-in/passkey', { response: await page.sign(challenge.body) });
      return `${answer.status} ${JSON.stringify(answer.body)}`;
    },
  };
}

async function guessed(
  fixture: CampaignFixture,
  server: TestServer,
  random: Random,
  { most, ways }: { readonly most: number; readonly ways: readonly WayIn[] },
): Promise<string[]> {
  const { accounts } = server.running.services.access;
  const before = accounts.hashes;
  const answers = new Map<string, number>();
  const halfway = new Deferred();
  let left = most;
  const guess = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const email = left % 2 === 0 ? ADDRESS : NOBODY;
      const answer = await signIn(stranger(server, random), email, `guess ${left}`);
      const key = `${email} ${answer}`;
      answers.set(key, (answers.get(key) ?? 0) + 1);
      if (left <= most / 2) halfway.resolve();
    }
  };
  const all = Promise.all(Array.from({ length: AHEAD }, guess));
  await halfway.promise;
  const entered = await Promise.all(ways.map(async (way) => ({ ...way, is: await way.enter() })));
  const during = left;
  await all;
  // One of the hashes is that of the person who signs in by password in a known browser.
  const hashes = accounts.hashes - before - 1;
  fixture.count('guesses', most);
  fixture.count('hashes', hashes);
  fixture.count('ways in', entered.length);
  fixture.count('guesses after them', during);
  const seen = (email: string): string =>
    JSON.stringify(
      [...answers]
        .filter(([key]) => key.startsWith(email))
        .map(([key, times]) => [key.slice(email.length), times])
        .toSorted(),
    );
  const expected = JSON.stringify([
    [' 401 UNAUTHENTICATED', MOST_CHECKED],
    [' 429 RATE_LIMITED', most / 2 - MOST_CHECKED],
  ]);
  return [
    ...[ADDRESS, NOBODY].flatMap((email) => (seen(email) === expected ? [] : [`${email}: ${seen(email)}`])),
    ...(hashes === 2 * MOST_CHECKED ? [] : [`${hashes} hashes were computed`]),
    ...entered.filter(({ is, wanted }) => is !== wanted).map(({ who, is }) => `${who}: ${is}`),
  ];
}

/** A share link of a session without a Chrome, and who made it. */
async function sharedLink({ running, origin }: TestServer): Promise<{ id: string; secret: string; cookie: string }> {
  const { store, access } = running.services;
  const { workspace, session } = await tempSession(store);
  const open = { owner: undefined, key: undefined, open: 'workspace', watchOnly: false, roles: new Map() } as const;
  access.rights.apply({ kind: 'session', access: { session, workspace, ...open } });
  const request = { headers: { host: new URL(origin).host }, address: '127.0.0.1' };
  const { principal, setCookies } = await access.authentication.redeem(
    await access.authentication.issueToken(),
    request,
  );
  const { link, url } = await access.links.create(principal, { id: session, name: 'Guessed' }, {});
  const cookie = setCookies.map((one) => one.split(';')[0]).join('; ');
  return { id: link.id, secret: new URL(url).hash.slice(1), cookie };
}

/** Guesses the secret of a link from ever new addresses, while its guests and its owner come again and again. */
async function guessedLink(
  fixture: CampaignFixture,
  server: TestServer,
  random: Random,
  most: number,
): Promise<string[]> {
  const { id, secret, cookie } = await sharedLink(server);
  const path = `/links/${id}/open`;
  const known = stranger(server, random);
  const first = await posted(known, path, { secret });
  const ways: WayIn[] = [
    { who: 'a new guest', wanted: '200', enter: () => posted(stranger(server, random), path, { secret }) },
    { who: 'a guest who was here', wanted: '200', enter: () => posted(known, path, {}) },
    { who: 'the owner', wanted: '200', enter: () => status(server, { cookie }) },
  ];
  const answers = new Map<string, number>();
  let left = most;
  const guess = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const answer = await posted(stranger(server, random), path, { secret: randomToken() });
      answers.set(answer, (answers.get(answer) ?? 0) + 1);
    }
  };
  const begun = performance.now();
  let over = false;
  const all = Promise.all(Array.from({ length: AHEAD }, guess)).finally(() => (over = true));
  const refused: string[] = first === '200' ? [] : [`the first guest of the link: ${first}`];
  let entered = 0;
  do {
    const answered = await Promise.all(ways.map(async (way) => ({ ...way, is: await way.enter() })));
    refused.push(
      ...answered.filter(({ is, wanted }) => is !== wanted).map(({ who, is }) => `${who} of the link: ${is}`),
    );
    entered += answered.length;
  } while (!over);
  await all;
  const windows = 1 + Math.floor((performance.now() - begun) / LOOKED_AT_MS);
  fixture.count('guesses of a link', most);
  fixture.count('ways into the link meanwhile', entered);
  const { wrong } = (await server.running.services.store.links.find(id)) ?? {};
  const [looked = 0, late = 0] = [answers.get('401 UNAUTHENTICATED'), answers.get('429 RATE_LIMITED')];
  const bounded = looked >= MOST_LOOKED_AT && looked <= windows * MOST_LOOKED_AT && looked + late === most;
  return [
    ...refused.slice(0, 10),
    ...(bounded ? [] : [`a link: ${JSON.stringify([...answers])}`]),
    ...(wrong === looked ? [] : [`the link counts ${wrong} wrong secrets, ${looked} were looked at`]),
  ];
}

const errorSchema = z.object({ error: z.object({ code: z.string() }) });

/** Tries a password; returns the status, with the code of a refusal. */
function signIn(guesser: Guesser, email: string, password: string): Promise<string> {
  return posted(guesser, '/sign-in/password', { email, password });
}

async function posted({ page, address }: Guesser, path: string, sent: object): Promise<string> {
  const { status: is, body } = await page.send('POST', path, sent, { 'x-forwarded-for': address });
  const refusal = errorSchema.safeParse(body).data;
  return refusal ? `${is} ${refusal.error.code}` : String(is);
}

async function status(server: TestServer, headers: Readonly<Record<string, string>>): Promise<string> {
  const response = await fetch(`${server.origin}/api/v1/sessions`, { headers });
  return String(response.status);
}

/** A browser that was never here; what stands before the last address is what it claims itself. */
function stranger(server: TestServer, random: Random): Guesser {
  const part = (): number => random.between(1, 254);
  const own =
    random.next() < 0.5 ? `${part()}.${part()}.${part()}.${part()}` : `2001:db8:${part()}:${part()}::${part()}`;
  return { page: new PageClient(server.origin), address: `127.0.0.1, ${own}` };
}
