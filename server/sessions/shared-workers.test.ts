import { expect, it, vi } from 'vitest';
import { useStand } from '@/server/testing/stand';
import type { WebPage } from '@/server/testing/web';
import type { Session } from './session';

const script = (text: string): WebPage => (_, response) => void response.writeHead(200, { 'content-type': 'text/javascript' }).end(text);

const PAGE = `<title>Shares</title><script>
  const { port } = new SharedWorker('/shared.js');
  port.onmessage = ({ data }) => { document.title = data; };
  window.say = (words) => port.postMessage(words);
</script>`;

const stand = useStand({
  '/': PAGE,
  '/other': '<title>Other</title>',
  '/shared.js': script(`console.log('worker begins'); fetch('/asked-at-once');
    onconnect = ({ ports: [port] }) => { port.postMessage('connected'); port.onmessage = ({ data }) => { console.log(data); if (data === 'fail') throw new Error('worker fails'); port.postMessage(data); }; };`),
});

const watchOf = (session: Session, tab: string) => session.book.get(tab)?.tab.watch;
const linesOf = (session: Session, tab: string) => watchOf(session, tab)?.console.read({ since: 0 }).items.map(({ text, from }) => ({ text, from })) ?? [];
const textsOf = (session: Session, tab: string): string[] => linesOf(session, tab).map(({ text }) => text);
const say = (id: string, words: string, tab: string) => stand.server.act(id, { kind: 'evaluate', fn: '(words) => window.say(words)', args: [words], tab });

it('[PS1] what a shared worker writes, throws and asks for, from its first script on, is told in the tab that began it, and says where it comes from', async () => {
  const id = await stand.open();
  const session = stand.inside(id);
  const from = { kind: 'shared-worker', url: `${stand.site}/shared.js` };
  await say(id, 'fail', 't1');
  await vi.waitFor(() => {
    expect(linesOf(session, 't1')).toEqual(expect.arrayContaining([{ text: 'worker begins', from }, { text: 'fail', from }]));
    expect(watchOf(session, 't1')?.errors.read({ since: 0 }).items).toMatchObject([{ text: expect.stringContaining('worker fails'), from }]);
    expect(watchOf(session, 't1')?.requests.ring.read({ since: 0 }).items).toEqual(expect.arrayContaining([expect.objectContaining({ url: `${stand.site}/asked-at-once`, state: 'done', from })]));
  }, 10_000);
});

it('[PS1] one that outlives its tab is told in another tab of its site, and never in another session', async () => {
  const [id, beside] = [await stand.open(), await stand.open()];
  const session = stand.inside(id);
  await vi.waitFor(() => expect(textsOf(session, 't1')).toContain('worker begins'), 10_000);
  await stand.server.act(id, { kind: 'tab', do: 'open', url: `${stand.site}/other` });
  await stand.server.act(id, { kind: 'tab', do: 'open', url: stand.url });
  await stand.server.act(id, { kind: 'wait', fn: 'document.title === "connected"', tab: 't3' });
  await stand.server.act(id, { kind: 'tab', do: 'close', tab: 't1' });
  await say(id, 'still here', 't3');
  await vi.waitFor(() => expect(textsOf(session, 't3')).toContain('still here'), 10_000);
  expect([textsOf(session, 't2'), textsOf(stand.inside(beside), 't1').includes('still here')]).toEqual([[], false]);
});

it('[CO8] while a page of the session is private, nothing that a shared worker says is kept in any tab', async () => {
  const id = await stand.open();
  const session = stand.inside(id);
  await stand.server.act(id, { kind: 'tab', do: 'open', url: `${stand.site}/other` });
  await vi.waitFor(() => expect(textsOf(session, 't1')).toContain('worker begins'), 10_000);
  await stand.server.act(id, { kind: 'tab', do: 'focus', tab: 't2' });
  const held = await stand.control(id, { do: 'take', private: true });
  expect([held.status, session.privacy.covers('t2')]).toEqual([200, true]);
  const run = (expression: string): Promise<unknown> => session.book.get('t1')?.tab.sessions.evaluate.send('Runtime.evaluate', { expression, awaitPromise: true }) ?? Promise.resolve();
  const heard = (words: string): string => `new Promise((heard) => { port.addEventListener('message', () => heard(0)); window.say('${words}'); })`;
  await run(heard('kept from all'));
  await stand.control(id, { do: 'take', private: false });
  await vi.waitFor(() => expect(session.privacy.any).toBe(false), 10_000);
  await run(heard('to be kept'));
  await vi.waitFor(() => expect(textsOf(session, 't1')).toContain('to be kept'), 10_000);
  expect(textsOf(session, 't1')).not.toContain('kept from all');
});
