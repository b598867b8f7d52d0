import { gunzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { traceKeptSchema, traceStateSchema } from '@/lib/trace/schema';
import { startTestServer, TEST_KEY } from '@/server/testing/server';
import { useServerFixture } from '@/server/testing/server-fixture';

const PAGE = `<title>Traced</title><h1>Here</h1><script>
  const tell = () => { document.body.dataset.now = performance.now(); performance.mark('mark-of-' + location.pathname.slice(1)); };
  setInterval(tell, 20);
</script>`;

const fixture = useServerFixture(PAGE);

// Chrome has one trace at a time: none is left for the next test.
afterEach(async () => {
  const sessions = z
    .array(z.object({ id: z.string() }))
    .parse((await fixture.server.api('GET', '/api/v1/sessions')).body);
  for (const { id } of sessions) await fixture.server.api('DELETE', `/api/v1/sessions/${id}`);
});

const here = (path: string): string => `${fixture.site}/${path}`;
const elsewhere = (path: string): string => `${fixture.elsewhere}/${path}`;

const fileSchema = z.object({
  traceEvents: z.array(z.looseObject({ name: z.string(), ph: z.string(), pid: z.number(), args: z.unknown() })),
  metadata: z.object({ source: z.literal('DevTools'), dataOrigin: z.literal('TraceEvents') }),
});
const frameSchema = z.object({
  data: z.object({ frames: z.array(z.object({ frame: z.string(), processId: z.number() })) }),
});

/** A file of the session as its bytes. */
async function download(session: string, name: string): Promise<Buffer> {
  const answer = await fetch(`${fixture.server.origin}/api/v1/sessions/${session}/files/${name}`, {
    headers: { authorization: `Bearer ${TEST_KEY}` },
  });
  return Buffer.from(await answer.arrayBuffer());
}

const read = (bytes: Buffer): z.infer<typeof fileSchema> => fileSchema.parse(JSON.parse(bytes.toString('utf8')));

/** Lets the page run until it has reported this often. */
const runs = (session: string): Promise<unknown> =>
  fixture.server.act(session, {
    kind: 'evaluate',
    fn: '() => new Promise((done) => { let left = 10; const step = () => (left-- > 0 ? setTimeout(step, 20) : done()); step(); })',
  });

describe('a performance trace', () => {
  it('[PS5] has all that the performance panel needs: processes, threads, the main frame and its way through two sites', async () => {
    const { id } = await fixture.server.session(here('first'));
    await fixture.server.act(id, { kind: 'trace', do: 'start' });
    await fixture.server.act(id, { kind: 'navigate', url: here('second'), waitUntil: 'load' });
    await fixture.server.act(id, { kind: 'navigate', url: elsewhere('third'), waitUntil: 'load' });
    await runs(id);
    const kept = traceKeptSchema.parse((await fixture.server.act(id, { kind: 'trace', do: 'stop' })).value);
    const { traceEvents } = read(await download(id, kept.file.name));
    const names = new Set(traceEvents.map(({ name }) => name));
    const threads = new Set(
      traceEvents
        .filter(({ ph, name }) => ph === 'M' && name === 'thread_name')
        .map(({ args }) => z.object({ name: z.string() }).parse(args).name),
    );
    const [frame] = frameSchema.parse(traceEvents.find(({ name }) => name === 'TracingStartedInBrowser')?.args).data
      .frames;
    const inFrame = new Set(
      traceEvents
        .filter(
          ({ name, args }) =>
            name === 'navigationStart' && z.object({ frame: z.string() }).parse(args).frame === frame?.frame,
        )
        .map(({ pid }) => pid),
    );

    expect([...names]).toEqual(
      expect.arrayContaining([
        'process_name',
        'FrameCommittedInBrowser',
        'navigationStart',
        'CommitLoad',
        'ResourceSendRequest',
        'FunctionCall',
        'ProfileChunk',
        'mark-of-second',
        'mark-of-third',
      ]),
    );
    expect([...threads]).toEqual(expect.arrayContaining(['CrBrowserMain', 'CrRendererMain']));
    expect(inFrame.size).toBe(2);
    expect([kept.ended, kept.cut, kept.events, kept.file.from]).toEqual(['stop', false, traceEvents.length, 'trace']);
  });

  it('[T6] [PS5] contains nothing of other sessions in the same Chrome, whatever they do meanwhile', async () => {
    const [mine, theirs] = [
      await fixture.server.session(here('mine')),
      await fixture.server.session(here('canary-before'), 'Other'),
    ];
    await fixture.server.act(mine.id, { kind: 'trace', do: 'start' });
    await fixture.server.act(
      theirs.id,
      { kind: 'navigate', url: elsewhere('canary-during?q=canary'), waitUntil: 'load' },
      'Other',
    );
    await fixture.server.act(theirs.id, { kind: 'click', at: { x: 20, y: 20 } }, 'Other');
    await fixture.server.session(here('canary-new'), 'Other');
    await Promise.all([runs(mine.id), runs(theirs.id)]);
    const kept = traceKeptSchema.parse((await fixture.server.act(mine.id, { kind: 'trace', do: 'stop' })).value);
    const text = (await download(mine.id, kept.file.name)).toString('utf8');

    expect([text.includes('mark-of-mine'), text.includes('canary'), kept.leftOut > 0]).toEqual([true, false, true]);
  });

  it('[PS5] start, stop and download have addresses of their own; the file is compressed on request', async () => {
    const { id } = await fixture.server.session(here('routes'));
    const at = `/api/v1/sessions/${id}/tabs/active/trace`;
    const started = traceStateSchema.parse(
      (await fixture.server.api('POST', `${at}/start`, { screenshots: false, maxMs: 60_000 })).body,
    );
    await runs(id);
    const answer = await fetch(`${fixture.server.origin}${at}/stop`, {
      method: 'POST',
      headers: { authorization: `Bearer ${TEST_KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({ gzip: true, saveAs: 'slow page.json.gz' }),
    });
    const { traceEvents } = read(gunzipSync(Buffer.from(await answer.arrayBuffer())));
    const files = z
      .array(z.object({ name: z.string(), from: z.string() }))
      .parse((await fixture.server.api('GET', `/api/v1/sessions/${id}/files`)).body);

    expect([started.running, started.screenshots, answer.status, answer.headers.get('content-disposition')]).toEqual([
      true,
      false,
      200,
      expect.stringContaining('attachment'),
    ]);
    expect([
      traceEvents.some(({ name }) => name === 'Screenshot'),
      traceEvents.some(({ name }) => name === 'mark-of-routes'),
      files,
    ]).toEqual([false, true, [expect.objectContaining({ name: 'slow page.json.gz', from: 'trace' })]]);
  });

  it('[PS5] ends by itself when its time is over, and is kept', async () => {
    const { id } = await fixture.server.session(here('time'));
    await fixture.server.act(id, { kind: 'trace', do: 'start', maxMs: 1_000 });
    const kept = await untilKept(id);
    const stopped = await fixture.server.act(id, { kind: 'trace', do: 'stop', saveAs: 'later.json' });

    expect([kept.ended, kept.ms >= 1_000, traceKeptSchema.parse(stopped.value)]).toEqual([
      'time',
      true,
      { ...kept, file: { ...kept.file, name: 'later.json' } },
    ]);
  });

  it('[PS5] [CO3] ends when the lease passes: no holder is recorded by a trace that another started', async () => {
    const { id } = await fixture.server.session(here('wheel'));
    await fixture.server.act(id, { kind: 'trace', do: 'start' });
    const cookie = await fixture.server.signIn();
    const taken = await fetch(`${fixture.server.origin}/api/v1/sessions/${id}/tabs/active/control`, {
      method: 'POST',
      headers: { cookie, origin: fixture.server.origin, 'content-type': 'application/json' },
      body: JSON.stringify({ do: 'take' }),
    });

    expect([taken.status, (await untilKept(id)).ended]).toEqual([200, 'wheel']);
  });

  it('[PS5] a page that hangs is traced nevertheless, and its loop is in the file', async () => {
    const { id } = await fixture.server.session(here('hang'));
    await fixture.server.act(id, { kind: 'trace', do: 'start' });
    await fixture.server.act(id, { kind: 'evaluate', fn: '() => setTimeout(function endless() { for (;;); }, 0)' });
    const kept = traceKeptSchema.parse((await fixture.server.act(id, { kind: 'trace', do: 'stop' })).value);
    await fixture.server.act(id, { kind: 'remedy', do: 'stop-script' });

    expect([kept.ended, kept.events > 100]).toEqual(['stop', true]);
  });

  it('[AC8] [PS5] every refusal says what to do', async () => {
    const [one, two] = [await fixture.server.session(here('one')), await fixture.server.session(here('two'), 'Other')];
    const codes = async (session: string, agent: string | undefined, action: object): Promise<unknown> => {
      const { error } = await fixture.server.act(session, { kind: 'trace', ...action }, agent);
      return [error?.code, error?.hint];
    };
    expect(await codes(one.id, undefined, { do: 'stop' })).toEqual([
      'CONFLICT',
      'Start a trace first: {"kind":"trace","do":"start"}.',
    ]);
    await fixture.server.act(one.id, { kind: 'trace', do: 'start' });
    expect(await codes(one.id, undefined, { do: 'start' })).toEqual([
      'CONFLICT',
      'End that trace first: {"kind":"trace","do":"stop"}.',
    ]);
    expect(await codes(two.id, 'Other', { do: 'start' })).toEqual([
      'CONFLICT',
      expect.stringContaining('Chrome of its own'),
    ]);
    expect(await codes(one.id, undefined, { do: 'stop', saveAs: '../up.json' })).toEqual([
      'PATH_DENIED',
      expect.any(String),
    ]);
    expect(await codes(one.id, undefined, { do: 'get', gzip: true })).toEqual(['BAD_REQUEST', expect.any(String)]);
    expect(traceKeptSchema.parse((await fixture.server.act(one.id, { kind: 'trace', do: 'stop' })).value).ended).toBe(
      'stop',
    );
  });

  it('[PS5] ends with its tab, and the next tab can be traced', async () => {
    const { id } = await fixture.server.session(here('ends'));
    const tab = z
      .object({ id: z.string() })
      .parse((await fixture.server.api('POST', `/api/v1/sessions/${id}/tabs`, { url: here('second-tab') })).body).id;
    await fixture.server.act(id, { kind: 'trace', do: 'start', tab });
    await fixture.server.api('DELETE', `/api/v1/sessions/${id}/tabs/${tab}`);
    const again = await untilStarted(id);

    expect(again.running).toBe(true);
    await fixture.server.act(id, { kind: 'trace', do: 'stop', tab: 't1' });
  });
});

describe('a trace whose Chrome dies', () => {
  it('[F1] [PS5] is reported as lost, and none is shown as running', async () => {
    const own = await startTestServer();
    const { id } = await own.session(here('dies'));
    await own.act(id, { kind: 'trace', do: 'start' });
    const { store, access } = own.running.services;
    const [record] = await store.browsers.listOpen(access.owner.workspace);
    const told = new Promise<string>((resolve) =>
      own.running.services.hub
        .get(access.owner.workspace, id)
        .timeline.onEvent.on(({ kind, text }) => kind === 'files' && resolve(text)),
    );
    process.kill(-Number(record?.pid), 'SIGKILL');
    const line = await told;
    const timeline = await own.api('GET', `/api/v1/sessions/${id}/timeline?kind=files`);
    await own.close();

    expect([line, timeline.body]).toEqual([
      expect.stringContaining('trace was lost'),
      [expect.objectContaining({ text: line })],
    ]);
  });
});

/** Chrome takes a moment to end a trace whose page has closed. */
async function untilStarted(session: string): Promise<z.infer<typeof traceStateSchema>> {
  for (;;) {
    const reply = await fixture.server.act(session, { kind: 'trace', do: 'start', tab: 't1' });
    if (reply.ok) return traceStateSchema.parse(reply.value);
    if (reply.error?.code !== 'CONFLICT') throw new Error(reply.error?.message);
  }
}

async function untilKept(session: string): Promise<z.infer<typeof traceKeptSchema>> {
  for (;;) {
    const { kept } = traceStateSchema.parse(
      (await fixture.server.api('GET', `/api/v1/sessions/${session}/tabs/t1/trace`)).body,
    );
    if (kept) return kept;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
