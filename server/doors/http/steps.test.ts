import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDemoSite, type DemoSite } from '@/server/demo/site';
import { refOf, sharedTestServer, type TestServer } from '@/server/testing/server';

/** The step language by HTTP, on a real page. */
let server: TestServer;
let shop: DemoSite;
let session: string;

beforeAll(async () => {
  [server, shop] = await Promise.all([sharedTestServer(), startDemoSite()]);
  session = (await server.session(shop.url, 'stepper')).id;
});

afterAll(async () => {
  await shop.close();
  await server.close();
});

const send = (body: object): ReturnType<TestServer['api']> =>
  server.api('POST', `/api/v1/sessions/${session}/tabs/active/steps`, body, { 'x-agent': 'stepper' });

describe('POST …/steps', () => {
  it('[ST3] types a step, and presses Enter by default', async () => {
    const number = refOf(await server.snapshot(session), 'searchbox', /search/i).slice(1);
    expect(await send({ step: `type [${number}] [monstera]` })).toMatchObject({
      status: 200,
      body: {
        parsed: {
          action: { kind: 'type', ref: `e${number}`, text: 'monstera', submit: true },
          verb: 'type',
          rule: 'step',
        },
        reply: { ok: true, url: expect.stringContaining('monstera') },
      },
    });
  });

  it("[ST2] finds the step in a model's text, and says by which rule", async () => {
    await send({ step: `goto [${shop.url}]` });
    const number = refOf(await server.snapshot(session), 'link', /monstera/i).slice(1);
    const text = `The plant is there.\n\nIn summary, the next action I will perform is \`\`\`click [${number}]\`\`\``;
    expect(await send({ text })).toMatchObject({
      status: 200,
      body: {
        parsed: { step: `click [${number}]`, rule: 'fenced block' },
        reply: { ok: true, kind: 'click', navigated: true },
      },
    });
  });

  it('[ST4] switches tabs, and the last used tab stays the current one', async () => {
    expect(await send({ step: `new_tab [${shop.url}/care]` })).toMatchObject({ body: { reply: { ok: true } } });
    expect(await send({ step: 'wait url="**/care"' })).toMatchObject({
      body: { reply: { ok: true, tab: expect.not.stringMatching(/^t1$/) } },
    });
    expect(await send({ step: 'tab_focus [0]' })).toMatchObject({ body: { reply: { ok: true } } });
    expect(await send({ step: 'None' })).toMatchObject({ body: { reply: { ok: true, tab: 't1' } } });
  });

  it('[ST3] stop returns its answer', async () => {
    expect(await send({ step: 'stop [it costs 39 €]' })).toMatchObject({
      status: 200,
      body: { parsed: { action: { kind: 'stop', answer: 'it costs 39 €' } }, reply: { ok: true } },
    });
  });

  it('[ST1] a mistake gives 400 with column and usage, and nothing is done', async () => {
    expect(await send({ step: 'clik [1]' })).toMatchObject({
      status: 400,
      body: {
        error: {
          code: 'STEP_SYNTAX',
          message: 'Column 1: there is no step "clik"; did you mean click?',
          hint: 'Usage: click [12]',
          details: { column: 1, nearest: ['click'] },
        },
      },
    });
    expect(await send({ text: 'I do not know.' })).toMatchObject({
      status: 400,
      body: { error: { code: 'STEP_SYNTAX' } },
    });
    expect(await send({})).toMatchObject({ status: 400, body: { error: { code: 'BAD_REQUEST' } } });
  });
});
