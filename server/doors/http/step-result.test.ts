import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { replySchema, stepResultSchema } from '@/lib/actions/reply';
import type { SnapshotView } from '@/lib/protocol/views';
import { lightLoop } from '@/server/testing/light-loop';
import { refOf } from '@/server/testing/server';
import { useServerFixture } from '@/server/testing/server-fixture';

/**
 * The results of steps, and the ways in which a step names an element, on a page with a same-site and a cross-site
 * frame.
 */
const COUNTING = `<p id="n">0</p><script>const count = () => { n.textContent = Number(n.textContent) + 1; }</script>`;
const PAGES = {
  '/': `<title>Steps</title>${COUNTING}<button onclick="count()">Outer</button><button onclick="">Idle</button><button onclick="alert('Sure?')">Ask</button>
    <button onclick="window.open('/other')">Popup</button><iframe src="/near" title="Near"></iframe><iframe src="ELSEWHERE/far" title="Far"></iframe>`,
  '/near': `${COUNTING}<button id="same" onclick="count()">Push</button>`,
  '/far': `${COUNTING}<button id="same" onclick="count()">Push</button><input aria-label="Field">`,
  '/other': '<title>Other</title><h1>Other page</h1>',
  '/stuck': `<title>Stuck</title><button onclick="hang()">Hang</button><script>function hang() { ${await lightLoop()} }</script>`,
};

const fixture = useServerFixture(PAGES);
let session: string;

/** A session that shows the page, for the tests from here on. */
const open = async (): Promise<void> => {
  session = (await fixture.server.session(fixture.url)).id;
};

const answerSchema = z.object({ parsed: z.object({ rule: z.string() }), reply: replySchema, result: stepResultSchema });

async function send(body: object, tab = 'active'): Promise<z.infer<typeof answerSchema>> {
  return answerSchema.parse(
    (await fixture.server.api('POST', `/api/v1/sessions/${session}/tabs/${tab}/steps`, body)).body,
  );
}

const resultOf = async (step: string): Promise<unknown> => (await send({ step })).result;

/** The snapshot once both frames are in it. */
async function whole(query = 'refs=1'): Promise<SnapshotView> {
  const until = performance.now() + 10_000;
  for (;;) {
    const snapshot = await fixture.server.snapshot(session, query);
    if (snapshot.text.split('Push').length === 3) return snapshot;
    if (performance.now() > until)
      expect.fail(`Both frames are not in:\n${snapshot.text}\n${JSON.stringify(snapshot.source)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** The counters of the page and of its two frames. */
async function counts(): Promise<readonly number[]> {
  return [...(await whole()).text.matchAll(/text "(\d+)"|paragraph[^\n]*"(\d+)"/g)].map(([, text, paragraph]) =>
    Number(text ?? paragraph),
  );
}

/** By how much each of the three counters has grown. */
async function grown(since: readonly number[]): Promise<readonly number[]> {
  return (await counts()).map((count, at) => count - (since[at] ?? Number.NaN));
}

describe('the result of a step', () => {
  beforeEach(open);

  it('[ST4] says whether the page differs from before', async () => {
    await whole();

    expect(await resultOf('click role=button name=Outer')).toEqual({ tab: 't1', answer: null, changed: true });
    expect(await resultOf('click role=button name=Idle')).toEqual({ tab: 't1', answer: null, changed: false });
    expect(await resultOf('extract [text]')).toEqual({ tab: 't1', answer: null, changed: false });
    expect(await resultOf(`goto [${fixture.site}/other]`)).toEqual({ tab: 't1', answer: null, changed: true });
    expect(await resultOf('wait [Other page]')).toEqual({ tab: 't1', answer: null, changed: false });
  });

  it('[ST4] names the tab in which the next step acts, which the session keeps', async () => {
    expect(await resultOf(`new_tab [${fixture.site}/other]`)).toEqual({ tab: 't2', answer: null, changed: true });
    expect(await resultOf('wait [Other page]')).toMatchObject({ tab: 't2' });
    expect(await resultOf('tab_focus [0]')).toEqual({ tab: 't1', answer: null, changed: true });
    expect(await resultOf('None')).toEqual({ tab: 't1', answer: null, changed: false });
    expect((await send({ step: 'close_tab' }, 't2')).result).toEqual({ tab: 't1', answer: null, changed: true });
    expect(await resultOf('close_tab')).toEqual({ tab: 't1', answer: null, changed: true });
  });

  it('[ST4] has the answer of stop, even an empty one, and is present when the step fails', async () => {
    await whole();
    expect(await resultOf('stop [39 €]')).toEqual({ tab: 't1', answer: '39 €', changed: false });
    expect(await resultOf('stop')).toEqual({ tab: 't1', answer: '', changed: false });
    expect(await send({ step: 'click [99999]' })).toMatchObject({
      reply: { ok: false, error: { code: 'REF_UNKNOWN' } },
      result: { tab: 't1', answer: null, changed: false },
    });
  });

  it('[ST4] counts a dialog as a change; of a page that hangs it says neither', async () => {
    expect(await resultOf('click role=button name=Ask')).toEqual({ tab: 't1', answer: null, changed: true });
    expect(await resultOf('dialog [accept]')).toMatchObject({ tab: 't1', answer: null });
    await send({ step: `goto [${fixture.site}/stuck]` });
    expect(await send({ step: 'click role=button name=Hang timeoutMs=1500' })).toMatchObject({
      reply: { ok: false },
      result: { tab: 't1', answer: null, changed: null },
    });
  });
});

describe('a step names its element', () => {
  beforeAll(open);

  it.each([
    ['by role and name in a frame of this site', 'click role=button name=Push frame="/near"', [0, 1, 0]],
    ['by role and name in a frame of another site', 'click role=button name=Push frame="/far"', [0, 0, 1]],
    ['by selector in a frame', 'click selector="#same" frame="/near"', [0, 1, 0]],
    ['by selector in a frame of another site', 'click selector="#same" frame="/far"', [0, 0, 1]],
    ['by selector in a frame that a selector names', 'click selector="#same" frame="iframe[title=Far]"', [0, 0, 1]],
  ])('[ST1] %s', async (_, step, expected) => {
    const before = await counts();

    expect((await send({ step })).reply).toMatchObject({ ok: true });
    expect(await grown(before)).toEqual(expected);
  });

  it('[ST1] by node, as CDP names it', async () => {
    const before = await counts();
    const ref = refOf(await whole(), 'button', 'Outer');
    const { loaderId, backendNodeId } = fixture.inside(session).activeSessionTab().tab.refs.lookup(ref);

    expect((await send({ step: `click node=${JSON.stringify({ loaderId, backendNodeId })}` })).reply).toMatchObject({
      ok: true,
      via: 'node',
    });
    expect(await grown(before)).toEqual([1, 0, 0]);
    expect(
      (await send({ step: `click node=${JSON.stringify({ loaderId: 'gone', backendNodeId })}` })).reply.error,
    ).toMatchObject({ code: 'REF_STALE_DOCUMENT', retry: 'after-snapshot' });
  });

  it('[ST1] a frame that there is not, or that two are, names those there are', async () => {
    await whole();

    expect((await send({ step: 'click role=button name=Push frame="/nowhere"' })).reply.error).toMatchObject({
      code: 'NODE_GONE',
      details: { frames: [{ url: `${fixture.site}/near` }, { url: `${fixture.elsewhere}/far` }] },
    });
    expect((await send({ step: 'click role=button name=Push frame="http"' })).reply.error).toMatchObject({
      code: 'AMBIGUOUS',
      details: { frames: [{ url: `${fixture.site}/near` }, { url: `${fixture.elsewhere}/far` }] },
    });
  });

  it.each([
    ['a fenced block', 'I see it.\n```\nclick [N]\n```\nDone.', 'fenced block'],
    ['a fenced block with a language', '```text\nclick [N]\n```', 'fenced block'],
    ['inline code', 'The next action is `click [N]`, since it pushes.', 'inline code'],
    ['a bare line', 'Let us push it.\nAction: click [N]', 'bare line'],
  ])('[ST2][SN3] by the number of the webarena view, in %s', async (_, text, rule) => {
    const before = await counts();
    const [, number = ''] = /\[(\d+)\] button 'Outer'/.exec((await whole('view=webarena')).text) ?? [];

    expect(await send({ text: text.replace('N', number) })).toMatchObject({
      parsed: { rule },
      reply: { ok: true },
      result: { changed: true },
    });
    expect(await grown(before)).toEqual([1, 0, 0]);
  });
});
