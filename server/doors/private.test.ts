import { HANDOVER } from '@/server/features/control/handover';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createBudget, withBudget } from '@/lib/budget/budget';
import { sessionSchema } from '@/lib/protocol/views';
import { driving, PRIVATE_FORM, PRIVATE_PAGE, soon, typed } from '@/server/testing/private-page';
import { ask } from '@/server/testing/socket-client';
import { useServerFixture } from '@/server/testing/server-fixture';

const SECRET = 'hunter2zebra';

const VALUES = ['birch-4417', 'cedar-5528', 'larch-6639', 'aspen-7741'];
const PREFILLED = `<title>Prefilled</title><input aria-label="First" value="birch-4417" autofocus><input aria-label="Second" value="cedar-5528"><input aria-label="Third" value="larch-6639"><a href="/next">Next</a><input aria-label="Fourth" value="aspen-7741">`;

const fixture = useServerFixture({
  '/': PRIVATE_PAGE,
  '/said': 'ok',
  '/form': PRIVATE_FORM,
  '/prefilled': PREFILLED,
  '/next': PREFILLED,
});

describe('a page that is held privately', () => {
  it('[CO8] tells readers how to wait, and that wait ends with the hold', async () => {
    const { id, hold } = await driving(fixture);
    await hold({ reason: 'a code' });
    const reply = await fixture.server.act(id, { kind: 'snapshot' });
    expect(reply.error).toMatchObject({
      code: 'CONTROL_HELD',
      message: 'Owner is entering something private; until that is over nobody else can see, read or use this page.',
      hint: expect.stringContaining('/tabs/t1/control/wait?until=shown'),
      details: { private: true, reason: 'a code' },
    });
    const waiting = fixture.server.api(
      'GET',
      `/api/v1/sessions/${id}/tabs/t1/control/wait?until=shown&timeoutMs=20000`,
    );
    await hold({ private: false });
    expect((await waiting).status).toBe(200);
    expect((await fixture.server.act(id, { kind: 'snapshot' })).ok).toBe(true);
  });

  it('[CO8] leaves no text in events for others, in the buffers, on the timeline, in the database or on disk', async () => {
    const { id, type, key, hold } = await driving(fixture);
    const agent = fixture.agent('listener');
    const heard: unknown[] = [];
    agent.onAny((...event) => heard.push(event));
    await ask(agent, 'session.join', { session: id });
    await ask(agent, 'rings.watch', { session: id, tab: 't1' });
    await ask(agent, 'snapshot.watch', { session: id, tab: 't1', options: {} });
    await hold();
    await type(SECRET);
    await typed(fixture, id, SECRET);
    await fixture.control(id, { do: 'take' });
    await key('Escape');
    await hold({ private: false });
    await soon(async () => (await fixture.server.act(id, { kind: 'snapshot' })).ok);
    const read = await Promise.all(
      ['console', 'errors', 'requests', 'har', 'snapshot'].map(
        async (what) => (await fixture.server.api('GET', `/api/v1/sessions/${id}/tabs/t1/${what}`)).body,
      ),
    );
    const rows = (await fixture.server.api('GET', `/api/v1/sessions/${id}/timeline`)).body;
    expect(JSON.stringify([heard, read, rows])).not.toContain(SECRET);
    expect(JSON.stringify(rows)).toContain('made the page private');
    expect(filesWith(fixture.server.dataDir, SECRET)).toEqual([]);
  });

  it('[CO8] hides the target id from others while it lasts, over every door; its holder sees it', async () => {
    const { id, person, type, hold } = await driving(fixture);
    const target = fixture.inside(id).activeSessionTab().tab.targetId;
    const agent = fixture.agent('listener');
    const read = async (...paths: readonly string[]): Promise<string> =>
      JSON.stringify(
        await Promise.all(paths.map(async (path) => (await fixture.server.api('GET', `/api/v1/sessions${path}`)).body)),
      );
    const lists = ['', `/${id}`, `/${id}/tabs`, `/${id}/timeline`] as const;
    const before = await read(...lists);
    await hold();
    const heard: unknown[] = [];
    agent.onAny((...event) => heard.push(event));
    const joined = await ask(agent, 'session.join', { session: id });
    await type('x');
    await typed(fixture, id, '?q=x');
    const during = await read(...lists, `/${id}/tabs/nowhere/snapshot`);
    const own = await ask(person, 'session.join', { session: id });
    await soon(() => heard.length > 0);

    expect([
      before.includes(target),
      during.includes(target),
      JSON.stringify([joined, heard]).includes(target),
      JSON.stringify(own).includes(target),
    ]).toEqual([true, false, false, true]);
    await hold({ private: false });
    await soon(async () => (await read(`/${id}/tabs`)).includes(target));
  });

  it('[CO8] masks the typed text afterwards, as long as the document lives: in snapshots, deltas and extracts', async () => {
    const { id, type, hold } = await driving(fixture, '/form');
    await fixture.server.act(id, { kind: 'snapshot' });
    await hold();
    await type(SECRET);
    await hold({ private: false });
    await soon(async () => (await fixture.server.act(id, { kind: 'snapshot' })).ok);
    const looks = [
      { kind: 'snapshot', since: 1 },
      { kind: 'snapshot' },
      { kind: 'snapshot', view: 'aria' },
      { kind: 'snapshot', find: SECRET },
      { kind: 'extract', what: 'html' },
      { kind: 'extract', what: 'text' },
      { kind: 'extract', what: 'attrs', selector: '#a' },
    ];
    for (const look of looks) {
      const reply = await fixture.server.act(id, look);
      expect(reply).toMatchObject({ ok: true });
      expect(JSON.stringify(reply), JSON.stringify(look)).not.toContain(SECRET);
    }
    expect(JSON.stringify(await fixture.server.act(id, { kind: 'snapshot' }))).toContain('[value=masked]');
  });

  it('[CO8] masks focused fields afterwards, even if nothing was entered; other fields are as before', async () => {
    const { id, key, hold } = await driving(fixture, '/prefilled');
    await hold();
    await key('Tab');
    await key('Tab');
    await key('Tab');
    await hold({ private: false });
    const seen = async (): Promise<boolean[]> => {
      const said = JSON.stringify([
        await fixture.server.act(id, { kind: 'snapshot' }),
        await fixture.server.act(id, { kind: 'extract', what: 'html' }),
      ]);
      return VALUES.map((value) => said.includes(value));
    };
    await soon(async () => (await fixture.server.act(id, { kind: 'snapshot' })).ok);
    expect(await seen()).toEqual([false, false, false, true]);
  });

  it('[CO8] masks focused fields also in a page that was opened during it, and nothing else of that page', async () => {
    const { id, key, hold } = await driving(fixture, '/prefilled');
    await hold();
    for (let press = 0; press < 3; press += 1) await key('Tab');
    await key('Enter');
    await soon(async () => (await focused(id)) === '/next First');
    // From here on the new page's reports of its focus are received.
    await withBudget({ timeoutMs: 10_000, clock: fixture.server.running.services.clock }, async (budget) => {
      await fixture.inside(id).registry.all()[0]?.tab.tools.privateFields.begin(budget, true);
    });
    await key('Tab');
    await key('Tab');
    await soon(async () => (await focused(id)) === '/next Third');
    await hold({ private: false });
    await soon(async () => (await fixture.server.act(id, { kind: 'snapshot' })).ok);
    const said = JSON.stringify(await fixture.server.act(id, { kind: 'snapshot' }));

    expect(VALUES.map((value) => said.includes(value))).toEqual([false, false, false, true]);
  });

  it('[CO8] ends by itself when the field is left, if so chosen, and not while a code continues from box to box', async () => {
    const { id, type, key, hold } = await driving(fixture, '/form');
    const control = async (): Promise<unknown> =>
      (await fixture.server.api('GET', `/api/v1/sessions/${id}/tabs/t1/control`)).body;
    expect(await hold({ until: 'field' })).toMatchObject({ private: { until: 'field' } });
    await type('a');
    await focusSeen(id);
    await key('Tab');
    await soon(async () => !JSON.stringify(await control()).includes('"private"'));
    await key('Tab');
    await hold({ until: 'field' });
    await type('1');
    await type('2');
    await focusSeen(id);
    expect(await control()).toMatchObject({ private: { until: 'field' } });
    await key('Tab');
    await soon(async () => !JSON.stringify(await control()).includes('"private"'));
  });

  it('[CO8] is for people who drive', async () => {
    const { id } = await fixture.server.session(fixture.url, 'driver');
    const refused = await fixture.server.api('POST', `/api/v1/sessions/${id}/tabs/t1/control`, {
      do: 'take',
      private: true,
    });
    const elsewhere = await fixture.control(id, { do: 'release', private: true });
    expect([refused, elsewhere]).toMatchObject([{ status: 403 }, { status: 400 }]);
  });

  it('[CO7] [CO8] stays so when its holder loses the connection, and is there for them again', async () => {
    const { id, person, type, hold } = await driving(fixture);
    await hold();
    await type(SECRET);
    person.disconnect();
    await soon(async () =>
      JSON.stringify((await fixture.server.api('GET', `/api/v1/sessions/${id}/tabs/t1/control`)).body).includes(
        'parkedMs',
      ),
    );
    expect((await fixture.server.act(id, { kind: 'snapshot' })).error).toMatchObject({ code: 'CONTROL_HELD' });
    const again = fixture.person();
    const joined = await ask(again, 'session.join', { session: id });
    expect(joined.ok && joined.data.session.tabs[0]).toMatchObject({
      title: 'Now •••',
      control: { state: 'held', private: { until: 'ended' } },
    });
  });

  it('[CO7] [CO8] of a person who does not come back is opened anew before anybody else gets it', async () => {
    const { id, type, hold } = await driving(fixture);
    await hold();
    await type(SECRET);
    await typed(fixture, id, SECRET);
    const session = fixture.inside(id);
    const before = session.registry.all()[0]?.tab.targetId;
    HANDOVER.of(session).left(fixture.server.running.services.access.owner.id, 'signed out');
    await soon(async () => (await fixture.server.act(id, { kind: 'snapshot' })).ok);
    const view = sessionSchema.parse((await fixture.server.api('GET', `/api/v1/sessions/${id}`)).body);
    expect(view.tabs[0]?.targetId).not.toBe(before);
    expect(JSON.stringify([view, (await fixture.server.act(id, { kind: 'snapshot' })).value])).not.toContain(SECRET);
  });
});

/** Which element has the focus is known to the server now. */
async function focusSeen(id: string): Promise<void> {
  const sessionTab = fixture.inside(id).registry.all()[0];
  const budget = createBudget({ timeoutMs: 10_000, clock: fixture.server.running.services.clock });
  await sessionTab?.tab.watch.eventsReported(budget);
  budget.dispose();
}

/** Files of ours below a folder that hold a text; what Chrome keeps of a page is its own. */
function filesWith(folder: string, text: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => path.join(folder, name));
  return files.filter(
    (file) =>
      !file.includes(`${path.sep}chrome${path.sep}`) && statSync(file).isFile() && readFileSync(file).includes(text),
  );
}

/** Address and name of the focused element, ignoring any hold. */
async function focused(id: string): Promise<unknown> {
  const session = fixture.inside(id).registry.all()[0]?.tab.sessions.sentinel;
  const answer = await session?.sendMayFail('Runtime.evaluate', {
    expression: 'location.pathname + " " + document.activeElement?.ariaLabel',
  });
  return answer?.result.value;
}
