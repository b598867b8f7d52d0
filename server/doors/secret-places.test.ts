import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { soon } from '@/server/testing/private-page';
import { useServerFixture } from '@/server/testing/server-fixture';

/** Places that repeat a secret, each seen to repeat it (T14, SN6). */
const TYPED = 'wombat31polka';
const PROMPTED = 'walrus77tango';
let asked: string[] = [];
const fixture = useServerFixture({
  '/': `<title>Places</title><input id="word" type="password" aria-label="Word"><button onclick="said.textContent = 'Got ' + prompt('Your password?')">Ask</button><p id="said"></p>
    <button onclick="window.open('/pop?' + word.value)">Pop</button>
    <button onclick="link.download = word.value + '.txt'; link.href = window.URL.createObjectURL(new Blob(['x'])); link.click()">Save</button><a id="link"></a>
    <button onclick="new WebSocket('ws://' + location.host + '/ws?' + word.value).onclose = () => said.append('closed')">Call</button>`,
  '/pop': '<title>Popup</title>',
  '/bytes': (request, response) => {
    asked.push(request.url ?? '');
    response
      .writeHead(200, { 'content-type': 'application/octet-stream' })
      .end(Buffer.concat([Buffer.from([0, 255, 254]), Buffer.from(TYPED)]));
  },
});

it('[T14] bodies of bytes, prompts, popups, WebSockets, HAR, questions and receipts have the mask in its place', async () => {
  asked = [];
  const { id } = await fixture.server.session(`${fixture.site}/`);
  const read = async (what: string): Promise<unknown> =>
    (await fixture.server.api('GET', `/api/v1/sessions/${id}${what}`)).body;
  const has = (what: string, text: string): Promise<void> =>
    soon(async () => JSON.stringify(await read(what)).includes(text));
  const press = async (name: string): Promise<void> =>
    expect((await fixture.server.act(id, { kind: 'click', role: 'button', name })).error).toBeUndefined();
  await fixture.server.act(id, { kind: 'type', selector: '#word', text: TYPED });

  await fixture.server.act(id, {
    kind: 'evaluate',
    fn: `fetch('/bytes?' + word.value).then((answer) => answer.arrayBuffer()).then(() => 1)`,
  });
  expect(asked.join()).toContain(TYPED);
  const entries = z
    .object({ items: z.array(z.object({ id: z.int(), url: z.string() })) })
    .parse(await read('/tabs/t1/requests'));
  const request = entries.items.find(({ url }) => url.includes('/bytes?•••'))?.id ?? -1;
  const body = z
    .object({ body: z.string(), base64: z.literal(true) })
    .parse(await read(`/tabs/t1/requests/${request}/body?of=response`));
  const bytes = Buffer.from(body.body, 'base64');
  expect([bytes.subarray(0, 3), bytes.subarray(3).toString()]).toEqual([Buffer.from([0, 255, 254]), '***']);

  await press('Call');
  await has('/tabs/t1/requests', '/ws?•••');
  await press('Pop');
  await has('', '/pop?•••');
  await fixture.server.act(id, { kind: 'click', role: 'button', name: 'Ask' });
  await fixture.server.act(id, { kind: 'dialog', do: 'answer', accept: true, promptText: PROMPTED });
  await has('/tabs/t1/snapshot', 'Got •••');

  await fixture.server.api('POST', `/api/v1/sessions/${id}/tabs/t1/control`, {
    do: 'ask-human',
    reason: `Is it "${TYPED}"?`,
    timeoutMs: 1_000,
    expiresInMs: 1_000,
  });
  await fixture.control(id, { do: 'take' });
  await fixture.control(id, { do: 'hand-back', note: `typed ${TYPED}` });
  const received = JSON.stringify(await read('/tabs/t1/control/wait?timeoutMs=20000'));
  expect(received).toContain('typed •••');
  const all = JSON.stringify(
    await Promise.all(
      [
        '',
        '/files',
        '/timeline?limit=500',
        ...['har', 'requests?details=1', 'console', 'control'].map((what) => `/tabs/t1/${what}`),
      ].map(read),
    ),
  );
  expect(all).toContain('Is it \\"•••\\"?');
  expect(`${received}${all}`).not.toMatch(new RegExp(`${TYPED}|${PROMPTED}`));
}, 90_000);

it('[T14] the name of a download that repeats a secret has the mask in its place, on the list, the timeline and the disk', async () => {
  const { id } = await fixture.server.session(`${fixture.site}/`);
  await fixture.server.act(id, { kind: 'type', selector: '#word', text: TYPED });
  const saved = await fixture.server.act(id, { kind: 'download', do: 'click', role: 'button', name: 'Save' });
  const files = await fixture.server.api('GET', `/api/v1/sessions/${id}/files`);
  const rows = await fixture.server.api('GET', `/api/v1/sessions/${id}/timeline?limit=500`);
  const onDisk = readdirSync(fixture.server.dataDir, { recursive: true, encoding: 'utf8' });

  expect([saved.error, JSON.stringify([saved, files.body, rows.body])]).toEqual([
    undefined,
    expect.stringContaining('•••.txt'),
  ]);
  expect(JSON.stringify([saved, files.body, rows.body, onDisk])).not.toContain(TYPED);
});
