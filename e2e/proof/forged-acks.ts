import { ask, connectClient, type Client } from '@/server/testing/socket-client';
import { TEST_KEY } from '@/server/testing/server';
import type { Campaign } from './campaign';
import { before, type CampaignFixture } from './campaign-fixture';
import type { Random } from './random';

const MARKER_MS = 10_000;
const PICTURES = 10;
/** Socket.IO's number for an acknowledgement packet. */
const ACK = 3;
const MOVING =
  '() => { let hue = 0; const step = () => { document.body.style.background = `hsl(${(hue += 7) % 360} 50% 50%)`; requestAnimationFrame(step); }; step(); }';

/** Sends acknowledgements that the server did not ask for, with past, future and unused ids. */
function forge(viewer: Client, random: Random): void {
  const id = random.pick([random.between(0, 40), random.between(1_000, 1_000_000)]);
  viewer.io.engine.write(`${ACK}${id}${random.pick(['[]', '[{"ok":true}]', '["late",null]'])}`);
}

/**
 * Watches until enough pictures came; acknowledges them late, out of order and twice, and also pictures that were never
 * sent.
 */
function watched(viewer: Client, random: Random): Promise<string | undefined> {
  return new Promise((resolve) => {
    const owed: (() => void)[] = [];
    let pictures = 0;
    let last = -1;
    viewer.on('frame', (meta, _, painted) => {
      if (meta.seq < last) resolve(`picture ${meta.seq} came after ${last}`);
      last = meta.seq;
      pictures += 1;
      owed.push(painted);
      forge(viewer, random);
      if (random.next() < 0.7) while (owed.length > 0) owed.splice(random.between(0, owed.length - 1), 1)[0]?.();
      else setTimeout(() => owed.splice(0).forEach((paint) => paint()), random.between(1, 60));
      if (pictures >= PICTURES) resolve(undefined);
    });
  });
}

async function opened(fixture: CampaignFixture, session: string, agent: string): Promise<Client> {
  const viewer = connectClient(fixture.server.origin, { auth: { key: TEST_KEY, agent } });
  await ask(viewer, 'session.join', { session });
  return viewer;
}

/** F21: acknowledgements that are late, doubled or forged change nothing, and a repeated action is carried out once. */
export const forgedAcks: Campaign = {
  id: 'F21',
  about: 'late, doubled and forged acknowledgements, repeated actions: pictures go on in order, each effect once',
  full: 200,
  round: async (fixture, random, index) => {
    const session = await fixture.session();
    const viewer = await opened(fixture, session, `viewer ${index}`);
    try {
      await fixture.act(session, { kind: 'evaluate', fn: MOVING });
      const pictures = watched(viewer, random);
      await ask(viewer, 'stream.open', { session, tab: 'active', tier: 'standard' });
      const { value: disorder, late } = await before(MARKER_MS, pictures);
      if (disorder !== undefined || late) return disorder ?? `${PICTURES} pictures did not come before the marker`;
      const press = { kind: 'press', key: 'a', id: `again ${index}` };
      await fixture.act(session, { kind: 'focus', selector: '#f' });
      const replies = await Promise.all(
        Array.from({ length: random.between(2, 6) }, () => fixture.act(session, press)),
      );
      const typed = await fixture.act(session, { kind: 'evaluate', fn: 'document.querySelector("#f").value' });
      if (replies.some(({ ok }) => !ok) || typed.value !== 'a')
        return `pressed ${replies.length} times by one id, and the field holds ${JSON.stringify(typed.value)}`;
      return (await fixture.total('faults_total')) === 0 ? undefined : 'the server counted a fault of its own';
    } finally {
      viewer.disconnect();
      await fixture.server.api('DELETE', `/api/v1/sessions/${session}`);
    }
  },
};
