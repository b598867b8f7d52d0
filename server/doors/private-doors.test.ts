import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { anyActionOf, KINDS } from '@/lib/actions/testing/any-action';
import { replySchema } from '@/lib/actions/reply';
import { goodPayloads } from '@/server/testing/good-requests';
import { driving, PRIVATE_PAGE, typed, type Driver } from '@/server/testing/private-page';
import { ask, connectClient, emitTo } from '@/server/testing/socket-client';
import { useServerFixture } from '@/server/testing/server-fixture';
import { ROUTES } from './http/app';

const KEPT = 'quokka77tango';

const fixture = useServerFixture({ '/': PRIVATE_PAGE, '/said': 'ok' });

afterAll(async () => void (await kept)?.person.disconnect());

describe('an agent at a page that is held privately', () => {
  it('[CO8] gives an agent nothing by any route: reads of the page are refused, and no answer contains anything of it', async () => {
    const { id } = await held();
    const told: Record<string, number> = {};
    for (const { method, path: route } of ROUTES.filter(({ path: way }) => way.includes('/:s'))) {
      if (method === 'DELETE' && !route.includes('/:t/')) continue;
      const address = route
        .replace(':s', id)
        .replace(':t', 't1')
        .replace(':r', '1')
        .replace(':name', 'none')
        .replace(':id', 'none');
      const { status, body } = await fixture.server.api(
        method,
        `${address}${address.endsWith('/wait') ? '?timeoutMs=50' : ''}`,
        method === 'GET' ? undefined : (SENT[`${method} ${route}`] ?? {}),
      );
      expect(JSON.stringify(body), `${method} ${route}`).not.toContain(KEPT);
      if (status < 400 && route.includes('/:t')) told[`${method} ${route.split('/:t').at(-1) ?? ''}`] = status;
    }
    // The holder of the lease, and nothing else of a private tab.
    expect(told).toEqual({ 'GET /control': 200 });
  });

  it.each(KINDS.filter((kind) => kind !== 'none' && kind !== 'stop'))(
    '[CO8] refuses an agent the action %s',
    async (kind) => {
      const { id } = await held();
      const actions = fc
        .sample(anyActionOf(kind), { numRuns: 3, seed: 7 })
        // With the action's own time: 50 ms are too few for a busy machine.
        .map(({ id: _id, epoch: _epoch, tab: _tab, timeoutMs: _timeoutMs, ...action }) => action);
      for (const action of actions) {
        const reply = replySchema.parse(
          (await fixture.server.api('POST', `/api/v1/sessions/${id}/tabs/t1/act`, action, { 'x-agent': kind })).body,
        );
        expect(JSON.stringify(reply)).not.toContain(KEPT);
        if (kind === 'tab' && 'do' in action && action.do === 'list') continue;
        expect(
          { ok: reply.ok, code: REFUSED.includes(reply.error?.code ?? '') },
          JSON.stringify([action, reply.error]),
        ).toEqual({ ok: false, code: true });
      }
    },
  );

  it('[CO8] answers no event of an agent with anything of it', async () => {
    const { id } = await held();
    const agent = fixture.agent('listener');
    await ask(agent, 'session.join', { session: id });
    const answers: Record<string, boolean> = {};
    for (const [event, payload] of Object.entries(payloads(id))) {
      const answer = await new Promise<{ ok: boolean; error?: { code: string } }>((resolve) =>
        emitTo(agent, event, payload, (ack: never) => resolve(ack)),
      );
      expect(JSON.stringify(answer), event).not.toContain(KEPT);
      if (READS.includes(event)) answers[event] = answer.ok;
    }
    expect(answers).toEqual(Object.fromEntries(READS.map((event) => [event, false])));
  });
});

/** One private hold for all that only read its refusal; its connection outlives the test that made it. */
let kept: Promise<Driver> | undefined;
const held = (): Promise<Driver> => (kept ??= holding());

async function holding(): Promise<Driver> {
  const driver = await driving(fixture, '/', connectClient(fixture.server.origin, { headers: { ...fixture.owner } }));
  fixture.keep(driver.id);
  await driver.hold({ reason: 'a code' });
  await driver.type(KEPT);
  await typed(fixture, driver.id, KEPT);
  return driver;
}

const REFUSED = [
  'CONTROL_HELD',
  'BAD_REQUEST',
  'VAR_MISSING',
  'UNSUPPORTED',
  'NAV_BLOCKED',
  'STEP_SYNTAX',
  'FORBIDDEN',
];
const SENT: Readonly<Record<string, unknown>> = {};
const READS = ['snapshot.watch', 'rings.watch', 'element.at', 'element.box', 'input', 'copy'];

/** One of each event, but for those that leave. */
function payloads(session: string): Readonly<Record<string, object>> {
  const tab = { session, tab: 't1' };
  const { 'session.leave': _session, 'wall.unwatch': _wall, ...rest } = goodPayloads(session);
  return {
    ...rest,
    input: { ...tab, epoch: 1, geometry: 0, event: { type: 'text', text: 'a' } },
    copy: { ...tab, epoch: 1, cut: false },
    act: { ...tab, action: { kind: 'extract', what: 'text' } },
    control: { ...tab, do: 'request' },
  };
}
