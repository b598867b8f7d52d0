import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { replySchema, type Reply } from '@/lib/actions/reply';
import { timelineEventSchema } from '@/lib/protocol/views';
import { useServerFixture } from '@/server/testing/server-fixture';

const fixture = useServerFixture(
  `<title>t</title><input id="a"><input id="p" type="password"><button id="b" onclick="this.textContent = Number(this.textContent) + 1">0</button>`,
);

const done = z.object({
  ran: z.number(),
  of: z.number(),
  results: z.array(replySchema),
  rollback: z
    .object({ ran: z.number(), ok: z.boolean(), results: z.array(replySchema), reason: z.string().optional() })
    .optional(),
});
const doneOf = (reply: Reply) => done.parse(reply.value);
const click = { kind: 'click', selector: '#b' };
const missing = { kind: 'click', selector: '#none', timeoutMs: 200 };

const read = async (session: string, fn: string): Promise<unknown> =>
  (await fixture.server.act(session, { kind: 'evaluate', fn })).value;
const rows = async (session: string) =>
  z
    .array(timelineEventSchema)
    .parse((await fixture.server.api('GET', `/api/v1/sessions/${session}/timeline?limit=200`)).body);

describe('batch', () => {
  it('[AC7] does its actions in turn, each with an intent and an outcome of its own', async () => {
    const session = await fixture.open();
    const reply = await fixture.server.act(session, {
      kind: 'batch',
      actions: [
        { kind: 'type', selector: '#a', text: 'x' },
        { kind: 'batch', actions: [click, click] },
      ],
    });
    expect([
      reply.ok,
      doneOf(reply).results.map(({ kind, ok }) => [kind, ok]),
      await read(session, 'b.textContent + a.value'),
    ]).toEqual([
      true,
      [
        ['type', true],
        ['batch', true],
      ],
      '2x',
    ]);
    const phases = (await rows(session))
      .filter(({ phase }) => phase !== 'event')
      .map(({ kind, phase }) => `${kind} ${phase}`);
    expect(phases.filter((line) => !/^(evaluate|navigate)/.test(line))).toEqual([
      'batch intent',
      'type intent',
      'type outcome',
      'batch intent',
      'click intent',
      'click outcome',
      'click intent',
      'click outcome',
      'batch outcome',
      'batch outcome',
    ]);
  });

  it('[AC7] stops at the first failure and names it, or continues when told to', async () => {
    const session = await fixture.again();
    const stopped = await fixture.server.act(session, { kind: 'batch', actions: [click, missing, click] });
    expect([stopped.ok, stopped.error?.code, stopped.error?.details?.['index'], doneOf(stopped).ran]).toEqual([
      false,
      'NODE_GONE',
      1,
      2,
    ]);
    expect(stopped.error?.message).toBe('Action 2 of 3 (click) failed: No element fits the selector #none.');
    const all = await fixture.server.act(session, {
      kind: 'batch',
      actions: [click, missing, click],
      stopOnError: false,
    });
    expect([all.ok, doneOf(all).results.map(({ ok }) => ok), await read(session, 'b.textContent')]).toEqual([
      false,
      [true, false, true],
      '3',
    ]);
  });

  it('[AC7] refuses an action on another tab before anything is done', async () => {
    const session = await fixture.again();
    await fixture.server.act(session, { kind: 'tab', do: 'open' });
    const reply = await fixture.server.act(session, {
      kind: 'batch',
      tab: 't1',
      actions: [click, { ...click, tab: 't2' }],
    });
    expect([reply.error?.code, reply.error?.message]).toEqual([
      'BAD_REQUEST',
      '"actions.1.tab" is not the tab of the whole, t1.',
    ]);
    const same = await fixture.server.act(session, { kind: 'batch', tab: 't1', actions: [{ ...click, tab: 't1' }] });
    expect([same.ok, doneOf(same).ran]).toEqual([true, 1]);
  });

  it('[BU1] shares one budget: actions that are left at its end are not started', async () => {
    const session = await fixture.again();
    const reply = await fixture.server.act(session, {
      kind: 'batch',
      timeoutMs: 700,
      actions: [{ kind: 'wait', text: 'never' }, click],
    });
    expect([reply.error?.code, doneOf(reply).ran, await read(session, 'b.textContent')]).toEqual(['TIMEOUT', 1, '0']);
  });

  it('[CO3] a takeover in the middle stops the rest, whatever stopOnError is', async () => {
    const session = await fixture.open();
    const waiting = { kind: 'wait', text: 'never' };
    const pending = fixture.server.act(session, {
      kind: 'batch',
      stopOnError: false,
      actions: [click, waiting, click],
    });
    await expect
      .poll(async () => (await rows(session)).some(({ kind, phase }) => kind === 'wait' && phase === 'intent'), {
        timeout: 10_000,
      })
      .toBe(true);
    const taken = await fixture.control(session, { do: 'take' });
    const reply = await pending;
    expect([taken.status, reply.error?.code, doneOf(reply).ran]).toEqual([200, 'CONTROL_LOST', 2]);
    expect(reply.error?.hint).toBe(
      'Somebody else took the wheel. Wait for it with control/wait, then take a new snapshot.',
    );
  });

  it('[EV9] where scripts are off, refuses a batch with a script before anything is done', async () => {
    const made = await fixture.server.api('POST', '/api/v1/sessions', {
      url: fixture.url,
      policy: { evaluate: false },
    });
    const { id } = z.object({ id: z.string() }).parse(made.body);
    const reply = await fixture.server.act(id, { kind: 'batch', actions: [click, { kind: 'wait', fn: '1' }] });
    expect([reply.error?.code, reply.value]).toEqual(['EVAL_DISABLED', undefined]);
  });
});

describe('composite', () => {
  it('[AC7] [SN6] inserts variables, reveals no text of a password field, and does not hide ordinary values of the page behind variable names', async () => {
    const session = await fixture.open();
    const reply = await fixture.server.act(session, {
      kind: 'composite',
      label: 'log in',
      variables: { user: 'ada-lovelace', pin: 'hunter2-x' },
      actions: [
        {
          kind: 'fill',
          fields: [
            { selector: '#a', value: '${user}' },
            { selector: '#p', value: '${pin}' },
          ],
        },
        { kind: 'type', selector: '#a', text: '${user}!' },
      ],
    });
    expect([reply.ok, await read(session, "`${a.value} ${p.value === 'hunter2' + '-x'} ${p.value}`")]).toEqual([
      true,
      'ada-lovelace! true •••',
    ]);
    const told = (await rows(session)).filter(({ kind }) => kind !== 'evaluate');
    expect(told.filter(({ kind, phase }) => kind === 'type' && phase === 'outcome').map(({ text }) => text)).toContain(
      'type “${user}!” into textbox “”',
    );
    expect(`${JSON.stringify(told)}${JSON.stringify(reply)}`).not.toMatch(/lovelace|hunter2/);
    const asked = await fixture.server.act(session, {
      kind: 'composite',
      label: 'look',
      variables: { user: 'ada-lovelace' },
      actions: [{ kind: 'evaluate', fn: 'a.value' }],
    });
    expect(asked.value).toMatchObject({ results: [{ value: 'ada-lovelace!' }] });
  });

  it('[AC7] a missing variable is named before anything is done', async () => {
    const session = await fixture.again();
    const reply = await fixture.server.act(session, {
      kind: 'composite',
      label: 'x',
      actions: [click, { kind: 'type', text: '${who}' }],
    });
    expect([reply.error?.code, reply.error?.hint, reply.error?.details]).toEqual([
      'VAR_MISSING',
      'Supply a value for each variable named in details.',
      { missing: ['who'] },
    ]);
    expect(await read(session, 'b.textContent')).toBe('0');
  });

  it('[AC7] a failing atomic composite carries out its rollback, and lists what ran', async () => {
    const session = await fixture.again();
    const reply = await fixture.server.act(session, {
      kind: 'composite',
      label: 'x',
      atomic: true,
      actions: [{ kind: 'type', selector: '#a', text: 'new' }, missing, click],
      rollback: [missing, { kind: 'type', selector: '#a', text: 'old' }],
    });
    const { ran, rollback } = doneOf(reply);
    expect([reply.error?.code, ran, rollback?.ran, rollback?.ok, rollback?.results.map(({ ok }) => ok)]).toEqual([
      'NODE_GONE',
      2,
      2,
      false,
      [false, true],
    ]);
    expect(await read(session, 'a.value + b.textContent')).toBe('old0');
  });

  it('[AC7] reserves time for the rollback when the actions use up theirs', async () => {
    const session = await fixture.again();
    const reply = await fixture.server.act(session, {
      kind: 'composite',
      label: 'x',
      atomic: true,
      timeoutMs: 4_000,
      actions: [click, { kind: 'wait', text: 'never' }],
      rollback: [{ kind: 'type', selector: '#a', text: 'undone' }],
    });
    expect([reply.error?.code, doneOf(reply).rollback?.ok, await read(session, 'a.value')]).toEqual([
      'TIMEOUT',
      true,
      'undone',
    ]);
  });
});
