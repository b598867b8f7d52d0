import { expect, it } from 'vitest';
import type { TestServer } from '@/server/testing/server';
import { useServerFixture } from '@/server/testing/server-fixture';
import { soon } from '@/server/testing/private-page';

/** Masks of private holds that are over (CO8), where the page outlives the server. */

const FORM =
  '<title>Form</title><input aria-label="Word"><div contenteditable aria-label="Note" role="textbox" id="note">Empty</div><div contenteditable id="plain">Draft</div><input aria-label="Free"><p>Calm text</p>';
/** More fields change than are kept by name, so all of that frame are masked. */
const FILLS = `<iframe src="ELSEWHERE/crowd" id="crowd"></iframe><script>document.querySelector('input').addEventListener('input', () => crowd.contentWindow.postMessage('fill', '*'));</script>`;
const CROWD =
  '<title>Crowd</title><input aria-label="Quiet" value="zebra9"><script>for (let at = 0; at < 501; at += 1) document.body.append(Object.assign(document.createElement("input"), { className: "many" })); addEventListener("message", () => { for (const one of document.querySelectorAll(".many")) one.value = "oposs" + "um5"; });</script>';
const PAGES = {
  '/': `${FORM}<iframe src="ELSEWHERE/inner"></iframe>${FILLS}`,
  '/inner': '<title>Inner</title><input aria-label="Inside">',
  '/crowd': CROWD,
};
const fixture = useServerFixture(PAGES);
const SECRET = 'wombat31polka';
/** What the page wrote into more fields than are kept, and what one of them held all the time. */
const [MANY, QUIET] = ['opossum5', 'zebra9'];

/** What the owner does in the interface. */
async function person(session: string, what: 'act' | 'control', body: object): Promise<void> {
  const headers = { ...fixture.owner, 'content-type': 'application/json' };
  const response = await fetch(`${fixture.server.origin}/api/v1/sessions/${session}/tabs/t1/${what}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  const { error }: { error?: unknown } = await response.json();
  expect([response.status, error]).toEqual([200, undefined]);
}

/** Everything that tells of the page's content, but scripts. */
async function told(server: TestServer, id: string): Promise<string> {
  const looks = [
    { kind: 'snapshot' },
    ...['text', 'markdown', 'html', 'links', 'table'].map((what) => ({ kind: 'extract', what })),
    { kind: 'extract', what: 'text', selector: '#plain' },
  ];
  const replies = [];
  for (const look of looks) replies.push(await server.act(id, look));
  expect(replies.map(({ error }) => error)).toEqual(looks.map(() => undefined));
  return JSON.stringify(replies);
}

it('[CO8] outlive a restart of the server, in fields, editors and frames of other sites, also where all fields of a frame are masked, and end with their document', async () => {
  const id = await fixture.open();
  const { server: first } = fixture;
  await soon(async () => /Inside[^]*Quiet/.test((await first.snapshot(id)).text));
  const inside = (await first.snapshot(id)).refs.find(({ name }) => name === 'Inside')?.ref;
  await person(id, 'control', { do: 'take', private: true });
  for (const target of [
    { selector: '[aria-label="Word"]' },
    { selector: '#note' },
    { selector: '#plain' },
    { ref: inside },
  ])
    await person(id, 'act', { kind: 'type', ...target, text: SECRET });
  await person(id, 'control', { do: 'release' });
  await soon(async () => (await first.act(id, { kind: 'snapshot' })).ok);
  await first.act(id, { kind: 'type', selector: '[aria-label="Free"]', text: 'free words' });
  const before = await told(first, id);
  await fixture.restart();

  const { server: second } = fixture;
  await soon(async () => /Inside[^]*Quiet/.test((await second.snapshot(id)).text));
  const after = await told(second, id);
  const typed = (
    await second.act(id, {
      kind: 'evaluate',
      fn: '(word) => [document.querySelector("input").value, document.querySelector("#note").textContent, document.querySelector("#plain").textContent].map((text) => text === word)',
      args: [SECRET],
    })
  ).value;
  await second.act(id, { kind: 'navigate', url: `${fixture.url}?again` });
  await second.act(id, { kind: 'type', selector: '[aria-label="Word"]', text: 'another' });
  const anew = (await second.snapshot(id)).text;

  // They are there, and scripts of the page can read them.
  expect(typed).toEqual([true, true, true]);
  for (const text of [before, after]) {
    expect([text.includes(SECRET), text.includes(MANY), text.includes('Quiet')]).toEqual([false, false, true]);
    expect([text.includes('Calm text'), text.includes('free words'), text.includes('value=masked')]).toEqual([
      true,
      true,
      true,
    ]);
  }
  expect(after).not.toContain(QUIET);
  expect([anew.includes('value="another"'), anew.includes('masked')]).toEqual([true, false]);
}, 120_000);
