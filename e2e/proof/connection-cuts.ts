import { isDeepStrictEqual } from 'node:util';
import type { Reply } from '@/lib/actions/reply';
import { FaultyProxy, CUTS, type Cut } from '@/server/testing/faulty-proxy';
import { byHttp, bySocket, type Sender } from '@/server/testing/senders';
import { startWeb, type Web } from '@/server/testing/web';
import type { Campaign } from './campaign';
import type { CampaignFixture } from './campaign-fixture';
import type { Random } from './random';

const FULL = 20;
const SMALL = 8;
/** Longest pause before an action is sent again, and longest delay of the cut after sending. Milliseconds. */
const PAUSE_MS = 250;
/** Number of tries without an answer after which an action counts as lost. */
const TRIES = 20;

/** Every effect reports its name to the page's own server, which counts them. */
const PAGE = `<title>Cuts</title><script>
  window.told = [];
  const hit = (tag) => window.told.push(fetch('/effect?' + tag, { method: 'POST' }));
</script>
${Array.from({ length: FULL }, (_, index) => `<button id="b${index}" onclick="hit('b${index}')">b${index}</button><button id="c${index}" onclick="hit('c${index}')">c${index}</button>`).join('')}
<form onsubmit="hit(f.value); event.preventDefault()"><input id="f"></form>`;

/** One line of the client's own journal. */
interface Entry {
  readonly id: string;
  readonly action: object;
  /** The effects that the page reports, once each. */
  readonly tags: readonly string[];
  sent: number;
  readonly replies: Reply[];
}

function entry(index: number, random: Random): Entry {
  const [b, c, t] = [`b${index}`, `c${index}`, `t${index}`];
  const [first, second] = [
    { kind: 'click', selector: `#${b}` },
    { kind: 'click', selector: `#${c}`, holdMs: random.between(0, PAUSE_MS) },
  ];
  const [action, ...tags] = random.pick<readonly [object, ...string[]]>([
    [first, b],
    [second, c],
    [{ kind: 'press', selector: `#${b}`, key: 'Enter' }, b],
    [{ kind: 'type', selector: '#f', text: t, submit: true }, t],
    [{ kind: 'evaluate', fn: '(tag) => hit(tag)', args: [t] }, t],
    [{ kind: 'batch', actions: [first, second] }, b, c],
  ]);
  const id = `${t} of ${random.between(0, 1_000_000)}`;
  return { id, action: { ...action, id, note: id }, tags, sent: 0, replies: [] };
}

/**
 * Sends the action until it is answered, as a client with a journal does; a client that died before it recorded the
 * answer asks once more.
 */
async function carryOut(
  entry: Entry,
  cut: Cut,
  senders: readonly [Sender, Sender],
  proxy: FaultyProxy,
  random: Random,
): Promise<void> {
  const [own, other] = senders;
  await own.ready();
  const broke = proxy.breakNext({ cut, afterMs: random.between(0, PAUSE_MS), share: random.next() });
  const send = async (by: Sender): Promise<void> => {
    entry.sent += 1;
    const reply = await by.send(entry.action);
    // RATE_LIMITED comes before anything is begun.
    if (reply && reply.error?.code !== 'RATE_LIMITED') entry.replies.push(reply);
  };
  await send(own);
  await broke;
  const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, random.between(0, PAUSE_MS)));
  do {
    await pause();
    await send(random.next() < 0.25 ? other : own);
  } while (entry.replies.length === 0 && entry.sent < TRIES);
}

/** Compares journal, page and timeline. */
async function mismatches(
  fixture: CampaignFixture,
  session: string,
  journal: readonly Entry[],
  effects: ReadonlyMap<string, number>,
): Promise<string[]> {
  const rows = await fixture.inside(session).timeline.events({ limit: 1_000 });
  const expected = new Set(journal.flatMap(({ tags }) => tags));
  const strange = [...effects.keys()]
    .filter((tag) => !expected.has(tag))
    .map((tag) => `the page tells of ${tag}, which nobody did`);
  return [
    ...strange,
    ...journal.flatMap(({ id, tags, replies, sent }) => {
      const [first, ...others] = replies;
      const of = rows
        .filter(({ text }) => text.endsWith(` — ${id}`))
        .map(({ phase, outcome }) => outcome ?? phase)
        .toSorted();
      const seen = tags.map((tag) => effects.get(tag) ?? 0);
      return [
        first?.ok === true ? [] : [`${id}, sent ${sent} times, was answered ${first?.error?.code ?? 'never'}`],
        others.every((reply) => isDeepStrictEqual(reply, first)) ? [] : [`${id} was answered in different ways`],
        seen.every((times) => times === 1) ? [] : [`${id} took effect ${seen.join(' and ')} times`],
        of.join() === 'intent,ok' ? [] : [`${id} is written down as ${of.join()}`],
      ].flat();
    }),
  ];
}

async function played(
  fixture: CampaignFixture,
  random: Random,
  index: number,
  actions: number,
  proxy: FaultyProxy,
  web: Web,
  effects: ReadonlyMap<string, number>,
): Promise<string | undefined> {
  const { id: session } = await fixture.server.session(`${web.origin}/`);
  const target = { origin: proxy.origin, host: new URL(fixture.server.origin).host, session };
  const [http, socket] = [byHttp(target), bySocket(target)];
  const journal = Array.from({ length: actions }, (_, number) => entry(number, random));
  try {
    for (const [number, one] of journal.entries()) {
      const cut = CUTS[number % CUTS.length] ?? 'before send';
      await carryOut(one, cut, index % 2 === 0 ? [http, socket] : [socket, http], proxy, random);
      fixture.count(`cut ${cut}`);
    }
    await fixture.act(session, { kind: 'evaluate', fn: '() => Promise.all(window.told)' });
    const problems = await mismatches(fixture, session, journal, effects);
    fixture.count('actions', actions);
    fixture.count(
      'times sent',
      journal.reduce((sum, { sent }) => sum + sent, 0),
    );
    fixture.count('lost', journal.filter(({ tags }) => tags.some((tag) => !effects.has(tag))).length);
    fixture.count('doubled', journal.filter(({ tags }) => tags.some((tag) => (effects.get(tag) ?? 0) > 1)).length);
    if ((await fixture.total('faults_total')) > 0) problems.push('the server counted a fault of its own');
    return problems.length === 0 ? undefined : problems.join('; ');
  } finally {
    http.close();
    socket.close();
    await fixture.server.api('DELETE', `/api/v1/sessions/${session}`);
  }
}

async function round(
  fixture: CampaignFixture,
  random: Random,
  index: number,
  actions: number,
): Promise<string | undefined> {
  const effects = new Map<string, number>();
  const web = await startWeb({
    '/': PAGE,
    '/effect': (request, response) => {
      const tag = request.url?.split('?')[1] ?? '';
      effects.set(tag, (effects.get(tag) ?? 0) + 1);
      response.end();
    },
  });
  const proxy = await FaultyProxy.open(fixture.server.origin);
  try {
    return await played(fixture, random, index, actions, proxy, web, effects);
  } finally {
    proxy.close();
    web.close();
  }
}

/**
 * F7: the connection breaks during an action, and the client sends the action again with the same id, by the same door
 * or the other.
 */
export const connectionCuts: Campaign = {
  id: 'F7',
  about:
    'connections cut before and after an action is sent and answered, by HTTP and Socket.IO: each sent again is done once, with one answer',
  full: 50,
  round: (fixture, random, index) => round(fixture, random, index, FULL),
  inSmall: (fixture, random, index) => round(fixture, random, index, SMALL),
};
