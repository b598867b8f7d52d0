import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { asWheelhouseError } from '@/lib/errors/error';
import { everywhere, GRANTS, grantSet, KEY_GRANTS, type Grant, type Rights } from '@/lib/rights/grants';
import { rightsOf, type KeyFacts, type PersonFacts, type SessionAccess } from '@/lib/rights/rights';
import type { Role, SessionRole } from '@/lib/rights/roles';
import type { AgentPrincipal, Principal } from '@/server/access/principal';
import { eventOf, GOOD_BODIES, GOOD_QUERIES, goodPayloads, shortName } from '@/server/testing/good-requests';
import { sized } from '@/server/testing/sized';
import { startTestServer, TEST_KEY, type TestServer } from '@/server/testing/server';
import { ask, connectClient, emitTo, type Client } from '@/server/testing/socket-client';
import { PUBLIC_ROUTES, ROUTES } from './http/app';
import { EVENTS } from './socket/events';
import { admit, type Addresses, type Right, type ThingKind } from './things';

/**
 * The rights at both doors (AU3, T5): every route and every event, for every kind of principal there is today and for
 * principals whose rights differ by session. The expected results are listed here and are not derived from the rows.
 */

/** Of the caller's own account, whatever they may elsewhere. */
const OF_ACCOUNT: readonly string[] = [
  'GET /account',
  'PATCH /account',
  'PUT /account/password',
  'POST /account/second-factor',
  'POST /account/second-factor/confirm',
  'DELETE /account/second-factor',
  'DELETE /account/provider',
  'POST /account/recovery-codes',
  'GET /account/passkeys',
  'POST /account/passkeys/options',
  'POST /account/passkeys',
  'DELETE /account/passkeys/:id',
  'GET /account/sign-ins',
  'DELETE /account/sign-ins',
  'DELETE /account/sign-ins/:id',
];

/** What each grant opens. A row that stands nowhere fails the test, and so does one that is no more. */
const OPENS: Readonly<Record<Grant, readonly string[]>> = {
  watch: [
    'GET /sessions',
    'GET /sessions/:s',
    'GET /sessions/:s/access',
    'GET /sessions/:s/guard/check',
    'GET /sessions/:s/tabs',
    'POST /sessions/:s/tabs/:t/act',
    'POST /sessions/:s/tabs/:t/steps',
    'GET /sessions/:s/tabs/:t/snapshot',
    'POST /sessions/:s/tabs/:t/pdf',
    'GET /sessions/:s/tabs/:t/screenshot',
    'GET /sessions/:s/tabs/:t/console',
    'GET /sessions/:s/tabs/:t/errors',
    'GET /sessions/:s/tabs/:t/requests',
    'GET /sessions/:s/tabs/:t/requests/:r',
    'GET /sessions/:s/tabs/:t/har',
    'GET /sessions/:s/tabs/:t/cookies',
    'GET /sessions/:s/tabs/:t/storage/local',
    'GET /sessions/:s/tabs/:t/storage/session',
    'GET /sessions/:s/tabs/:t/emulation',
    'GET /sessions/:s/tabs/:t/trace',
    'GET /sessions/:s/tabs/:t/control',
    'GET /sessions/:s/timeline',
    'GET /sessions/:s/timeline/:id/picture',
    'GET /timeline/key',
    'GET /browsers',
    'GET /demo',
    'POST /sessions/:s/stay',
    'GET /sessions/:s/policy',
    'GET /workspaces',
    'GET /workspace',
    'POST /workspace/guard/check',
    'hello',
    'wall.watch',
    'wall.unwatch',
    'session.join',
    'session.leave',
    'stream.open',
    'stream.pin',
    'stream.close',
    'act',
    'snapshot.watch',
    'snapshot.unwatch',
    'rings.watch',
    'rings.unwatch',
    'files.unwatch',
    'GET /sessions/:s/comments',
    'POST /sessions/:s/comments/:id/resolve',
    'GET /sessions/:s/tabs/:t/comments',
    'POST /sessions/:s/tabs/:t/comments',
    'POST /sessions/:s/tabs/:t/comments/:id/resolve',
    'comments.watch',
    'comments.unwatch',
    'element.at',
    'element.box',
    'cursor',
    'hand',
    'timeline.list',
    ...OF_ACCOUNT,
  ],
  drive: [
    'POST /sessions',
    'PATCH /sessions/:s',
    'DELETE /sessions/:s',
    'POST /sessions/:s/browser',
    'POST /sessions/:s/tabs',
    'DELETE /sessions/:s/tabs/:t',
    'POST /sessions/:s/tabs/:t/focus',
    'DELETE /sessions/:s/tabs/:t/console',
    'DELETE /sessions/:s/tabs/:t/errors',
    'DELETE /sessions/:s/tabs/:t/requests',
    'PUT /sessions/:s/tabs/:t/cookies',
    'DELETE /sessions/:s/tabs/:t/cookies',
    'PUT /sessions/:s/tabs/:t/storage/local',
    'DELETE /sessions/:s/tabs/:t/storage/local',
    'PUT /sessions/:s/tabs/:t/storage/session',
    'DELETE /sessions/:s/tabs/:t/storage/session',
    'PUT /sessions/:s/tabs/:t/emulation',
    'DELETE /sessions/:s/tabs/:t/emulation',
    'POST /sessions/:s/tabs/:t/trace/start',
    'POST /sessions/:s/tabs/:t/trace/stop',
    'POST /sessions/:s/comments/:id/pass',
    'POST /sessions/:s/tabs/:t/comments/:id/pass',
    'POST /sessions/:s/tabs/:t/control',
    'GET /sessions/:s/tabs/:t/control/wait',
    'input',
    'control',
  ],
  evaluate: ['GET /sessions/:s/tabs/:t/requests/:r/body'],
  files: [
    'GET /sessions/:s/files',
    'GET /sessions/:s/files/:name',
    'PUT /sessions/:s/files/:name',
    'DELETE /sessions/:s/files/:name',
    'GET /sessions/:s/downloads',
    'DELETE /sessions/:s/downloads/:id',
    'files.watch',
  ],
  clipboard: [],
  'clipboard:copy': ['copy'],
  'clipboard:paste': [],
  share: [
    'GET /sessions/:s/links',
    'POST /sessions/:s/links',
    'PATCH /sessions/:s/links/:id',
    'DELETE /sessions/:s/links/:id',
  ],
  keys: ['GET /keys', 'POST /keys', 'PATCH /keys/:id', 'POST /keys/:id/rotate', 'DELETE /keys/:id'],
  own: ['DELETE /workspace'],
  manage: [
    'GET /browsers/detect',
    'GET /log',
    'GET /server',
    'GET /server/bundle',
    'POST /browsers',
    'DELETE /browsers/:id',
    'POST /sessions/:s/pause',
    'POST /sessions/:s/resume',
    'GET /invitations',
    'POST /invitations',
    'PATCH /invitations/:id',
    'DELETE /invitations/:id',
    'GET /members',
    'PATCH /members/:id',
    'PATCH /sessions/:s/access',
    'PATCH /sessions/:s/policy',
    'POST /workspaces',
    'PATCH /workspace',
    'POST /demo',
    'DELETE /demo',
    'DELETE /members/:id',
    'POST /members/:id/password-link',
    'DELETE /members/:id/second-factor',
  ],
};

/** All that guests of share links reach, with the grants of their link. */
const OF_GUESTS: readonly string[] = [
  'GET /sessions/:s',
  'GET /sessions/:s/tabs',
  'POST /sessions/:s/tabs/:t/focus',
  'POST /sessions/:s/tabs/:t/act',
  'POST /sessions/:s/tabs/:t/steps',
  'GET /sessions/:s/tabs/:t/snapshot',
  'GET /sessions/:s/tabs/:t/control',
  'POST /sessions/:s/tabs/:t/control',
  'GET /sessions/:s/tabs/:t/control/wait',
  'GET /sessions/:s/files',
  'GET /sessions/:s/files/:name',
  'PUT /sessions/:s/files/:name',
  'DELETE /sessions/:s/files/:name',
  'GET /sessions/:s/downloads',
  'GET /sessions/:s/comments',
  'POST /sessions/:s/comments/:id/resolve',
  'GET /sessions/:s/tabs/:t/comments',
  'POST /sessions/:s/tabs/:t/comments',
  'POST /sessions/:s/tabs/:t/comments/:id/resolve',
  'hello',
  'session.join',
  'session.leave',
  'stream.open',
  'stream.pin',
  'stream.close',
  'input',
  'copy',
  'act',
  'control',
  'snapshot.watch',
  'snapshot.unwatch',
  'files.watch',
  'files.unwatch',
  'comments.watch',
  'comments.unwatch',
  'element.at',
  'element.box',
  'cursor',
  'hand',
  'timeline.list',
];

/** The routes by which strangers sign in, or open a share link. */
const PUBLIC: readonly string[] = [
  'GET /sign-in',
  'POST /sign-in/password',
  'POST /invitations/open',
  'POST /invitations/accept',
  'POST /sign-in/code',
  'POST /sign-in/recovery',
  'POST /sign-in/forgotten',
  'GET /sign-in/oidc',
  'POST /sign-in/oidc',
  'GET /sign-in/oidc/callback',
  'POST /sign-in/new-password',
  'POST /sign-in/passkey/options',
  'POST /sign-in/passkey',
  'POST /links/:id/open',
];

/** Of the caller's own connection: a grant that it has anywhere will do. */
const OF_CONNECTION: readonly string[] = [
  'GET /workspaces',
  'hello',
  'wall.unwatch',
  'session.leave',
  'stream.pin',
  'stream.close',
  'snapshot.unwatch',
  'rings.unwatch',
  'files.unwatch',
  'comments.unwatch',
];
/** Of the workspace, whatever the session. */
const OF_WORKSPACE: readonly string[] = [
  'GET /sessions',
  'POST /sessions',
  'GET /timeline/key',
  'GET /browsers',
  'GET /demo',
  'GET /workspace',
  'POST /workspace/guard/check',
  'wall.watch',
  ...OPENS.manage.filter((row) => !row.includes('/:s')),
  ...OPENS.keys,
  ...OPENS.own,
];
/** Only for the creator, the holder of the lease, and managers. No other principal of the matrix created anything. */
const OF_MAKER: readonly string[] = [
  'PATCH /sessions/:s',
  'DELETE /sessions/:s/files/:name',
  'DELETE /sessions/:s/downloads/:id',
  'DELETE /sessions/:s/tabs/:t/console',
  'DELETE /sessions/:s/tabs/:t/errors',
  'DELETE /sessions/:s/tabs/:t/requests',
];
const OF_PEOPLE: readonly string[] = [
  'POST /sessions/:s/comments/:id/pass',
  'POST /sessions/:s/tabs/:t/comments/:id/pass',
  'POST /demo',
  'DELETE /members/:id',
  'POST /members/:id/password-link',
  'DELETE /members/:id/second-factor',
  'PATCH /members/:id',
  'POST /workspaces',
  'DELETE /workspace',
  'POST /sessions/:s/pause',
  'POST /sessions/:s/resume',
  'PATCH /sessions/:s/policy',
];
/** Of the server itself: only for its owner and their keys. */
const OF_SERVER: readonly string[] = ['POST /workspaces', 'GET /server', 'GET /server/bundle'];

function grantOf(row: string): Grant {
  const grant = GRANTS.find((one) => OPENS[one].includes(row));
  if (!grant) throw new Error(`No grant is written down for ${row}.`);
  return grant;
}

const NONE = 's_none';

/** `in`, or the code of the refusal with the grant that is missing, or why all are withheld. */
function expected(
  row: string,
  { kind, rights, workspace }: Pick<Who, 'kind' | 'rights' | 'workspace'>,
  session: string,
): string {
  const grant = grantOf(row);
  const foreign = workspace === 'other';
  if (kind === 'guest' && !OF_GUESTS.includes(row)) return 'FORBIDDEN';
  if (rights.withheld) return [...OF_ACCOUNT, ...OF_CONNECTION].includes(row) ? 'in' : `FORBIDDEN ${rights.withheld}`;
  if (OF_ACCOUNT.includes(row)) return kind === 'human' ? 'in' : 'FORBIDDEN';
  if (OF_CONNECTION.includes(row)) {
    const anywhere = [rights.workspace, rights.sessions, ...rights.named.values()];
    return anywhere.some((had) => had?.has(grant)) ? 'in' : `FORBIDDEN ${grant}`;
  }
  if (OF_SERVER.includes(row) && !(rights.server === true && rights.workspace.has(grant))) return 'FORBIDDEN';
  if (OF_WORKSPACE.includes(row)) {
    if (!rights.workspace.has(grant)) return `FORBIDDEN ${grant}`;
    if (OF_PEOPLE.includes(row) && kind !== 'human') return 'FORBIDDEN';
    return foreign && row === 'DELETE /browsers/:id' ? 'NOT_FOUND' : 'in';
  }
  const here = rights.named.get(session) ?? rights.sessions;
  if (here === undefined || rights.named.get(session)?.size === 0) return 'NOT_FOUND';
  const missing = [grant, 'watch' as const].find((one) => !here.has(one));
  if (missing) return `FORBIDDEN ${missing}`;
  if (OF_PEOPLE.includes(row) && kind !== 'human') return 'FORBIDDEN';
  if (foreign || session === NONE || session === dead) return 'NOT_FOUND';
  return OF_MAKER.includes(row) && !here.has('manage') ? 'FORBIDDEN' : 'in';
}

/** A principal of the matrix, with its credentials at the doors. */
interface Who {
  readonly kind: 'human' | 'agent' | 'guest';
  /** As written down. */
  readonly rights: Rights;
  /** As its role or key gives them; left out: as written down. */
  readonly given?: Rights;
  readonly workspace: 'own' | 'other';
  readonly headers: Readonly<Record<string, string>>;
  readonly auth: Readonly<Record<string, string>>;
}

let server: TestServer;
/** A session with a tab, a file and a download, and another one. */
let own: string;
let other: string;
/** A session that has ended. */
let dead: string;
/** By session. */
const downloads = new Map<string, string>();
let browser: string;
let cookie: string;
const people = new Map<string, Who>();
const clients: Client[] = [];

beforeAll(async () => {
  server = await startTestServer({ env: { LIMITS: 'sessions=200 sessions-server=200 chromes=20 requests=10000' } });
  own = (await server.session()).id;
  other = (await server.session()).id;
  dead = (await server.session()).id;
  browser =
    z.array(z.object({ id: z.string() })).parse((await server.api('GET', '/api/v1/browsers')).body)[0]?.id ?? '';
  await server.api('PUT', `/api/v1/sessions/${own}/files/a.txt`, { any: 'content' });
  await server.api('PUT', `/api/v1/sessions/${other}/files/a.txt`, { any: 'content' });
  for (const session of [own, other]) downloads.set(session, await downloaded(session));
  cookie = await server.signIn();
  for (const session of [own, other])
    await server.api('POST', `/api/v1/sessions/${session}/tabs/t1/control`, { do: 'release' });
  await everybody();
  await server.api('DELETE', `/api/v1/sessions/${dead}`);
});

afterEach(() => {
  for (const client of clients.splice(0)) client.disconnect();
});

afterAll(async () => {
  vi.restoreAllMocks();
  await server.close();
});

async function downloaded(session: string): Promise<string> {
  const fn = `() => { const link = document.createElement('a'); link.href = URL.createObjectURL(new Blob(['x'])); link.download = 'x.txt'; link.click(); }`;
  await server.act(session, { kind: 'evaluate', fn });
  const listed = z.array(z.object({ id: z.string(), state: z.string() }));
  for (;;) {
    const { body } = await server.api('GET', `/api/v1/sessions/${session}/downloads`);
    const done = listed.parse(body).find(({ state }) => state === 'done');
    if (done) return done.id;
  }
}

/** Everybody there is today, and principals as links, roles and keys of one's own will make them. */
async function everybody(): Promise<void> {
  const origin = server.origin;
  people.set('owner', {
    kind: 'human',
    rights: { ...everywhere(GRANTS), server: true },
    workspace: 'own',
    headers: { cookie, origin },
    auth: {},
  });
  people.set('preset key', {
    kind: 'agent',
    rights: { ...everywhere(KEY_GRANTS), server: true },
    workspace: 'own',
    ...byRealKey(TEST_KEY),
  });
  for (const grants of [
    ...KEY_GRANTS.map((grant) => [grant]),
    ...KEY_GRANTS.slice(1).map((grant) => ['watch', grant] as const),
  ]) {
    const made = await server.api('POST', '/api/v1/keys', { name: grants.join(' '), grants, sessions: 'workspace' });
    const { key } = z.object({ key: z.string() }).parse(made.body);
    people.set(`key: ${grants.join(', ')}`, {
      kind: 'agent',
      rights: ofKey(grants),
      workspace: 'own',
      ...byRealKey(key),
    });
  }
  for (const grants of [['watch'], ['watch', 'drive'], ['watch', 'drive', 'files', 'clipboard']] as const)
    people.set(`link: ${grants.join(', ')}`, await byLink(grants));
  const nothing: ReadonlySet<Grant> = new Set();
  const all: ReadonlySet<Grant> = new Set(GRANTS);
  const made: Record<string, [Rights, Who['workspace']]> = {
    'rights in one session': [
      { workspace: nothing, sessions: undefined, named: new Map([['own', new Set<Grant>(['watch', 'drive'])]]) },
      'own',
    ],
    'watches one session': [
      { workspace: nothing, sessions: undefined, named: new Map([['own', new Set<Grant>(['watch'])]]) },
      'own',
    ],
    'makes sessions, sees its own': [
      { workspace: new Set<Grant>(['watch', 'drive']), sessions: undefined, named: new Map([['own', all]]) },
      'own',
    ],
    'everywhere, but only watches one': [
      { workspace: all, sessions: all, named: new Map([['own', new Set<Grant>(['watch'])]]) },
      'own',
    ],
    'everywhere, but not in one': [{ workspace: all, sessions: all, named: new Map([['own', nothing]]) }, 'own'],
    'no rights at all': [everywhere([]), 'own'],
    'another workspace': [everywhere(GRANTS), 'other'],
  };
  const known = new Map<string, Principal>();
  for (const [name, [rights, workspace]] of Object.entries(made)) {
    const key = `made_${name.replace(/\W+/g, '_')}`;
    const who = { kind: 'agent', rights: { ...rights, named: inOwn(rights) }, workspace, ...byKey(key) } as const;
    people.set(name, who);
    known.set(`Bearer ${key}`, principalOf(key, who));
  }
  for (const [name, { kind, rights, given }] of Object.entries(byRole())) {
    const key = `role_${name.replace(/\W+/g, '_')}`;
    const who: Who = { kind, rights, given, workspace: 'own', ...byKey(key) };
    people.set(name, who);
    known.set(`Bearer ${key}`, gatePrincipal(who, key));
  }
  signsIn(known);
}

const openedSchema = z.object({ id: z.string(), url: z.string() });

/** A guest of a share link of the session `own`. */
async function byLink(grants: readonly Grant[]): Promise<Who> {
  const made = openedSchema.parse((await server.api('POST', `/api/v1/sessions/${own}/links`, { grants })).body);
  const answer = await fetch(`${server.origin}/api/v1/links/${made.id}/open`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ secret: new URL(made.url).hash.slice(1) }),
  });
  const cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const all = grants.includes('clipboard')
    ? [...grants, 'clipboard:copy' as const, 'clipboard:paste' as const]
    : grants;
  return {
    kind: 'guest',
    rights: { server: false, workspace: new Set(), sessions: undefined, named: new Map([[own, new Set<Grant>(all)]]) },
    workspace: 'own',
    headers: { cookie, origin: server.origin, 'x-link': made.id },
    auth: { link: made.id },
  };
}

/** Of a key of the owner's for the whole workspace. `keys` is of the workspace: with it alone, no session exists. */
function ofKey(grants: readonly Grant[]): Rights {
  const all = grantSet(grants);
  const inSessions = new Set([...all].filter((grant) => grant !== 'keys'));
  const sessions = inSessions.size > 0 ? inSessions : undefined;
  return { server: all.has('manage'), workspace: all, sessions, named: new Map() };
}

const WATCH = ['watch'] as const;
const PEER = ['watch', 'drive', 'files', 'clipboard', 'clipboard:copy', 'clipboard:paste'] as const;
const MEMBER = [...PEER, 'evaluate', 'share'] as const;
const MODERATOR = [...MEMBER, 'manage'] as const;

/** Rights as the tables of roles say, by hand: in the workspace, in an open session, and in the session `own`. */
function written(inWorkspace: readonly Grant[], open: readonly Grant[] | undefined, here: readonly Grant[]): Rights {
  return {
    workspace: new Set(inWorkspace),
    sessions: open && new Set(open),
    named: new Map([
      [own, new Set(here)],
      [other, new Set(open ?? [])],
    ]),
  };
}

type ByRole = Required<Pick<Who, 'kind' | 'rights' | 'given'>>;

/** People of every role and keys of theirs, with one session that is theirs, or gives them a role of its own. */
function byRole(): Record<string, ByRole> {
  const me = (role: Role): PersonFacts => ({ kind: 'person', id: 'p_me', role, server: false });
  const open: SessionAccess = {
    ...{ session: other, workspace: 'w', owner: 'p_ada', key: undefined },
    ...{ open: 'workspace', watchOnly: false, roles: new Map() },
  };
  const person = (role: Role, rights: Rights, here: Partial<SessionAccess> = {}): ByRole => ({
    kind: 'human',
    rights,
    given: rightsOf(me(role), [{ ...open, session: own, ...here }, open]),
  });
  const named = (as: SessionRole) => ({ open: 'named', roles: new Map([['p_me', as]]) }) as const;
  const inMember = [...MEMBER, 'keys'] as const;
  const inAdmin = [...inMember, 'manage'] as const;
  const key = (facts: Partial<KeyFacts>, role: Role, here: Partial<SessionAccess> = {}): Rights =>
    rightsOf({ kind: 'key', id: 'k_me', grants: KEY_GRANTS, scope: 'own', sessions: [], owner: me(role), ...facts }, [
      { ...open, session: own, ...here },
      open,
    ]);
  return {
    viewer: person('viewer', written(WATCH, WATCH, WATCH)),
    'viewer, as a peer': person('viewer', written(WATCH, WATCH, WATCH), named('peer')),
    member: person('member', written(inMember, MEMBER, MEMBER)),
    'member, of a session of their own': person('member', written(inMember, MEMBER, MODERATOR), { owner: 'p_me' }),
    'member, of a session to watch': person('member', written(inMember, MEMBER, WATCH), { watchOnly: true }),
    'member, not named': person('member', written(inMember, MEMBER, []), { open: 'named' }),
    observer: person('member', written(inMember, MEMBER, WATCH), named('observer')),
    peer: person('member', written(inMember, MEMBER, PEER), named('peer')),
    moderator: person('member', written(inMember, MEMBER, MODERATOR), named('moderator')),
    admin: person('admin', written(inAdmin, MODERATOR, MODERATOR), { open: 'named' }),
    'owner of the workspace': person('owner', written([...inAdmin, 'own'], MODERATOR, MODERATOR), { open: 'named' }),
    'owner without the second factor that the workspace requires': {
      kind: 'human',
      rights: { ...everywhere([]), withheld: 'SECOND_FACTOR_NEEDED' },
      given: { ...everywhere([]), withheld: 'SECOND_FACTOR_NEEDED' },
    },
    'key of a member, for what it made': {
      kind: 'agent',
      rights: written(inMember, undefined, MODERATOR),
      given: key({}, 'member', { owner: 'p_me', key: 'k_me' }),
    },
    'key of a viewer, for the workspace': {
      kind: 'agent',
      rights: written(WATCH, WATCH, WATCH),
      given: key({ scope: 'workspace' }, 'viewer'),
    },
  };
}

const byKey = (key: string): Pick<Who, 'headers' | 'auth'> => ({
  headers: { authorization: `Bearer ${key}` },
  auth: { key },
});
/** A key that is real is proven by its header, and does not count with strangers. */
const byRealKey = (key: string): Pick<Who, 'headers' | 'auth'> => ({ ...byKey(key), auth: {} });
const inOwn = ({ named: by }: Rights): Rights['named'] => new Map([...by.values()].map((grants) => [own, grants]));

function principalOf(id: string, { rights, workspace }: Pick<Who, 'rights' | 'workspace'>): AgentPrincipal {
  const { owner } = server.running.services.access;
  const base = { kind: 'agent', id, name: id, person: owner.id, rights, rev: 0, expiresAt: undefined } as const;
  return { ...base, workspace: workspace === 'own' ? owner.workspace : 'w_other', credential: { kind: 'key', id } };
}

/** No one can be given such rights yet, so these are admitted beside those who sign in. */
function signsIn(known: ReadonlyMap<string, Principal>): void {
  const { authentication } = server.running.services.access;
  const real = authentication.requirePrincipal.bind(authentication);
  vi.spyOn(authentication, 'requirePrincipal').mockImplementation(
    async (request) => known.get(String(request.headers['authorization'])) ?? real(request),
  );
}

const ALL = ROUTES.map((route) => ({ name: shortName(route), route }));
const NAMES = [...ALL.map(({ name }) => name), ...Object.keys(EVENTS)];

const addressOf = (session: string): Addresses[ThingKind] => ({
  session,
  tab: 't1',
  file: 'a.txt',
  download: downloads.get(session) ?? 'none',
  browser,
  key: 'k_none',
  invitation: 'i_none',
  member: 'p_none',
  link: 'sh_none',
});

const answerSchema = z.object({
  error: z.object({
    code: z.string(),
    details: z.object({ grant: z.string().optional(), reason: z.string().optional() }).optional(),
  }),
});

function outcomeOf(answer: unknown): string {
  const { error } = answerSchema.safeParse(answer).data ?? {};
  if (!error) return 'in';
  const { grant, reason = grant } = error.details ?? {};
  return reason === undefined ? error.code : `${error.code} ${reason}`;
}

/** The decision of the gate in front of each handler. */
function atGate(who: Who, name: string, session: string): string {
  const row: Right<ThingKind> = ALL.find((one) => one.name === name)?.route ?? EVENTS[eventOf(name)];
  const principal = gatePrincipal(who, 'k_gate');
  try {
    admit({ services: server.running.services, caller: { principal, door: 'http' } }, row, addressOf(session));
    return 'in';
  } catch (thrown) {
    return outcomeOf({ error: asWheelhouseError(thrown) });
  }
}

function gatePrincipal(who: Who, id: string): Principal {
  const base = principalOf(id, { ...who, rights: who.given ?? who.rights });
  if (who.kind === 'agent') return base;
  if (who.kind === 'guest') {
    const { person: _person, ...rest } = base;
    const link = { id: 'sh_gate', session: own, tab: undefined, since: '', by: 'Ada' };
    const expiresAt = Number.MAX_SAFE_INTEGER;
    return { ...rest, kind: 'guest', credential: { kind: 'link', id: `g_${id}` }, link, expiresAt };
  }
  return { ...base, kind: 'human', credential: { kind: 'cookie', id: `l_${id}` } };
}

/** The answer of the HTTP door. Only for refusals: an admitted call would be carried out. */
async function byHttp(headers: Readonly<Record<string, string>>, name: string, session: string): Promise<string> {
  const [method = '', template = ''] = name.split(' ');
  const ids: Record<string, string> = {
    sessions: downloads.get(session) ?? 'none',
    browsers: browser,
    keys: 'k_none',
    invitations: 'i_none',
    members: 'p_none',
    account: 'l_none',
  };
  const parts: Record<string, string> = {
    s: session,
    t: 't1',
    name: 'a.txt',
    r: '1',
    id: ids[template.split('/')[1] ?? ''] ?? '',
  };
  const url = `${template.replace(/:(\w+)/g, (_, part: string) => parts[part] ?? '')}${GOOD_QUERIES[name] ?? ''}`;
  const sent = GOOD_BODIES[name];
  const body = sent === undefined ? {} : { body: JSON.stringify(sent) };
  const type = { 'content-type': 'application/json' };
  const response = await fetch(`${server.origin}/api/v1${url}`, { method, headers: { ...type, ...headers }, ...body });
  return outcomeOf(await response.json());
}

/** The answer of the socket door. Only for refusals. */
async function bySocket(client: Client, name: string, session: string): Promise<string> {
  const event = eventOf(name);
  const answer = await new Promise<unknown>((resolve) =>
    emitTo(client, event, goodPayloads(session)[event], (ack: unknown) => resolve(ack)),
  );
  return outcomeOf(answer);
}

async function connected({ headers, auth }: Pick<Who, 'headers' | 'auth'>): Promise<Client> {
  const client = connectClient(server.origin, {
    auth: { ...auth },
    headers: 'key' in auth ? {} : { ...headers },
  });
  clients.push(client);
  await new Promise<void>((resolve, reject) => {
    client.on('connect', resolve);
    client.on('connect_error', reject);
  });
  return client;
}

const isEvent = (name: string): boolean => !name.includes(' ');

interface Refusal {
  readonly who: string;
  readonly name: string;
  readonly session: string;
  readonly written: string;
}

/** Every refusal that is listed for the sessions that a caller may ask for. */
function refusals(): Refusal[] {
  return [...people].flatMap(([who, one]) =>
    (one.rights.named.size > 0 ? [own, other, sized(NONE, dead)] : [own]).flatMap((session) =>
      NAMES.map((name) => ({ who, name, session, written: expected(name, one, session) })).filter(
        ({ written }) => written !== 'in',
      ),
    ),
  );
}

/**
 * One of those that differ by their caller alone, for each kind of caller, since each kind comes in by a way of its
 * own: another caller from row to row. The gate is asked for all.
 */
function oneOfEach(all: readonly Refusal[]): Refusal[] {
  const alike = new Map<string, Refusal[]>();
  for (const one of all) {
    const key = `${people.get(one.who)?.kind} | ${one.name} | ${one.session} | ${one.written}`;
    alike.set(key, [...(alike.get(key) ?? []), one]);
  }
  return [...alike.values()].flatMap((callers, at) => callers[at % callers.length] ?? []);
}

/** Sends the expected refusals of a caller to the door itself, and returns those that were not refused as listed. */
async function notRefused(one: Who, cells: readonly Refusal[]): Promise<object[]> {
  const client = await connected(one);
  const wrong: object[] = [];
  for (const { who, name, session, written } of cells) {
    const is = isEvent(name) ? await bySocket(client, name, session) : await byHttp(one.headers, name, session);
    if (is !== written) wrong.push({ cell: `${who} | ${name} | ${session}`, is, written });
  }
  return wrong;
}

describe('grants of every route and event', () => {
  it('[T5] every route and every event is under one grant, and no other is listed', () => {
    expect(Object.values(OPENS).flat().toSorted()).toEqual(NAMES.toSorted());
  });

  it('[AU6] no route is public but those by which people sign in', () => {
    expect(PUBLIC_ROUTES.map(shortName).toSorted()).toEqual(PUBLIC.toSorted());
  });

  it('[AU3][T6] the gate in front of each handler admits and refuses as listed, for every caller and session', () => {
    const cells = [...people].flatMap(([who, one]) =>
      [own, other, dead, NONE].flatMap((session) =>
        NAMES.map((name) => ({
          cell: `${who} | ${name} | ${session}`,
          is: atGate(one, name, session),
          written: expected(name, one, session),
        })),
      ),
    );

    expect(cells.filter(({ is, written }) => is !== written)).toEqual([]);
    expect(cells.length).toBe(people.size * 4 * NAMES.length);
  });

  it('[AU3][T6] both doors refuse with the listed code and grant, before anything is done', async () => {
    const all = refusals();
    const cells = sized(oneOfEach(all), all);
    const wrong = await Promise.all(
      [...people].map(([name, one]) =>
        notRefused(
          one,
          cells.filter(({ who }) => who === name),
        ),
      ),
    );
    const { body } = await server.api('GET', '/api/v1/sessions');

    expect(wrong.flat()).toEqual([]);
    expect(
      z
        .array(z.object({ id: z.string() }))
        .parse(body)
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual([own, other].toSorted());
  }, 120_000);

  it('[AU6] a stranger gets nothing from any route, and no connection', async () => {
    const answers = [];
    for (const { name } of ALL) answers.push([name, await byHttp({}, name, own)]);
    const refused = connected({ headers: {}, auth: {} }).then(
      () => 'connected',
      (error: Error) => error.message,
    );

    expect(answers).toEqual(ALL.map(({ name }) => [name, 'UNAUTHENTICATED']));
    expect(await refused).toBe('UNAUTHENTICATED');
  });
});

describe('the server itself', () => {
  it('[AU3] its figures are for its owner and for keys of theirs that manage it', async () => {
    const answers = await Promise.all(
      [...people].map(async ([name, { headers }]) => {
        const { status } = await fetch(`${server.origin}/metrics`, { headers });
        return status === 200 ? [name] : [];
      }),
    );

    expect(answers.flat()).toEqual(['owner', 'preset key', 'key: manage', 'key: watch, manage']);
  });
});

describe('lists', () => {
  it('[T6] contain only sessions that the caller may watch, and announce no other new one', async () => {
    const who = people.get('makes sessions, sees its own');
    const client = await connected(who ?? { headers: {}, auth: {} });
    const pushed = new Set<string>();
    client.on('session.state', ({ id }) => pushed.add(id));
    const wall = await ask(client, 'wall.watch', {});
    const listed = await fetch(`${server.origin}/api/v1/sessions`, { headers: { ...who?.headers } });
    await server.api('PATCH', `/api/v1/sessions/${other}`, { name: 'Renamed' });
    const { id: fresh } = await server.session();
    await server.api('PATCH', `/api/v1/sessions/${own}`, { name: 'Seen' });
    await expect.poll(() => [...pushed]).toContain(own);
    await server.api('DELETE', `/api/v1/sessions/${fresh}`);

    expect(wall.ok && wall.data.sessions.map(({ id }) => id)).toEqual([own]);
    expect(
      z
        .array(z.object({ id: z.string() }))
        .parse(await listed.json())
        .map(({ id }) => id),
    ).toEqual([own]);
    expect([...pushed]).toEqual([own]);
  });
});
