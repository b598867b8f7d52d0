import { describe, expect, it } from 'vitest';
import { useServerFixture } from '@/server/testing/server-fixture';

/** Agents that keep no connection: ids, names and epochs of their requests (CO10). */

const PAGE = '<!doctype html><meta charset="utf-8"><title>Unconnected</title><input id="f" aria-label="Field">';
const fixture = useServerFixture(PAGE);

const typing = (text: string): object => ({ kind: 'type', selector: '#f', text, mode: 'append' });
const path = (id: string): string => `/api/v1/sessions/${id}/tabs/active/act`;
async function field(id: string): Promise<unknown> {
  return (
    await fixture
      .inside(id)
      .activeSessionTab()
      .tab.sessions.sentinel.send('Runtime.evaluate', { expression: 'f.value', returnByValue: true })
  ).result.value;
}
/** The participants that are no people. */
const agents = (id: string): unknown[] =>
  fixture
    .inside(id)
    .view()
    .participants.filter(({ kind }) => kind === 'agent')
    .map(({ id: one, name }) => [one, name]);

describe('two runs of one key', () => {
  it('[CO10] with names of their own are two participants: the second is refused tabs of the first, and their ids do not collide', async () => {
    const id = await fixture.open('one');
    const first = await fixture.server.act(id, { ...typing('1'), id: 'same' }, 'one');
    const held = await fixture.server.act(id, { ...typing('2'), id: 'same' }, 'two');
    await fixture.server.api('POST', `/api/v1/sessions/${id}/tabs/t1/control`, { do: 'release' }, { 'x-agent': 'one' });
    const second = await fixture.server.act(id, { ...typing('2'), id: 'other' }, 'two');

    expect([first.error, held.error?.code, held.error?.details?.['holder'], second.error]).toMatchObject([
      undefined,
      'CONTROL_HELD',
      { name: 'one' },
      undefined,
    ]);
    expect([await field(id), agents(id)]).toEqual([
      '12',
      [
        ['k_preset/one', 'one'],
        ['k_preset/two', 'two'],
      ],
    ]);
  }, 60_000);

  it('[CO10] without names are one participant: they share the lease, and the ids of their actions', async () => {
    const id = await fixture.open();
    const [first, second] = [await fixture.server.act(id, typing('1')), await fixture.server.act(id, typing('2'))];
    const ids = [
      await fixture.server.act(id, { ...typing('3'), id: 'same' }),
      await fixture.server.act(id, { ...typing('4'), id: 'same' }),
    ];

    expect([first.error, second.error, ids.map(({ error }) => error?.code)]).toEqual([
      undefined,
      undefined,
      [undefined, 'CONFLICT'],
    ]);
    expect([await field(id), agents(id)]).toEqual(['123', [['k_preset', 'Agent']]]);
  }, 60_000);

  it('[CO10] one with and one without a name are two participants', async () => {
    const id = await fixture.again();
    await fixture.server.act(id, typing('1'));
    const named = await fixture.server.act(id, typing('2'), 'named');

    expect([named.error?.code, await field(id)]).toEqual(['CONTROL_HELD', '1']);
  }, 60_000);
});

describe('an action with an epoch', () => {
  it('[CO10][CO2] that is outdated or in the future is refused with the present one, and writes nothing', async () => {
    const id = await fixture.again('bot');
    await fixture.server.act(id, typing('a'), 'bot');
    const { epoch } = fixture.inside(id).control('t1');
    const wrong = [epoch - 1, epoch + 1, 0].map((given) =>
      fixture.server.api('POST', path(id), { ...typing('x'), epoch: given }, { 'x-agent': 'bot' }),
    );
    const answers = await Promise.all(wrong);
    const right = await fixture.server.act(id, { ...typing('b'), epoch }, 'bot');

    for (const { status, body } of answers)
      expect([status, body]).toMatchObject([
        409,
        { error: { code: 'CONTROL_LOST', details: { epoch, holder: { name: 'bot' } } } },
      ]);
    expect([right.error, await field(id)]).toEqual([undefined, 'ab']);
  }, 60_000);

  it('[CO10][CO2] of before a person held the lease is refused although the agent has it again', async () => {
    const id = await fixture.again('bot');
    await fixture.server.act(id, typing('a'), 'bot');
    const { epoch } = fixture.inside(id).control('t1');
    await fixture.control(id, { do: 'take' });
    const during = await fixture.server.act(id, { ...typing('x'), epoch }, 'bot');
    await fixture.control(id, { do: 'hand-back' });
    const after = await fixture.server.act(id, { ...typing('y'), epoch }, 'bot');
    const present = fixture.inside(id).control('t1').epoch;
    const none = await fixture.server.act(id, typing('b'), 'bot');

    expect([during.error?.code, after.error?.code, after.error?.details?.['epoch'], none.error]).toEqual([
      'CONTROL_LOST',
      'CONTROL_LOST',
      present,
      undefined,
    ]);
    expect([present > epoch, await field(id)]).toEqual([true, 'ab']);
  }, 60_000);

  it('[CO10][CO2] on a free tab neither takes the lease nor writes when it is wrong', async () => {
    const id = await fixture.again();
    await fixture.server.api('POST', `/api/v1/sessions/${id}/tabs/t1/control`, { do: 'release' });
    const { epoch } = fixture.inside(id).control('t1');
    const { error } = await fixture.server.act(id, { ...typing('x'), epoch: epoch - 1 });

    expect([error?.code, error?.details?.['epoch'], fixture.inside(id).control('t1'), await field(id)]).toMatchObject([
      'CONTROL_LOST',
      epoch,
      { state: 'free', epoch },
      '',
    ]);
  }, 60_000);
});

describe('a server that is started again', () => {
  it('[CO10][F7] answers an action of before as it was answered, does not do it again, refuses its epoch, and ends an idle agent’s lease', async () => {
    const { server: first } = fixture;
    const id = await fixture.open('bot');
    const done = await first.act(id, { ...typing('a'), id: 'done' }, 'bot');
    const failed = await first.act(id, { kind: 'click', selector: '#nothing', id: 'failed', timeoutMs: 300 }, 'bot');
    const { epoch } = fixture.inside(id).control('t1');
    await fixture.restart(undefined, { env: { AGENT_IDLE_MS: '1000' } });
    const { server: second } = fixture;
    const again = [
      await second.act(id, { ...typing('a'), id: 'done' }, 'bot'),
      await second.act(id, { kind: 'click', selector: '#nothing', id: 'failed' }, 'bot'),
    ];
    const other = await second.act(id, { ...typing('b'), id: 'done' }, 'bot');
    const stranger = await second.act(id, { kind: 'snapshot', id: 'done' }, 'stranger');
    const stale = await second.act(id, { ...typing('x'), epoch }, 'bot');
    await expect.poll(() => fixture.inside(id).control('t1').state, { timeout: 20_000 }).toBe('free');
    const { reason } = fixture.inside(id).control('t1');
    const value = await second.act(id, { kind: 'evaluate', fn: 'f.value' }, 'reader');

    expect(again).toEqual([done, failed]);
    expect([other.error?.code, stranger.error, stale.error?.code, reason, value.value]).toEqual([
      'CONFLICT',
      undefined,
      'CONTROL_LOST',
      'idle',
      'a',
    ]);
  }, 90_000);
});
