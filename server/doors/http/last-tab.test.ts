import { expect, it } from 'vitest';
import { z } from 'zod';
import { sessionSchema, type SessionView } from '@/lib/protocol/views';
import { useServerFixture } from '@/server/testing/server-fixture';

const fixture = useServerFixture({ '/': '<title>Only</title>', '/next': '<title>Next</title>' });

/** How the only tab of a session comes to be closed. */
const WAYS: readonly (readonly [string, (id: string) => Promise<unknown>])[] = [
  ['a step', (id) => step(id, 'close_tab')],
  ['an action', (id) => fixture.server.act(id, { kind: 'tab', do: 'close' })],
  ['DELETE', (id) => fixture.server.api('DELETE', `/api/v1/sessions/${id}/tabs/t1`)],
  [
    'the page itself',
    (id) => fixture.server.act(id, { kind: 'evaluate', fn: 'setTimeout(() => window.close(), 0), 1' }),
  ],
  [
    'another client',
    (id) => {
      const { tab } = fixture.inside(id).activeSessionTab();
      return fixture
        .inside(id)
        .init.contextRef.browser.lanes.bulk.browser.send('Target.closeTarget', { targetId: tab.targetId });
    },
  ],
];

const stepAnswer = z.object({
  reply: z.object({ ok: z.boolean(), tab: z.string() }),
  result: z.object({ tab: z.string().nullable(), answer: z.string().nullable() }),
});

async function step(id: string, text: string, tab = 'active'): Promise<z.infer<typeof stepAnswer>> {
  const { body } = await fixture.server.api('POST', `/api/v1/sessions/${id}/tabs/${tab}/steps`, { step: text });
  return stepAnswer.parse(body);
}

async function view(id: string): Promise<SessionView> {
  return sessionSchema.parse((await fixture.server.api('GET', `/api/v1/sessions/${id}`)).body);
}

/** Closes the tab and checks that the call reports it. */
async function closed(id: string, close: (id: string) => Promise<unknown>): Promise<void> {
  const gone = new Promise<void>((resolve) => {
    const off = fixture.inside(id).timeline.onEvent.on(({ said }) => {
      if (said?.code !== 'tabClosedNamed') return;
      off();
      resolve();
    });
  });
  await Promise.all([close(id), gone]);
}

it.each(WAYS)(
  '[SE2][ST4] when the only tab is closed by %s it continues with an empty page, and steps work there',
  async (_, close) => {
    const { id } = await fixture.server.session();
    await fixture.server.act(id, { kind: 'evaluate', fn: 'document.title = "Only"' });
    await closed(id, close);
    const none = await step(id, 'none');
    const { tabs } = await view(id);
    const went = await step(id, `goto [${fixture.site}/next]`);
    const stopped = await step(id, 'stop [42]', 't1');

    expect(tabs).toEqual([expect.objectContaining({ id: 't1', url: 'about:blank', title: 'about:blank' })]);
    expect([none.reply.ok, went.reply.ok, stopped.reply.ok]).toEqual([true, true, true]);
    expect(stopped.result).toMatchObject({ tab: 't1', answer: '42' });
  },
  40_000,
);

it('[SE2][CO1] the lease of a person stays with the empty page', async () => {
  const { id } = await fixture.server.session(`${fixture.site}/`);
  await fixture.control(id, { do: 'take' });
  await closed(id, WAYS[4]?.[1] ?? (() => Promise.resolve()));
  const refused = await fixture.server.act(id, { kind: 'navigate', url: `${fixture.site}/next` });
  const { tabs } = await view(id);

  expect(refused.error?.code).toMatch(/^CONTROL_/);
  expect(tabs[0]?.control).toMatchObject({ state: 'held', holder: { kind: 'human' } });
});

it('[SE2] its session can still be ended, and leaves nothing', async () => {
  const { id } = await fixture.server.session(`${fixture.site}/`);
  await closed(id, WAYS[2]?.[1] ?? (() => Promise.resolve()));
  const { status } = await fixture.server.api('DELETE', `/api/v1/sessions/${id}`);
  expect(status).toBe(200);
});
