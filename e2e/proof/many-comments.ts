import { withBudget } from '@/lib/budget/budget';
import { COMMENT_LIMITS } from '@/lib/comments/comment';
import { everywhere } from '@/lib/rights/grants';
import { byOwner } from '@/server/access/keys';
import { COMMENTS } from '@/server/features/comments/comments';
import type { Caller } from '@/server/session/caller';
import { openLink, shareLink } from '@/server/testing/links';
import { callsOf } from '@/server/testing/people';
import type { Campaign } from './campaign';
import { before, type CampaignFixture } from './campaign-fixture';
import type { Random } from './random';

const MANY = 10_000;
/** Posts under way at a time. */
const AHEAD = 40;
/** Others are answered before this, while one key and one link post without end. Milliseconds. */
const MARKER_MS = 10_000;
const GUESTS = 5;
/** Comments that one person may write at once. */
const AT_ONCE = 10;
/** One in so many stays open, up to so many. */
const KEPT = 50;
const MOST_KEPT = 100;

/**
 * TL3: many comments. At the doors one key under ever new names and the guests of one link are held to their pace,
 * while the owner comments and an agent gets it. Past the doors, by a thousand people, all are taken: what is open
 * stays, what is done makes room, and the store has what the session has.
 */
export const manyComments: Campaign = {
  id: 'TL3',
  about: `${MANY} comments at the doors by one key and one link, and ${MANY} by a thousand people: others comment meanwhile, open ones stay, the session keeps ${COMMENT_LIMITS.all}`,
  full: 2,
  round: async (fixture, random) => {
    const session = await fixture.session();
    try {
      const problems = [...(await atTheDoors(fixture, session, random)), ...(await pastThem(fixture, session, random))];
      return problems.length > 0 ? problems.join('; ') : undefined;
    } finally {
      await fixture.server.api('DELETE', `/api/v1/sessions/${session}`);
    }
  },
};

type Headers = Readonly<Record<string, string>>;

async function atTheDoors(fixture: CampaignFixture, session: string, random: Random): Promise<string[]> {
  const { server } = fixture;
  const { access } = server.running.services;
  const asked = { name: 'flood', grants: ['watch'], sessions: 'workspace' } as const;
  const { key, text } = await access.keys.create(byOwner(access.owner), asked);
  const link = await shareLink(server, session, { grants: ['watch', 'drive'] });
  const guests = await Promise.all(Array.from({ length: GUESTS }, () => openLink(server, link)));
  const path = `/sessions/${session}/tabs/t1/comments`;
  const answers = new Map<string, number>();
  let left = MANY;
  const flood = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const headers: Headers =
        random.next() < 0.5
          ? { authorization: `Bearer ${text}`, 'x-agent': `Name ${left}` }
          : random.pick(guests).headers;
      const [method, body] = left % 10 === 0 ? ['GET'] : ['POST', { text: `Comment ${left}` }];
      const [status] = await callsOf(server, { headers })(method, path, body);
      const who = 'x-link' in headers ? 'the link' : 'the key';
      const what = `${who}: ${method} ${status}`;
      answers.set(what, (answers.get(what) ?? 0) + 1);
    }
  };
  const owner = { headers: { cookie: fixture.cookie, origin: server.origin } };
  const rss = process.memoryUsage.rss();
  const flooding = Promise.all(Array.from({ length: AHEAD }, flood));
  const [others, got] = [new Set<string>(), new Set<string>()];
  for (let number = 0; left > 0; number += 1) {
    const words = `From the owner ${number}`;
    const commented = await before(MARKER_MS, callsOf(server, owner)('POST', path, { text: words }));
    const acted = await before(MARKER_MS, fixture.act(session, { kind: 'none' }));
    others.add(`the owner ${commented.value[0]}${commented.late ? ' late' : ''}`);
    others.add(`an agent ${acted.value.ok ? 'acted' : 'was refused'}${acted.late ? ' late' : ''}`);
    for (const one of acted.value.comments ?? []) got.add(one.text);
    fixture.took('a comment meanwhile', commented.ms);
    await new Promise((resolve) => setTimeout(resolve, 1_100));
  }
  await flooding;
  await access.keys.revoke(byOwner(access.owner), key.id);
  await server.api('DELETE', `/api/v1/sessions/${session}/links/${link.id}`);
  for (const [what, times] of answers) fixture.count(what, times);
  fixture.count('MiB more in the process', Math.round((process.memoryUsage.rss() - rss) / 1_048_576));
  const all = await fixture.server.running.services.store.comments.list(placeOf(fixture, session));
  const of = (start: string): number => all.filter(({ by }) => by.id.startsWith(start)).length;
  fixture.count('stored by the key', of(key.id));
  fixture.count('stored by the link', of('g_'));
  const unexpected = [...answers.keys()].filter((what) => !/(GET|POST) (200|201|429)$/.test(what));
  return [
    ...unexpected.map((what) => `the flood: ${what}`),
    ...[...others].filter((what) => what !== 'the owner 201' && what !== 'an agent acted'),
    ...(answers.has('the key: POST 429') && answers.has('the key: GET 429') ? [] : ['the key was not held up']),
    ...(answers.has('the link: POST 429') && answers.has('the link: GET 429') ? [] : ['the link was not held up']),
    ...(of(key.id) <= COMMENT_LIMITS.openOfOne ? [] : [`the key has ${of(key.id)} open comments`]),
    ...(of('g_') <= COMMENT_LIMITS.openOfOne ? [] : [`the guests have ${of('g_')} open comments`]),
    ...([...got].some((words) => words.startsWith('From the owner')) ? [] : ['the agent got no comment of the owner']),
  ];
}

async function pastThem(fixture: CampaignFixture, session: string, random: Random): Promise<string[]> {
  const inside = fixture.inside(session);
  const all = COMMENTS.of(inside);
  const { clock } = fixture.server.running.services;
  const within = <T>(work: Parameters<typeof withBudget<T>>[1]): Promise<T> =>
    withBudget({ timeoutMs: MARKER_MS, clock }, work);
  const kept: string[] = [];
  const began = performance.now();
  for (let number = 0; number < MANY; number += 1) {
    const caller = person(inside.workspace, Math.floor(number / AT_ONCE));
    const { id } = await within((budget) => all.add(budget, caller, 't1', { text: `Comment ${number}` }));
    if (kept.length < MOST_KEPT && random.next() < 1 / KEPT) kept.push(id);
    else await within((budget) => all.resolve(budget, caller, id));
  }
  fixture.took(`${MANY} comments, most of them resolved`, performance.now() - began);
  fixture.count('comments past the doors', MANY);
  fixture.count('kept open', kept.length);
  const reader = person(inside.workspace, MANY);
  const found: { readonly id: string; readonly seq: number; readonly open: boolean }[] = [];
  for (let page = await within((budget) => all.read(budget, reader, {})); page.length > 0;) {
    if (page.length > COMMENT_LIMITS.read) return [`one answer had ${page.length} comments`];
    found.unshift(...page);
    const oldest = found[0]?.seq;
    page = await within((budget) => all.read(budget, reader, { before: oldest }));
  }
  const stored = (await fixture.server.running.services.store.comments.list(placeOf(fixture, session))).map(
    ({ id }) => id,
  );
  const there = new Set(found.filter(({ open }) => open).map(({ id }) => id));
  const gone = kept.filter((id) => !there.has(id));
  return [
    ...(gone.length === 0 ? [] : [`${gone.length} open comments were removed`]),
    ...(found.length === COMMENT_LIMITS.all ? [] : [`the session keeps ${found.length} comments`]),
    ...(JSON.stringify(stored) === JSON.stringify(found.map(({ id }) => id)) ? [] : ['the store has others']),
    ...(all.latest(reader.principal).length <= there.size + COMMENT_LIMITS.latest ? [] : ['a viewer gets too many']),
  ];
}

function placeOf(fixture: CampaignFixture, session: string): { readonly workspace: string; readonly session: string } {
  return { workspace: fixture.inside(session).workspace, session };
}

/** A person whom no door knows. */
function person(workspace: string, number: number): Caller {
  const id = `p_many_${number}`;
  const credential = { kind: 'cookie', id: `l_many_${number}` } as const;
  const rights = everywhere(['watch', 'drive']);
  return {
    principal: {
      ...{ kind: 'human', id, name: `Person ${number}`, person: id, workspace, rights, rev: 0 },
      ...{ expiresAt: undefined, credential },
    },
    door: 'ui',
  };
}
