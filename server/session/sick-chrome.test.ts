import { TIMINGS, timingsWith } from '@/server/config/timings';
import { RECOVERY } from '@/server/session/feature-slots';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { launchTestChrome } from '@/server/testing/chrome';
import { soon } from '@/server/testing/private-page';
import { startTestServer, type TestServer } from '@/server/testing/server';
import { startWeb } from '@/server/testing/web';
import { chromeOf, lives } from './testing/chromes';

/**
 * A Chrome that is there and answers nothing (BR5, CO9): ended for good, with all that belongs to it, and replaced.
 * Each test has a server and a Chrome of its own, and mostly waits: they run side by side.
 */

/** Asked once more for less long than by the product, and looked after at once. */
const QUICK = { onceMoreMs: 1_500, lookEveryMs: 100 };
const PAGE =
  '<title>Shop</title><script>document.cookie = "basket=fern"; localStorage.setItem("basket", "fern")</script>';

/** The owner's request, as the interface sends it. */
async function restart(server: TestServer, id: string): Promise<{ status: number; body: unknown }> {
  const headers = { cookie: await server.signIn(), origin: server.origin };
  const response = await fetch(`${server.origin}/api/v1/sessions/${id}/browser`, { method: 'POST', headers });
  return { status: response.status, body: await response.json() };
}

it.concurrent('[BR5][BU3] refuses a new session inside its budget, with the cure, and nothing of it stays; once Chrome goes on one is created. [BR5][CO9] Is ended and replaced when a person asks, unless it answers, and not for an agent; sessions can be ended meanwhile', async () => {
  const web = await startWeb(PAGE);
  const chrome = { ...TIMINGS.chrome, ...QUICK };
  const server = await startTestServer({ timings: { ...TIMINGS, chrome } });
  const { id } = await server.session(`${web.origin}/?one`);
  const { id: other } = await server.session(`${web.origin}/?two`);
  for (const session of [id, other])
    await RECOVERY.of(server.running.services.hub.get(server.running.services.access.owner.workspace, session)).save();
  const sick = await chromeOf(server);
  process.kill(sick.pid, 'SIGSTOP');
  chrome.contextMs = 1_000;
  const refused = await server.api('POST', '/api/v1/sessions');
  const listed = z.array(z.object({ id: z.string() })).parse((await server.api('GET', '/api/v1/sessions')).body);
  chrome.contextMs = TIMINGS.chrome.contextMs;
  process.kill(sick.pid, 'SIGCONT');
  const { id: over } = await server.session(`${web.origin}/?over`);
  const well = await restart(server, id);
  // A store that is locked just then.
  server.running.services.browsers.fleet.onEffect.on(() => {
    throw new Error('The database is locked.');
  });
  process.kill(sick.pid, 'SIGSTOP');
  const byAgent = await server.api('POST', `/api/v1/sessions/${id}/browser`);
  const ended = await server.api('DELETE', `/api/v1/sessions/${over}`);
  const stillThere = lives(sick);
  const revived = await restart(server, id);
  await soon(() => !lives(sick));
  const { hub, access } = server.running.services;
  await soon(() => hub.get(access.owner.workspace, other).state === 'live');
  const found = (await server.act(id, { kind: 'evaluate', fn: '[localStorage.getItem("basket"), document.cookie]' }))
    .value;
  const rows = z
    .array(z.object({ said: z.object({ code: z.string() }) }))
    .parse((await server.api('GET', `/api/v1/sessions/${other}/timeline?kind=browser`)).body);
  await server.close();
  web.close();

  expect(refused).toMatchObject({
    status: 503,
    body: {
      error: {
        code: 'BROWSER_DOWN',
        retry: 'later',
        message: 'Chrome is running, but it has not answered for 1 s.',
        hint: expect.stringContaining('the server replaces it'),
      },
    },
  });
  expect(listed.map((one) => one.id).toSorted()).toEqual([id, other].toSorted());
  expect([well.status, byAgent.status, ended.status, stillThere]).toEqual([409, 409, 200, true]);
  expect(revived).toMatchObject({
    status: 200,
    body: { state: 'live', tabs: [{ id: 't1', url: `${web.origin}/?one` }] },
  });
  expect(found).toEqual(['fern', 'basket=fern']);
  expect(rows.map(({ said }) => said.code)).toEqual(
    expect.arrayContaining(['chromeSilent', 'chromeReturning', 'browserReturned', 'stateRestoredOf']),
  );
}, 90_000);

it.concurrent('[BR5][F11] that a starting server finds is ended, too, and its sessions are restored as saved', async () => {
  const web = await startWeb(PAGE);
  const first = await startTestServer();
  const { id } = await first.session(`${web.origin}/?one`);
  const sick = await chromeOf(first);
  await first.close({ keepChrome: true, keepData: true });
  process.kill(sick.pid, 'SIGSTOP');

  const second = await startTestServer({ dataDir: first.dataDir, timings: timingsWith({ restoreMs: 10_000 }) });
  await soon(() => !lives(sick));
  const { hub, access } = second.running.services;
  await soon(() => hub.get(access.owner.workspace, id).state === 'live');
  const found = (await second.act(id, { kind: 'evaluate', fn: '[location.search, localStorage.getItem("basket")]' }))
    .value;
  await second.close();
  web.close();

  expect(found).toEqual(['?one', 'fern']);
}, 90_000);

it.concurrent('[F11] one that is only slow when a server starts keeps its pages', async () => {
  const web = await startWeb(PAGE);
  const first = await startTestServer();
  const { id } = await first.session(`${web.origin}/?one`);
  await first.act(id, { kind: 'evaluate', fn: '() => { window.kept = "here"; }' });
  const slow = await chromeOf(first);
  await first.close({ keepChrome: true, keepData: true });
  process.kill(slow.pid, 'SIGSTOP');
  const [second] = await Promise.all([
    startTestServer({ dataDir: first.dataDir, timings: timingsWith({ restoreMs: 15_000 }) }),
    pause(3_000).then(() => process.kill(slow.pid, 'SIGCONT')),
  ]);
  const { value } = await second.act(id, { kind: 'evaluate', fn: 'window.kept' });
  const still = lives(slow);
  await second.close();
  web.close();

  expect([value, still]).toEqual(['here', true]);
}, 90_000);

it.concurrent('[F11] one that answers and cannot be taken over lives on, with its profile, without a session; when it has ended its profile is removed', async () => {
  const web = await startWeb(PAGE);
  const first = await startTestServer();
  const { id } = await first.session(`${web.origin}/?one`);
  const well = await chromeOf(first);
  await first.close({ keepChrome: true, keepData: true });
  const owner = path.join(well.profile, 'wheelhouse-owner.pid');
  rmSync(owner);
  // Nothing can be written there, as on a full disk.
  mkdirSync(owner);
  const second = await startTestServer({ dataDir: first.dataDir, timings: timingsWith({ chrome: QUICK }) });
  const { hub, access } = second.running.services;
  await soon(() => hub.get(access.owner.workspace, id).state === 'live');
  const found = [lives(well), existsSync(path.join(well.profile, 'Default')), existsSync(owner)];
  process.kill(-well.pid, 'SIGKILL');
  await soon(() => !lives(well) && !existsSync(well.profile));
  await second.close();
  web.close();

  expect(found).toEqual([true, true, false]);
}, 90_000);

it.concurrent('[BR5][BR3] an attached one belongs to its owner: a request to replace it is told that it answers nothing', async () => {
  const chrome = await launchTestChrome();
  const server = await startTestServer({ timings: timingsWith({ chrome: QUICK }) });
  const attached = z
    .object({ id: z.string() })
    .parse((await server.api('POST', '/api/v1/browsers', { cdpUrl: chrome.wsUrl })).body);
  const [session] = z.array(z.object({ id: z.string() })).parse((await server.api('GET', '/api/v1/sessions')).body);
  const well = await restart(server, session?.id ?? '');
  chrome.process.kill('SIGSTOP');
  const sick = await restart(server, session?.id ?? '');
  chrome.process.kill('SIGCONT');
  await server.close();
  await chrome.close();

  expect(attached.id).toMatch(/^b_/);
  expect(well).toMatchObject({ status: 409, body: { error: { message: expect.stringContaining('runs.') } } });
  expect(sick).toMatchObject({
    status: 409,
    body: {
      error: { message: expect.stringContaining('does not answer'), hint: expect.stringContaining('attach it again') },
    },
  });
}, 60_000);
