import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { tracesOf } from '@/lib/secrets/testing/encodings';
import { CANARY_PAGE } from '@/server/testing/canary-page';
import { driving, soon } from '@/server/testing/private-page';
import { shareLink } from '@/server/testing/links';
import { ask } from '@/server/testing/socket-client';
import { useServerFixture, type ServerFixture } from '@/server/testing/server-fixture';

const log: string[] = [];
const fixture = useServerFixture(
  { '/': CANARY_PAGE, '/said': 'ok', '/pop': '<title>Popup</title>', '/to': 'ok' },
  { log: (line) => void log.push(line) },
);

/** One for each way and field; of characters that every encoding changes. */
const canary = (name: string): string => `Zq7"${name}& ü\\9k`;
const CANARIES = ['typed', 'filled', 'toggled', 'shown', 'key', 'code', 'card', 'labelled', 'variable', 'login'].map(
  canary,
);
const HELD = ['raw8zebra', 'held9hippo'];

let other = '';
beforeAll(async () => {
  const made = z.object({ key: z.string() }).parse(
    (
      await fixture.server.api('POST', '/api/v1/keys', {
        name: 'other',
        grants: ['watch', 'drive', 'evaluate', 'files'],
        sessions: 'workspace',
      })
    ).body,
  );
  other = made.key;
});

it('[T14] [SN6] [CO8] [PS1] a secret typed in any way is in nothing that another key reads or hears, nor in the store or the log, however the page repeats it', async () => {
  const { id, person, type, hold } = await driving(fixture, '/');
  const heard: unknown[] = [];
  const watcher = fixture.connect({ auth: { key: other, agent: 'watcher' } });
  watcher.onAny((...event) => heard.push(event));
  await ask(watcher, 'session.join', { session: id });
  await ask(watcher, 'rings.watch', { session: id, tab: 't1' });
  await ask(watcher, 'files.watch', { session: id });
  await ask(watcher, 'snapshot.watch', { session: id, tab: 't1', options: {} });
  const read = async (what: string): Promise<unknown> =>
    (await fixture.server.api('GET', `/api/v1/sessions/${id}${what}`, undefined, { authorization: `Bearer ${other}` }))
      .body;
  const act = async (action: object): Promise<unknown> =>
    (
      await fixture.server.api('POST', `/api/v1/sessions/${id}/tabs/t1/act`, action, {
        authorization: `Bearer ${other}`,
      })
    ).body;
  const focus = (field: string): Promise<unknown> =>
    fixture.server.running.services.hub
      .get(fixture.server.running.services.access.owner.workspace, id)
      .registry.find('t1')
      .tab.sessions.evaluate.send('Runtime.evaluate', { expression: `${field}.focus()` });

  await focus('card');
  await type(HELD[0] ?? '');
  await focus('labelled');
  await hold();
  await type(HELD[1] ?? '');
  await hold({ private: false });
  await soon(async () => (await fixture.server.act(id, { kind: 'snapshot' })).ok);
  await fixture.control(id, { do: 'release' });

  const press = (name: string): object => ({ kind: 'click', role: 'button', name });
  const told = async (): Promise<void> => {
    await fixture.server.act(id, press('Echo'));
    await fixture.server.act(id, press('Ask'));
    await fixture.server.act(id, { kind: 'dialog', do: 'answer', accept: true });
  };
  await told();
  const [
    typed = '',
    filled = '',
    toggled = '',
    shown = '',
    key = '',
    code = '',
    card = '',
    labelled = '',
    variable = '',
    login = '',
  ] = CANARIES;
  const replies = [
    await fixture.server.act(id, {
      kind: 'emulate',
      do: 'set',
      set: { credentials: { username: 'ada', password: login } },
    }),
    await fixture.server.act(id, { kind: 'type', selector: '#password', text: typed }),
    await fixture.server.act(id, {
      kind: 'fill',
      fields: [
        { selector: '#toggled', value: toggled },
        { selector: '#code', value: code },
        { selector: '#card', value: card },
        { selector: '#labelled', value: labelled },
      ],
    }),
    await fixture.server.act(id, press('Show password')),
    await fixture.server.act(id, { kind: 'type', selector: '#shown', text: shown, snapshot: 'full' }),
    await fixture.server.act(id, {
      kind: 'composite',
      label: 'in',
      variables: { who: filled, word: variable },
      actions: [
        { kind: 'type', selector: '#key', text: key },
        { kind: 'type', selector: '#plain', text: 'Ulm' },
        { kind: 'type', selector: '#password', text: '${word}' },
      ],
    }),
  ];
  expect(replies.map(({ error }) => error)).toEqual(replies.map(() => undefined));
  await told();
  await fixture.server.act(id, { kind: 'type', selector: '#password', text: typed });
  await told();
  await fixture.server.act(id, {
    kind: 'navigate',
    url: `${fixture.site.replace('//', `//ada:${encodeURIComponent(login)}@`)}/?token=${encodeURIComponent('tok3nInAddress')}#id_token=idTok3n`,
    id: 'once',
  });
  await fixture.server.act(id, {
    kind: 'evaluate',
    fn: `document.title = ${JSON.stringify(login)}; console.log(${JSON.stringify(login)}); 1`,
  });

  const looks = [
    '',
    '/tabs',
    '/timeline?limit=500',
    '/timeline?limit=500&format=jsonl',
    ...[
      'console',
      'errors',
      'requests?details=1',
      'har',
      'snapshot?refs=1&urls=1',
      'snapshot?view=aria',
      'snapshot?view=webarena',
      'cookies',
      'storage/local',
      'storage/session',
      'control',
      'emulation',
    ].map((what) => `/tabs/t1/${what}`),
    '/files',
  ];
  const answers = await Promise.all(looks.map(async (what) => [what, await read(what)]));
  const acts = [
    { kind: 'snapshot' },
    { kind: 'extract', what: 'html' },
    { kind: 'extract', what: 'text' },
    { kind: 'extract', what: 'links' },
    {
      kind: 'evaluate',
      fn: '[document.documentElement.outerHTML, location.href, document.cookie, window.name, { ...localStorage }, { ...sessionStorage }, [...document.querySelectorAll("input")].map((one) => one.value)]',
    },
    { kind: 'evaluate', fn: 'throw new Error(document.title + location.href)' },
    { kind: 'tab', do: 'list' },
    { kind: 'click', role: 'button', name: 'none such' },
  ];
  for (const action of acts) answers.push([JSON.stringify(action), await act(action)]);
  const requests = z
    .object({ items: z.array(z.object({ id: z.int(), url: z.string() })) })
    .parse(await read('/tabs/t1/requests'));
  for (const { id: request } of requests.items.slice(-12))
    for (const of of ['request', 'response'])
      answers.push([`body ${of}`, await read(`/tabs/t1/requests/${request}/body?of=${of}`)]);
  answers.push(['replies', replies], ['heard', heard], ['log', log]);
  person.disconnect();
  expect(leaks(answers)).toEqual([]);
  expect(onDisk(fixture)).toEqual([]);
  // A caller who may run scripts may ask the page for its address.
  const seen = answers.filter(([what]) => !String(what).includes('"evaluate"'));
  expect(
    seen.filter(([, answer]) => /tok3nInAddress|idTok3n/.test(JSON.stringify(answer))).map(([what]) => what),
  ).toEqual([]);
}, 120_000);

it('[T7] [AU4] the secret and the passcode of a share link, and the cookie of its guest, are in nothing that anybody reads, in no error, no log and no file', async () => {
  const id = await fixture.open();
  const { origin } = fixture.server;
  const terms = { grants: ['drive', 'files'], password: 'tulip&Passcode' };
  const link = await shareLink(fixture.server, id, terms);
  const { secret } = link;
  const post = (path: string, body: object): Promise<Response> =>
    fetch(`${origin}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const open = `/api/v1/links/${link.id}/open`;
  const opened = await post(open, { secret, name: 'Mia', password: terms.password });
  const setCookie = opened.headers.getSetCookie()[0] ?? '';
  const cookie = setCookie.split(';')[0] ?? '';
  const guest = { cookie, origin, 'x-link': link.id };
  const heard: unknown[] = [];
  const sockets = [fixture.person(), fixture.connect({ headers: { cookie, origin }, auth: { link: link.id } })];
  for (const socket of sockets) {
    socket.onAny((...event) => heard.push(event));
    heard.push(await ask(socket, 'hello', { protocol: 1 }), await ask(socket, 'session.join', { session: id }));
  }
  const text = async (asked: Promise<Response>): Promise<string> => {
    const answer = await asked;
    return JSON.stringify([answer.status, [...answer.headers], await answer.text()]);
  };
  const as = (headers: Record<string, string>, path: string): Promise<string> =>
    text(fetch(`${origin}${path}`, { headers, redirect: 'manual' }));
  const probes: [what: string, answer: unknown][] = [
    ['the answer of opening', await opened.text()],
    ['Set-Cookie', setCookie.includes(secret) ? setCookie : ''],
    [
      'opened with a secret that is cut',
      await text(post(open, { secret: secret.slice(0, -1), password: terms.password })),
    ],
    ['opened with a secret that is doubled', await text(post(open, { secret: secret.repeat(2) }))],
    ['a wrong passcode', await text(post(open, { secret, password: 'wrong' }))],
    ['a body that is none', await text(post(open, { secret, nonsense: secret.length }))],
    ['the secret in the path', await as({}, `/s/${link.id}`)],
    ['a page that does not exist', await as({}, `/s/${link.id}/none`)],
    ['the API of the guest', await as(guest, `/api/v1/sessions/${id}`)],
    ['what is closed to the guest', await as(guest, '/api/v1/sessions')],
  ];
  const reads = [
    ...['', '/links', '/access', '/timeline?limit=500', '/timeline?limit=500&format=jsonl', '/tabs/t1/comments'].map(
      (what) => `/api/v1/sessions/${id}${what}`,
    ),
    ...['/api/v1/log', '/api/v1/log?format=csv', '/api/v1/server', '/api/v1/server/bundle', '/api/v1/openapi.json'],
    ...['/api/v1/members', '/api/v1/keys', '/metrics', '/healthz'],
  ];
  const answers = await Promise.all(reads.map((path) => as(fixture.owner, path)));
  probes.push(...answers.map((answer, at): [string, string] => [reads[at] ?? '', answer]));
  probes.push(['heard', heard], ['log', log]);
  const token = cookie.split('=')[1] ?? '';
  const secrets: [string, string][] = [
    ['secret', secret],
    ['passcode', terms.password],
    ['cookie', token],
  ];

  expect([opened.status, secret.length > 20, token.length > 20]).toEqual([200, true, true]);
  expect(reads.filter((_, at) => !answers[at]?.startsWith('[200,'))).toEqual([]);
  expect(
    probes.flatMap(([what, answer]) =>
      secrets.flatMap(([name, value]) => (JSON.stringify(answer).includes(value) ? [`${name} in ${what}`] : [])),
    ),
  ).toEqual([]);
  expect(onDisk(fixture, secrets)).toEqual([]);
});

/** Which canary is found where, in which spelling. */
function leaks(answers: readonly unknown[][]): string[] {
  return answers.flatMap(([what, answer]) => {
    const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
    return traces().flatMap(([secret, trace]) =>
      text.includes(trace) || text.includes(JSON.stringify(trace).slice(1, -1))
        ? [
            `${String(what)}: ${secret} as ${trace} …${text.slice(Math.max(0, text.indexOf(trace) - 60), text.indexOf(trace) + 40)}`,
          ]
        : [],
    );
  });
}

function traces(): [string, string][] {
  return [...CANARIES.filter((one) => one !== canary('filled')), ...HELD].flatMap((secret) =>
    tracesOf(secret).map((trace): [string, string] => [secret, trace]),
  );
}

/** Files of ours that hold one; what Chrome keeps of a page is its own. */
function onDisk({ server: { dataDir } }: ServerFixture, searched = traces()): string[] {
  const files = readdirSync(dataDir, { recursive: true, encoding: 'utf8' }).map((name) => path.join(dataDir, name));
  const ours = files.filter((file) => !file.includes(`${path.sep}chrome${path.sep}`) && statSync(file).isFile());
  return ours.flatMap((file) =>
    searched.flatMap(([secret, trace]) =>
      file.includes(trace) || readFileSync(file).includes(trace)
        ? [`${path.basename(file)}: ${secret} as ${trace}`]
        : [],
    ),
  );
}
