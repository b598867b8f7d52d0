import { z } from 'zod';
import { signedInPerson } from '@/server/testing/people';
import { startTestServer, TEST_KEY, type TestServer } from '@/server/testing/server';
import type { Campaign } from './campaign';
import type { CampaignFixture } from './campaign-fixture';
import type { Random } from './random';

const FULL = 10_000;
const SMALL = 300;
/** Guesses under way at a time. */
const AHEAD = 40;
/** As many as may be checked for one account in a quarter of an hour. */
const MOST_CHECKED = 10;
const PASSWORD = 'the one that nobody guesses';
const ADDRESS = 'ada@example.com';
const NOBODY = 'nobody@example.com';

/** A browser, with its cookies. */
interface Page {
  cookie: string;
  readonly address: string;
}

/**
 * T15: whoever guesses passwords from ever new addresses gets ten checks for each account, known or not, with the same
 * answers; and whoever has proved themselves in another way, or with this browser before, still gets in.
 */
export const guesses: Campaign = {
  id: 'T15',
  about: `${FULL} guesses of passwords from rotating forwarded addresses: ten reach the check for each account, known or not; a known browser, a cookie, a key and the link still get in`,
  full: 1,
  bare: true,
  round: (fixture, random) => tried(fixture, random, FULL),
  inSmall: (fixture, random) => tried(fixture, random, SMALL),
};

async function tried(fixture: CampaignFixture, random: Random, most: number): Promise<string | undefined> {
  const server = await startTestServer({ env: { TRUSTED_HOPS: '1' } });
  try {
    const problems = await guessed(fixture, server, random, most);
    return problems.length > 0 ? problems.join('; ') : undefined;
  } finally {
    await server.close();
  }
}

async function guessed(fixture: CampaignFixture, server: TestServer, random: Random, most: number): Promise<string[]> {
  const { access, store } = server.running.services;
  const { id, headers } = await signedInPerson(server, 'member', 'Ada');
  await store.people.setEmail(id, ADDRESS, new Date());
  await access.accounts.setPassword(id, PASSWORD);
  const known: Page = { cookie: '', address: '203.0.113.9' };
  const first = await signIn(server, known, ADDRESS, PASSWORD);
  const before = access.accounts.hashes;
  const answers = new Map<string, number>();
  let left = most;
  const guess = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const email = left % 2 === 0 ? ADDRESS : NOBODY;
      const answer = await signIn(server, stranger(random), email, `guess ${left}`);
      const key = `${email} ${answer}`;
      answers.set(key, (answers.get(key) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: AHEAD }, guess));
  const hashes = access.accounts.hashes - before;
  fixture.count('guesses', most);
  fixture.count('hashes', hashes);
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
  const link = await fetch(await access.authentication.issueLink(), { redirect: 'manual' });
  const still = [
    ['who knows the password, in a browser that is known', await signIn(server, known, ADDRESS, PASSWORD), '200'],
    ['who is signed in', await status(server, headers), '200'],
    ['an agent', await status(server, { authorization: `Bearer ${TEST_KEY}` }), '200'],
    ['who has the link', `${link.status} ${link.headers.get('location') ?? ''}`, '302 /'],
    [
      'who knows the password, in another browser',
      await signIn(server, stranger(random), ADDRESS, PASSWORD),
      '429 RATE_LIMITED',
    ],
  ].filter(([, is, wanted]) => is !== wanted);
  return [
    ...(first === '200' ? [] : [`the first sign-in was answered ${first}`]),
    ...[ADDRESS, NOBODY].flatMap((email) => (seen(email) === expected ? [] : [`${email}: ${seen(email)}`])),
    ...(hashes === 2 * MOST_CHECKED ? [] : [`${hashes} hashes were computed`]),
    ...still.map(([who, is]) => `${who}: ${is}`),
  ];
}

const errorSchema = z.object({ error: z.object({ code: z.string() }) });

/** Tries a password; returns the status, with the code of a refusal. */
async function signIn(server: TestServer, page: Page, email: string, password: string): Promise<string> {
  const response = await fetch(`${server.origin}/api/v1/sign-in/password`, {
    method: 'POST',
    headers: {
      origin: server.origin,
      cookie: page.cookie,
      'content-type': 'application/json',
      'x-forwarded-for': page.address,
    },
    body: JSON.stringify({ email, password }),
  });
  const cookies = response.headers.getSetCookie().map((one) => one.split(';')[0]);
  if (cookies.length > 0) page.cookie = cookies.join('; ');
  const refusal = errorSchema.safeParse(await response.json()).data;
  return refusal ? `${response.status} ${refusal.error.code}` : String(response.status);
}

async function status(server: TestServer, headers: Readonly<Record<string, string>>): Promise<string> {
  const response = await fetch(`${server.origin}/api/v1/sessions`, { headers });
  return String(response.status);
}

/** A browser that was never here; what stands before the last address is what it claims itself. */
function stranger(random: Random): Page {
  const part = (): number => random.between(1, 254);
  const own =
    random.next() < 0.5 ? `${part()}.${part()}.${part()}.${part()}` : `2001:db8:${part()}:${part()}::${part()}`;
  return { cookie: '', address: `127.0.0.1, ${own}` };
}
