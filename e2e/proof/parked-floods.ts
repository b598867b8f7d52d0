import { sessionSchema } from '@/lib/protocol/views';
import { FLOOD_PAGES, FLOODS } from '@/server/testing/floods';
import { startWeb } from '@/server/testing/web';
import type { Campaign } from './campaign';
import { before } from './campaign-fixture';

/**
 * Floods that Chrome and we bound without parking: dialogs are answered, and a large page burdens only its own
 * renderer.
 */
const BOUNDED: ReadonlySet<string> = new Set(['alerts', 'nodes']);
const NAMES = Object.keys(FLOODS).filter((name) => !BOUNDED.has(name));
/** The longest limit is two minutes, and then the empty page has to load. */
const MOST_MS = 240_000;
const SMALL_MS = 20_000;
const LOOK_MS = 1_000;

/** AC6: each flood is parked at the real limits of a server, and its tab goes on with an empty page. */
export const parkedFloods: Campaign = {
  id: 'PARKED',
  about: 'a page that floods its Chrome is put aside at the real limits, by name',
  full: NAMES.length,
  round: async (fixture, _, index) => parked(fixture, NAMES[index % NAMES.length] ?? '', MOST_MS),
  /** Popups are parked at once. */
  inSmall: (fixture) => parked(fixture, 'popups', SMALL_MS),
};

async function parked(
  fixture: Parameters<Campaign['round']>[0],
  name: string,
  mostMs: number,
): Promise<string | undefined> {
  const web = await startWeb(FLOOD_PAGES);
  const made = await fixture.server.api('POST', '/api/v1/sessions', {});
  const { id } = sessionSchema.parse(made.body);
  try {
    const url = `${web.origin}/${name}`;
    await fixture.act(id, { kind: 'navigate', url, waitUntil: 'commit', timeoutMs: 20_000 });
    const { value: last, late, ms } = await before(mostMs, lastStep(fixture, id, mostMs));
    fixture.took(`until ${name} is put aside`, ms);
    fixture.count(`${name}: ${last ?? 'nothing'}`);
    const { body } = await fixture.server.api('GET', `/api/v1/sessions/${id}`);
    const { tabs } = sessionSchema.parse(body);
    if (late || (last !== 'floodParked' && last !== 'floodClosed')) return `${name} was ${last ?? 'not noticed'}`;
    return tabs.find(({ id }) => id === 't1')?.url === 'about:blank' ? undefined : `${name} is still shown`;
  } finally {
    await fixture.server.api('DELETE', `/api/v1/sessions/${id}`);
    web.close();
  }
}

/** The timeline's last word: parked or closed, or the last step that was taken in time. */
async function lastStep(
  fixture: Parameters<Campaign['round']>[0],
  id: string,
  mostMs: number,
): Promise<string | undefined> {
  let last: string | undefined;
  for (const end = performance.now() + mostMs; performance.now() < end;) {
    const { body } = await fixture.server.api('GET', `/api/v1/sessions/${id}/timeline?kind=flood`);
    last = Array.isArray(body) ? body.map(({ said }) => String(said?.code)).at(-1) : undefined;
    if (last === 'floodParked' || last === 'floodClosed') return last;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  return last;
}
