import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { createBudget } from '@/lib/budget/budget';
import { monotonicClock } from '@/lib/budget/clock';
import { CdpConnection } from '@/server/cdp/connection';
import { FaultyProxy } from '@/server/testing/faulty-proxy';
import { launchTestChrome, type TestChrome } from '@/server/testing/chrome';
import { startDevtoolsForwarder, type MessageRewrite } from '@/server/testing/devtools-forwarder';
import {
  restartSharedTestServer,
  sharedTestServer,
  startTestServer,
  type ApiAnswer,
  type TestServer,
} from '@/server/testing/server';

const REFUSED = { status: 409, body: { error: { code: 'CONFLICT' } } };
const browserSchema = z.object({ id: z.string(), origin: z.string() });

let server: TestServer;
let chrome: TestChrome;
const ends: (() => void)[] = [];
beforeAll(async () => {
  [server, chrome] = await Promise.all([startTestServer(), launchTestChrome()]);
});
afterEach(async () => {
  for (const end of ends.splice(0)) end();
  for (const { id, origin } of await browsers())
    if (origin === 'attached') await server.api('DELETE', `/api/v1/browsers/${id}`);
});
afterAll(async () => {
  await server.close();
  await chrome.close();
});

const attach = (cdpUrl: string): Promise<ApiAnswer> => server.api('POST', '/api/v1/browsers', { cdpUrl });
const browsers = async () => z.array(browserSchema).parse((await server.api('GET', '/api/v1/browsers')).body);
const sessionsNow = async (): Promise<number> =>
  z.array(z.unknown()).parse((await server.api('GET', '/api/v1/sessions')).body).length;

/** The debugging port of the Chrome that the server started for its sessions. */
async function ourPort(): Promise<string> {
  await server.session();
  const { browsers: all, access } = server.running.services;
  const [own] = all.list(access.owner.workspace).filter(({ origin }) => origin === 'launched');
  return new URL(all.get(access.owner.workspace, own?.id ?? '').wsUrl).host.split(':')[1] ?? '';
}

async function forwarder(wsUrl: string, rewrite?: MessageRewrite): Promise<string> {
  const made = await startDevtoolsForwarder(wsUrl, rewrite);
  ends.push(made.close);
  return made.cdpUrl;
}

describe('a Chrome that the server drives is not attached again', () => {
  it('[BR3] refuses its own Chrome by its port, by other names, through a forwarder, and through one that rewrites /json/version', async () => {
    const port = await ourPort();
    const wsUrl = z
      .object({ webSocketDebuggerUrl: z.string() })
      .parse(await (await fetch(`http://127.0.0.1:${port}/json/version`)).json()).webSocketDebuggerUrl;
    const cable = await FaultyProxy.open(`http://127.0.0.1:${port}`);
    ends.push(() => cable.close());
    const before = [await browsers(), await sessionsNow()];
    const answers = await Promise.all(
      [
        `http://127.0.0.1:${port}`,
        `http://localhost:${port}`,
        `http://127.1:${port}/`,
        wsUrl,
        cable.origin,
        await forwarder(wsUrl),
      ].map(attach),
    );

    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 409));
    expect(answers[0]?.body).toMatchObject({
      error: {
        code: 'CONFLICT',
        message: expect.stringContaining('already drives'),
        hint: expect.stringContaining('POST /api/v1/sessions'),
        details: { browser: expect.stringMatching(/^b_/) },
      },
    });
    expect([await browsers(), await sessionsNow()]).toEqual(before);
  });

  it('[BR3] so it is when it shows no page at all, as after its last session ended', async () => {
    const port = await ourPort();
    const { hub, access } = server.running.services;
    for (const session of hub.list(access.owner.workspace))
      await server.api('DELETE', `/api/v1/sessions/${session.id}`);
    const pages = z
      .array(z.object({ id: z.string(), type: z.string() }))
      .parse(await (await fetch(`http://127.0.0.1:${port}/json/list`)).json());
    for (const { id } of pages) await fetch(`http://127.0.0.1:${port}/json/close/${id}`);
    await expect
      .poll(async () => z.array(z.unknown()).parse(await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()))
      .toEqual([]);

    expect(await attach(`http://localhost:${port}`)).toMatchObject(REFUSED);
  });

  it('[BR3] an attached Chrome is attached once: its address again gives the same one, another spelling is refused', async () => {
    const { port } = new URL(chrome.wsUrl);
    const first = await attach(`http://127.0.0.1:${port}`);
    const again = await attach(`http://127.0.0.1:${port}`);
    const others = await Promise.all(
      [`http://localhost:${port}`, chrome.wsUrl, await forwarder(chrome.wsUrl)].map(attach),
    );

    expect([first.status, again.body]).toEqual([201, first.body]);
    expect(others).toMatchObject([REFUSED, REFUSED, REFUSED]);
  });

  it('[BR3] of several simultaneous attaches of one Chrome one wins', async () => {
    const { port } = new URL(chrome.wsUrl);
    const spellings = [
      `http://127.0.0.1:${port}`,
      `http://localhost:${port}`,
      chrome.wsUrl,
      await forwarder(chrome.wsUrl),
    ];
    const answers = await Promise.all(spellings.map(attach));
    const attached = (await browsers()).filter(({ origin }) => origin === 'attached');

    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409]);
    expect(attached.length).toBe(1);
  });

  it('[BR3] detaches from a Chrome that hides its identity when it later shows a tab that the server knows', async () => {
    const { port } = new URL(chrome.wsUrl);
    const own = await CdpConnection.open(createBudget({ timeoutMs: 10_000, clock: monotonicClock }), chrome.wsUrl, {
      lane: 'commands',
    });
    ends.push(() => own.close());
    const first = z.object({ id: z.string() }).parse((await attach(`http://127.0.0.1:${port}`)).body);
    const blank = (message: string): string => {
      const heard: unknown = JSON.parse(message);
      const answer = z.object({ id: z.number(), result: z.looseObject({}) }).safeParse(heard);
      if (!answer.success || !('targetInfos' in answer.data.result || 'browserContextIds' in answer.data.result))
        return message;
      return JSON.stringify({ id: answer.data.id, result: { targetInfos: [], browserContextIds: [] } });
    };
    const silentAtFirst: MessageRewrite = (message) =>
      message.includes('Target.targetCreated') && !message.includes('#shown') ? undefined : blank(message);
    const second = await attach(await forwarder(chrome.wsUrl, silentAtFirst));
    const { targetId } = await own.browser.send('Target.createTarget', { url: 'data:text/html,later#shown' });
    ends.unshift(() => void own.browser.sendMayFail('Target.closeTarget', { targetId }));

    expect(second.status).toBe(201);
    await expect
      .poll(async () => (await browsers()).filter(({ origin }) => origin === 'attached').map(({ id }) => id))
      .toEqual([first.id]);
  });

  it('[BR3] CHROME_CDP_URL with the address of a Chrome that the last run started gives no second browser', async () => {
    const first = await sharedTestServer();
    await first.session();
    const { browsers: all, access } = first.running.services;
    const [own] = all.list(access.owner.workspace);
    const { port } = new URL(all.get(access.owner.workspace, own?.id ?? '').wsUrl);
    const second = await restartSharedTestServer(undefined, { env: { CHROME_CDP_URL: `http://localhost:${port}` } });
    onTestFinished(() => second.close());
    const now = z.array(browserSchema).parse((await second.api('GET', '/api/v1/browsers')).body);

    expect(now).toEqual([expect.objectContaining({ id: own?.id, origin: 'launched' })]);
  });
});
