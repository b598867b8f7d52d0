import { timingsWith } from '@/server/config/timings';
import { ACTION_FILES } from '@/server/session/feature-slots';
import { existsSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { z } from 'zod';
import { sessionSchema } from '@/lib/protocol/views';
import { sized } from '@/server/testing/sized';
import { changeArbitrary, mutated, SAID_EVENTS, startMutated } from '@/server/testing/mutated-endpoint';
import { plausible, startHostileEndpoint, type Says } from '@/server/testing/hostile-endpoint';
import { startTestServer, type ApiAnswer, type TestServer } from '@/server/testing/server';
import { startWeb, type Web } from '@/server/testing/web';

const ATTACH_MS = 2_000;
/** Several times the limit for attaching: an attach that has not ended by then is not bounded. */
const MARKER_MS = 10_000;
const DOWN = { status: 503, body: { error: { code: 'BROWSER_DOWN' } } };

let server: TestServer;
let web: Web;
let neighbour: string;
const ends: (() => void)[] = [];
beforeAll(async () => {
  [server, web] = await Promise.all([
    startTestServer({ timings: timingsWith({ chrome: { attachMs: ATTACH_MS } }) }),
    startWeb('<title>Neighbour</title><button>Press</button>'),
  ]);
  neighbour = (await server.session(`${web.origin}/`)).id;
});
afterEach(async () => {
  for (const end of ends.splice(0)) end();
  const known = z
    .array(z.object({ id: z.string(), origin: z.string() }))
    .parse((await server.api('GET', '/api/v1/browsers')).body);
  for (const { id, origin } of known) if (origin === 'attached') await server.api('DELETE', `/api/v1/browsers/${id}`);
  for (const { id } of server.running.services.hub.list(server.running.services.access.owner.workspace))
    if (id !== neighbour) await server.api('DELETE', `/api/v1/sessions/${id}`);
});
afterAll(async () => {
  web.close();
  await server.close();
});

/** Attaches to it, before the marker. */
async function attach(cdpUrl: string): Promise<ApiAnswer> {
  let cancel = (): void => undefined;
  const marker = new Promise<never>((_, reject) => {
    const timer = setTimeout(() => reject(new Error('The call was still not answered at the marker.')), MARKER_MS);
    cancel = () => clearTimeout(timer);
  });
  return await Promise.race([server.api('POST', '/api/v1/browsers', { cdpUrl }), marker]).finally(() => cancel());
}

async function endpoint(says: Says, version?: RequestListener) {
  const made = await startHostileEndpoint(says, version);
  ends.push(made.close);
  return made;
}

/** What everybody sees and does goes on. */
async function othersGoOn(): Promise<unknown[]> {
  const [sessions, browsers, press] = await Promise.all([
    server.api('GET', '/api/v1/sessions'),
    server.api('GET', '/api/v1/browsers'),
    server.api('POST', `/api/v1/sessions/${neighbour}/tabs/active/act`, {
      kind: 'click',
      role: 'button',
      name: 'Press',
    }),
  ]);
  return [sessions.status, browsers.status, z.object({ ok: z.boolean() }).parse(press.body).ok];
}
const FINE = [200, 200, true];

const silent = (never: string, targetId: string): Says => {
  const right = plausible({ targetId });
  return (method, params, tell) => (method === never ? undefined : right(method, params, tell));
};
const instead = (method: string, answer: unknown, page: Readonly<Record<string, unknown>> = {}): Says => {
  const right = plausible(page);
  return (asked, params, tell) => (asked === method ? answer : right(asked, params, tell));
};

/** A session in a tab of an endpoint that is attached. */
async function sessionAt(says: Says) {
  const made = await endpoint(says);
  const { id: browser } = z.object({ id: z.string() }).parse((await attach(made.cdpUrl)).body);
  const { body } = await server.api('POST', '/api/v1/sessions', { browser });
  return { ...made, id: sessionSchema.parse(body).id };
}

/** Malformed answers by method, each with an action that reads the answer. */
const MALFORMED: readonly (readonly [string, object, readonly unknown[]])[] = [
  [
    'Network.getAllCookies',
    { kind: 'cookies', do: 'get' },
    [{}, { cookies: 5 }, { cookies: [null] }, { cookies: [{ name: 'a', value: {} }] }],
  ],
  ['Network.getCookies', { kind: 'cookies', do: 'get', urls: ['http://fake.example/'] }, [{ cookies: 'x' }]],
  ['Storage.getStorageKeyForFrame', { kind: 'storage', do: 'get', area: 'local' }, [{ storageKey: 5 }, []]],
  [
    'DOMStorage.getDOMStorageItems',
    { kind: 'storage', do: 'get', area: 'local' },
    [{ entries: [5] }, { entries: [['a', {}]] }],
  ],
  ['Runtime.callFunctionOn', { kind: 'evaluate', fn: '() => 1' }, [{}, { result: 5 }, { result: { type: [] } }]],
  ['Page.captureScreenshot', { kind: 'screenshot' }, [{}, { data: 5 }]],
  ['Page.printToPDF', { kind: 'pdf' }, [{ stream: { toString: null } }]],
  ['Page.navigate', { kind: 'navigate', url: 'http://other.example/' }, [{}, { frameId: 'T1', errorText: [] }]],
];

describe("answers of an attached endpoint are checked like callers' input", () => {
  it('[R7] a target with `url: null`, a title that is a list, an id that is none: no other session notices', async () => {
    for (const wrong of [
      { url: null },
      { title: ['x'] },
      { targetId: 7 },
      { targetId: '../../x' },
      { browserContextId: {} },
    ]) {
      const { cdpUrl } = await endpoint(plausible(wrong));
      await attach(cdpUrl);
      expect([wrong, ...(await othersGoOn())]).toEqual([wrong, ...FINE]);
    }
  });

  it('[R7] an endpoint with answers in another shape is refused, and nothing of it stays', async () => {
    const answers = [
      instead('Browser.getVersion', { product: [] }),
      instead('Browser.getVersion', { product: 'x'.repeat(100_000) }),
      instead('Target.getTargets', { targetInfos: 5 }),
      instead('Target.getBrowserContexts', []),
    ];
    for (const says of answers) expect(await attach((await endpoint(says)).cdpUrl)).toMatchObject(DOWN);
    expect([
      await othersGoOn(),
      server.running.services.hub.list(server.running.services.access.owner.workspace).map(({ id }) => id),
    ]).toEqual([FINE, [neighbour]]);
  });

  it('[BU3] an endpoint that never answers a command is released at the deadline, and nothing of it stays', async () => {
    const methods = ['Browser.getVersion', 'Target.getTargets', 'Target.setDiscoverTargets', 'Target.attachToTarget'];
    const answers = methods.map(async (method, index) => {
      const { cdpUrl } = await endpoint(silent(method, `N${index}`));
      return attach(cdpUrl);
    });
    expect(await Promise.all(answers)).toMatchObject(methods.map(() => DOWN));
    expect([
      await othersGoOn(),
      server.running.services.hub.list(server.running.services.access.owner.workspace).map(({ id }) => id),
    ]).toEqual([FINE, [neighbour]]);
  });

  it('[T2] a /json/version that redirects, never ends, has megabytes or no WebSocket address is refused; no other server is called', async () => {
    let asked = 0;
    const elsewhere = createServer((_, response) => {
      asked += 1;
      response.end('{}');
    });
    elsewhere.on('upgrade', (_, socket) => {
      asked += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
    ends.push(() => void elsewhere.close());
    const address = elsewhere.address();
    const other = `127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
    const says =
      (socket: unknown): RequestListener =>
      (_, response) =>
        void response.end(JSON.stringify({ Browser: 'Chrome/1', webSocketDebuggerUrl: socket }));
    const trickle: RequestListener = (_, response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write(' '), 100);
      response.on('close', () => clearInterval(timer));
    };
    const wrong: Record<string, RequestListener> = {
      silent: () => undefined,
      trickle,
      megabytes: (_, response) => void response.end(' '.repeat(20_000_000)),
      redirect: (_, response) => void response.writeHead(302, { location: `http://${other}/json/version` }).end(),
      file: says('file:///etc/passwd'),
      list: says(['ws://127.0.0.1/']),
      nothing: says(undefined),
      text: (_, response) => void response.end('<html>'),
    };
    const refusals = Object.entries(wrong).map(async ([name, version], index) => {
      const { cdpUrl } = await endpoint(plausible({ targetId: `W${index}` }), version);
      return [name, await attach(cdpUrl)];
    });
    expect(await Promise.all(refusals)).toMatchObject(Object.keys(wrong).map((name) => [name, DOWN]));
    // A host of its own, as forwarders write it, and one in the path: only the asked one is called.
    for (const [targetId, socket] of [
      ['T2', `ws://${other}/devtools/browser/x`],
      ['T3', `ws://127.0.0.1//${other}/x`],
    ] as const)
      expect((await attach((await endpoint(plausible({ targetId }), says(socket))).cdpUrl)).status).toBe(201);
    expect([asked, await othersGoOn()]).toEqual([0, FINE]);
  });

  it('[DI2] its download events touch no file of the server', async () => {
    const made = await endpoint(plausible());
    const attached = z.object({ id: z.string() }).parse((await attach(made.cdpUrl)).body);
    const made2 = sessionSchema.parse((await server.api('POST', '/api/v1/sessions', { browser: attached.id })).body);
    writeFileSync(path.join(server.dataDir, 'canary'), 'canary');
    const session = server.running.services.hub.get(server.running.services.access.owner.workspace, made2.id);
    const { incoming } = ACTION_FILES.of(session).sessionFiles;
    writeFileSync(path.join(incoming, 'fair'), 'x');
    const guids = [
      '../canary',
      '../../canary',
      '../../../canary',
      '../../../../canary',
      path.relative(incoming, path.join(server.dataDir, 'canary')),
      'fair',
    ];
    for (const guid of guids) {
      made.shout(
        JSON.stringify({
          method: 'Browser.downloadWillBegin',
          params: {
            guid,
            frameId: made2.tabs[0]?.targetId,
            url: 'http://fake.example/x',
            suggestedFilename: guid === 'fair' ? 'heard' : 'taken',
          },
        }),
      );
      made.shout(
        JSON.stringify({
          method: 'Browser.downloadProgress',
          params: { guid, totalBytes: 1, receivedBytes: 1, state: 'completed' },
        }),
      );
    }
    const files = async () => JSON.stringify((await server.api('GET', `/api/v1/sessions/${made2.id}/files`)).body);
    await expect.poll(files).toContain('heard');

    expect([
      (await files()).includes('taken'),
      existsSync(path.join(server.dataDir, 'canary')),
      await othersGoOn(),
    ]).toEqual([false, true, FINE]);
  });

  it('[R7] messages that are no messages, of any size and depth, end at most their own connection', async () => {
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    const bad = [
      'null',
      '[]',
      '{"method":"Target.targetCreated"}',
      '{"method":"Target.targetCreated","params":{"targetInfo":null}}',
      `{"method":"Target.targetCreated","params":{"targetInfo":${deep}}}`,
      `{"method":"Page.frameNavigated","params":{"frame":${deep}},"sessionId":"S2"}`,
      '{"id":1e99,"result":{}}',
      `{"method":"X.y","params":"${'x'.repeat(40_000_000)}"}`,
      'not json',
    ];
    const made = await endpoint(plausible());
    await attach(made.cdpUrl);
    for (const message of bad) made.shout(message);

    await expect
      .poll(
        async () =>
          z
            .array(z.object({ origin: z.string() }))
            .parse((await server.api('GET', '/api/v1/browsers')).body)
            .map(({ origin }) => origin),
        { timeout: MARKER_MS },
      )
      .toEqual(['launched']);
    expect(await othersGoOn()).toEqual(FINE);
  });

  it.each(MALFORMED)(
    '[R7] %s in another shape: its caller gets an error, and no other session notices',
    async (method, action, answers) => {
      for (const [at, answer] of answers.entries()) {
        const { id } = await sessionAt(instead(method, answer, { targetId: `${method}-${at}` }));
        const reply = await server.act(id, { ...action, timeoutMs: 3_000 });
        expect([answer, reply.error?.code, reply.error?.details]).toEqual([
          answer,
          'BROWSER_DOWN',
          expect.objectContaining({ method }),
        ]);
      }
      expect(await othersGoOn()).toEqual(FINE);
    },
  );

  it('[BR3][AC4] a Chrome that says it runs on a Mac is shown so, and gets the shortcut key of a Mac', async () => {
    const userAgent = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Chrome/156.0.0.0';
    const here = await server.api('GET', `/api/v1/sessions/${neighbour}`);
    const says = instead('Browser.getVersion', { product: 'Chrome/156', userAgent });
    const keys: unknown[] = [];
    const { id } = await sessionAt((method, params, tell) => {
      if (method === 'Input.dispatchKeyEvent') keys.push(params['key']);
      return says(method, params, tell);
    });
    const there = await server.api('GET', `/api/v1/sessions/${id}`);
    await server.act(id, { kind: 'press', key: 'ControlOrMeta', timeoutMs: 3_000 });

    expect([sessionSchema.parse(here.body).browser.mac, sessionSchema.parse(there.body).browser.mac]).toEqual([
      process.platform === 'darwin' ? true : undefined,
      true,
    ]);
    expect(keys).toEqual(['Meta', 'Meta']);
  });

  it.each(['Target.createBrowserContext', 'Target.createTarget'])(
    '[R7] %s in another shape: a session in it is refused, and no other session notices',
    async (method) => {
      const { cdpUrl } = await endpoint(instead(method, { targetId: [], browserContextId: 5 }));
      const { id: browser } = z.object({ id: z.string() }).parse((await attach(cdpUrl)).body);
      const { status, body } = await server.api('POST', '/api/v1/sessions', { browser });
      expect([status, body, await othersGoOn()]).toEqual([
        503,
        { error: expect.objectContaining({ code: 'BROWSER_DOWN', details: { method } }) },
        FINE,
      ]);
    },
  );

  it.each([
    ['Accessibility.getFullAXTree', { nodes: [{ nodeId: '1', ignored: false, childIds: [7] }] }],
    ['Accessibility.getFullAXTree', { nodes: [{ nodeId: '1', ignored: false, properties: [{ name: 5 }] }] }],
    ['DOMSnapshot.captureSnapshot', { strings: [5], documents: [] }],
    ['DOMSnapshot.captureSnapshot', { strings: [], documents: [{ frameId: 0, nodes: null, layout: {} }] }],
  ])('[R7][SN10] %s in another shape (%j) is left out of a snapshot', async (method, answer) => {
    const { id } = await sessionAt(instead(method, answer));
    const { ok, value } = await server.act(id, { kind: 'snapshot', timeoutMs: 5_000 });
    expect([ok, await othersGoOn()]).toEqual([true, FINE]);
    expect(value).toMatchObject({
      source: {
        kind: method === 'DOMSnapshot.captureSnapshot' ? 'ax' : 'dom',
        reason: expect.stringContaining(`${method}: the answer is not what the protocol says of it`),
      },
    });
  });

  it('[R7] with any answers and events (mutated conversations) lists, neighbours and the server go on', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(changeArbitrary, { minLength: 1, maxLength: 6 }), async (changes) => {
        const made = await startMutated(changes);
        try {
          await attach(made.cdpUrl);
          for (const change of changes)
            for (const event of SAID_EVENTS) made.shout(JSON.stringify(mutated(event, change)));
          expect(await othersGoOn()).toEqual(FINE);
        } finally {
          made.close();
        }
      }),
      { numRuns: sized(8, 30) },
    );
    expect(await (await fetch(`${server.origin}/metrics`)).text()).not.toMatch(/fault[^\n]*unhandled[^\n]* [1-9]/);
  });
});
