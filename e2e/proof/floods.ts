import { sessionSchema } from '@/lib/protocol/views';
import { FLOOD_PAGES, FLOODS } from '@/server/testing/floods';
import { startWeb } from '@/server/testing/web';
import type { Campaign } from './campaign';
import { before, type CampaignFixture } from './campaign-fixture';

const NAMES = Object.keys(FLOODS);
/** Number of the neighbour's calls before each flood. */
const CALLS = 30;
/** Length of each flood, milliseconds. */
const FLOOD_MS = 25_000;
const RUNS = 5;
/**
 * Bound of the neighbour's 95th percentile beside a flood: so many times the figure alone, plus so many milliseconds.
 */
const TIMES = 3;
const MORE_MS = 300;
/** Longest allowed call. Milliseconds. */
const MARKER_MS = 10_000;

/** AC6: one page's flood does not stop its Chrome for another session. */
export const floods: Campaign = {
  id: 'FLOODS',
  about: 'a page floods its Chrome in twelve ways: its neighbour works on, and it is named and put aside',
  full: NAMES.length,
  round: async (fixture, _, index) => {
    const name = NAMES[index % NAMES.length] ?? '';
    const over: number[] = [];
    for (let run = 0; run < RUNS; run += 1) {
      const seen = await beside(fixture, name);
      if (seen.late > 0) return `beside ${name}, ${seen.late} calls came after ${MARKER_MS} ms`;
      over.push(seen.p95 - (TIMES * seen.alone + MORE_MS));
    }
    const median = over.toSorted((one, other) => one - other)[Math.floor(RUNS / 2)] ?? 0;
    return median > 0
      ? `beside ${name}, the neighbour's p95 was ${Math.round(median)} ms above its bound (median of ${RUNS})`
      : undefined;
  },
};

/** The times of a neighbour's clicks, alone and then beside a flood. */
async function beside(
  fixture: CampaignFixture,
  name: string,
): Promise<{ readonly alone: number; readonly p95: number; readonly late: number }> {
  const web = await startWeb(FLOOD_PAGES);
  const [calm, noisy] = [
    await fixture.session(),
    sessionSchema.parse((await fixture.server.api('POST', '/api/v1/sessions', {})).body).id,
  ];
  try {
    const alone: number[] = [];
    for (let call = 0; call < CALLS; call += 1) alone.push((await click(fixture, calm)).ms);
    await fixture.act(noisy, {
      kind: 'navigate',
      url: `${web.origin}/${name}`,
      waitUntil: 'commit',
      timeoutMs: 20_000,
    });
    const during: Awaited<ReturnType<typeof click>>[] = [];
    for (const end = performance.now() + FLOOD_MS; performance.now() < end;) during.push(await click(fixture, calm));
    for (const ms of alone) fixture.took(`a click alone, before ${name}`, ms);
    for (const { ms } of during) fixture.took(`a click beside ${name}`, ms);
    for (const said of await told(fixture, noisy)) fixture.count(`${name}: ${said}`);
    return { alone: p95(alone), p95: p95(during.map(({ ms }) => ms)), late: during.filter(({ late }) => late).length };
  } finally {
    for (const session of [noisy, calm]) await fixture.server.api('DELETE', `/api/v1/sessions/${session}`);
    web.close();
  }
}

async function click(
  fixture: CampaignFixture,
  session: string,
): Promise<{ readonly ms: number; readonly late: boolean }> {
  const { value, late, ms } = await before(
    MARKER_MS,
    fixture.act(session, { kind: 'click', selector: '#b', timeoutMs: 30_000 }),
  );
  if (!value.ok) throw new Error(`a click was answered ${value.error?.code ?? '?'}`);
  return { ms, late };
}

async function told(fixture: CampaignFixture, session: string): Promise<string[]> {
  const { body } = await fixture.server.api('GET', `/api/v1/sessions/${session}/timeline?kind=flood`);
  return Array.isArray(body) ? body.map(({ said }) => String(said?.code)) : [];
}

function p95(ms: readonly number[]): number {
  return ms.toSorted((one, other) => one - other)[Math.ceil(0.95 * ms.length) - 1] ?? 0;
}
