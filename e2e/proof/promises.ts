import type { Campaign } from './campaign';
import { before } from './campaign-fixture';

const MARKER_MS = 2_500;
/** How often a late count is looked for, a tenth of a second apart. */
const LOOKS = 10;

/**
 * F5: a call whose promise never settles is answered in time and counted; the page was never blocked, so the next click
 * works.
 */
export const promises: Campaign = {
  id: 'F5',
  about: 'a promise that never settles: answered in time, counted, next click works',
  full: 50,
  round: async (fixture, random) => {
    const session = await fixture.session();
    try {
      const counted = async (): Promise<number> =>
        (await fixture.total('evaluate_abandoned_total')) + (await fixture.total('evaluate_terminations_total'));
      const start = await counted();
      const { value: reply, late } = await before(
        MARKER_MS,
        fixture.act(session, {
          kind: 'evaluate',
          fn: '() => new Promise(() => {})',
          timeoutMs: random.between(100, 400),
        }),
      );
      if (reply.error?.code !== 'TIMEOUT' || late)
        return `answered ${reply.error?.code ?? 'ok'}${late ? ' after the marker' : ''}`;
      const click = await fixture.act(session, { kind: 'click', selector: '#b', timeoutMs: 10_000 });
      if (!click.ok) return `the click was answered ${click.error?.code ?? '?'}`;
      // A page that was too busy to answer in time gets its patience after the caller has the answer, and is counted
      // then.
      for (let look = 0; look < LOOKS && (await counted()) <= start; look += 1)
        await fixture.act(session, { kind: 'wait', timeMs: 100 });
      return (await counted()) > start ? undefined : 'nothing was counted';
    } finally {
      await fixture.server.api('DELETE', `/api/v1/sessions/${session}`);
    }
  },
};
