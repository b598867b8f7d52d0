import fc from 'fast-check';
import { z } from 'zod';
import { changeArbitrary, mutated, SAID_EVENTS, startMutated } from '@/server/testing/mutated-endpoint';
import type { Campaign } from './campaign';
import { before } from './campaign-fixture';

/** Number of conversations in one round; a small round has fewer. */
const CONVERSATIONS = 50;
const SMALL = 5;
/** Every other call is answered within this. Milliseconds. */
const MARKER_MS = 15_000;

/** R7: whatever a DevTools endpoint sends, lists and other sessions go on. */
export const mutatedEndpoints: Campaign = {
  id: 'R7',
  about: 'a DevTools endpoint answers and tells mutated things: lists, neighbours and the server go on',
  full: 40,
  round: (fixture, random) => conversations(fixture, random.between(1, 2 ** 31 - 1), CONVERSATIONS),
  inSmall: (fixture, random) => conversations(fixture, random.between(1, 2 ** 31 - 1), SMALL),
};

async function conversations(
  fixture: Parameters<Campaign['round']>[0],
  seed: number,
  times: number,
): Promise<string | undefined> {
  const neighbour = await fixture.session();
  const samples = fc.sample(fc.array(changeArbitrary, { minLength: 1, maxLength: 6 }), { seed, numRuns: times });
  try {
    for (const changes of samples) {
      const endpoint = await startMutated(changes);
      try {
        const { status, body } = await fixture.server.api('POST', '/api/v1/browsers', { cdpUrl: endpoint.cdpUrl });
        fixture.count(`answered ${status}`);
        for (const change of changes)
          for (const event of SAID_EVENTS) endpoint.shout(JSON.stringify(mutated(event, change)));
        const { value: wrong, late, ms } = await before(MARKER_MS, othersFail(fixture, neighbour));
        fixture.took('lists and a click of a neighbour', ms);
        if (wrong !== undefined || late || (status >= 500 && status !== 503))
          return `after ${JSON.stringify(changes).slice(0, 400)} (seed ${seed}): ${wrong ?? (late ? 'late' : `attach answered ${status}`)}`;
        // Its sessions would stay, and be too many in the end.
        const made = z.object({ id: z.string() }).safeParse(body);
        if (made.success) await fixture.server.api('DELETE', `/api/v1/browsers/${made.data.id}`);
      } finally {
        endpoint.close();
      }
    }
    const metrics = await (await fetch(`${fixture.server.origin}/metrics`)).text();
    return /fault[^\n]*unhandled[^\n]* [1-9]/.test(metrics) ? 'a fault of ours was caught by nobody' : undefined;
  } finally {
    await fixture.server.api('DELETE', `/api/v1/sessions/${neighbour}`);
  }
}

/** What of the lists and of a neighbouring session fails. */
async function othersFail(fixture: Parameters<Campaign['round']>[0], neighbour: string): Promise<string | undefined> {
  for (const path of ['/api/v1/browsers', '/api/v1/sessions', '/readyz', '/metrics']) {
    const { status } = await fixture.server.api('GET', path);
    if (status !== 200) return `${path} answered ${status}`;
  }
  const { ok, error } = await fixture.act(neighbour, { kind: 'click', selector: '#b' });
  return ok ? undefined : `a neighbour's click was answered ${error?.code ?? '?'}`;
}
