import fc from 'fast-check';
import { z } from 'zod';
import { sessionSchema } from '@/lib/protocol/views';
import { changeArbitrary, mutated, SAID_EVENTS, startMutated } from '@/server/testing/mutated-endpoint';
import type { Campaign } from './campaign';
import { before, type CampaignFixture } from './campaign-fixture';

/** Number of conversations in one round. */
const CONVERSATIONS = 50;
/** Every other call is answered within this. Milliseconds. */
const MARKER_MS = 15_000;
/** Time of a call on the endpoint, which may never answer. Milliseconds. */
const READ_MS = 500;

/** R7: whatever a DevTools endpoint sends, lists and other sessions go on. */
export const mutatedEndpoints: Campaign = {
  id: 'R7',
  about: 'a DevTools endpoint answers and tells mutated things: lists, neighbours and the server go on',
  full: 40,
  round: (fixture, random) => conversations(fixture, random.between(1, 2 ** 31 - 1)),
};

async function conversations(fixture: CampaignFixture, seed: number): Promise<string | undefined> {
  const neighbour = await fixture.session();
  const samples = fc.sample(fc.array(changeArbitrary, { minLength: 1, maxLength: 6 }), {
    seed,
    numRuns: CONVERSATIONS,
  });
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
        const fault = status === 201 ? await readInIt(fixture, body) : undefined;
        if (wrong !== undefined || fault !== undefined || late || (status >= 500 && status !== 503))
          return `after ${JSON.stringify(changes).slice(0, 400)} (seed ${seed}): ${wrong ?? fault ?? (late ? 'late' : `attach answered ${status}`)}`;
        await end(fixture, body);
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

const READS: readonly object[] = [
  { kind: 'cookies', do: 'get' },
  { kind: 'storage', do: 'get', area: 'local' },
  { kind: 'snapshot' },
  { kind: 'evaluate', fn: '() => 1' },
  { kind: 'screenshot' },
];

/** An agent reads in a session on the endpoint. Returns a message if a call is answered INTERNAL. */
async function readInIt(fixture: CampaignFixture, attached: unknown): Promise<string | undefined> {
  const { id: browser } = z.object({ id: z.string() }).parse(attached);
  const made = await fixture.server.api('POST', '/api/v1/sessions', { browser });
  const session = z.object({ id: z.string() }).safeParse(made.body);
  fixture.count(`session answered ${made.status}`);
  if (!session.success) return made.status === 500 ? `a session was answered 500` : undefined;
  for (const action of READS) {
    const { ok, error, kind } = await fixture.act(session.data.id, { ...action, timeoutMs: READ_MS });
    fixture.count(ok ? 'reads answered' : `reads refused ${error?.code ?? ''}`);
    if (error?.code === 'INTERNAL') return `${kind} was answered INTERNAL: ${error.message}`;
  }
  return undefined;
}

/** Ends the browser and its sessions, which would otherwise exceed the caps after some rounds. */
async function end({ server }: CampaignFixture, attached: unknown): Promise<void> {
  const made = z.object({ id: z.string() }).safeParse(attached);
  if (!made.success) return;
  const { body } = await server.api('GET', '/api/v1/sessions');
  for (const { id, browser } of z
    .array(z.looseObject({ id: z.string(), browser: sessionSchema.shape.browser }))
    .parse(body))
    if (browser.id === made.data.id) await server.api('DELETE', `/api/v1/sessions/${id}`);
  await server.api('DELETE', `/api/v1/browsers/${made.data.id}`);
}

/** What of the lists and of a neighbouring session fails. */
async function othersFail(fixture: CampaignFixture, neighbour: string): Promise<string | undefined> {
  for (const path of ['/api/v1/browsers', '/api/v1/sessions', '/readyz', '/metrics']) {
    const { status } = await fixture.server.api('GET', path);
    if (status !== 200) return `${path} answered ${status}`;
  }
  const { ok, error } = await fixture.act(neighbour, { kind: 'click', selector: '#b' });
  return ok ? undefined : `a neighbour's click was answered ${error?.code ?? '?'}`;
}
