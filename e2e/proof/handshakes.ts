import { request } from 'node:http';
import { connectClient } from '@/server/testing/socket-client';
import type { Campaign } from './campaign';
import { before, type CampaignFixture } from './campaign-fixture';
import { connected } from './crowd';

/** Number of strangers' handshakes, and the time in which they are started, milliseconds. */
const FULL = { handshakes: 10_000, withinMs: 12_000 };
const SMALL = { handshakes: 600, withinMs: 1_500 };
/** Number of windows that a signed-in person opens meanwhile, and the time in which each must connect. Milliseconds. */
const WINDOWS = 6;
const MARKER_MS = 5_000;
const TICK_MS = 20;

/** AU6: strangers who connect without end do not lock out a signed-in person. */
export const handshakes: Campaign = {
  id: 'AU6',
  about: 'ten thousand handshakes of strangers in twelve seconds: the next window of who is signed in comes in',
  full: 3,
  round: (fixture) => storm(fixture, FULL),
  inSmall: (fixture) => storm(fixture, SMALL),
};

async function storm(
  fixture: CampaignFixture,
  { handshakes: most, withinMs }: typeof FULL,
): Promise<string | undefined> {
  const answers = new Map<string, number>();
  const knocks: Promise<void>[] = [];
  const begin = performance.now();
  const windows: Promise<string | undefined>[] = [];
  while (knocks.length < most) {
    const passed = performance.now() - begin;
    const due = Math.min(most, Math.ceil((most * passed) / withinMs));
    while (knocks.length < due) knocks.push(knock(fixture, answers));
    if (windows.length < WINDOWS && passed > (withinMs * (windows.length + 0.5)) / WINDOWS) windows.push(open(fixture));
    await new Promise((resolve) => setTimeout(resolve, TICK_MS));
  }
  fixture.took('handshakes begun', performance.now() - begin);
  await Promise.all(knocks);
  for (const [answer, times] of answers) fixture.count(answer, times);
  const problems = (await Promise.all(windows)).filter((problem) => problem !== undefined);
  return problems.length > 0 ? problems.join('; ') : undefined;
}

/** One upgrade by a stranger, dropped as soon as it is answered. */
function knock({ server }: CampaignFixture, answers: Map<string, number>): Promise<void> {
  return new Promise((resolve) => {
    const told = (answer: string): void => {
      answers.set(answer, (answers.get(answer) ?? 0) + 1);
      resolve();
    };
    const asking = request(`${server.origin}/socket.io/?EIO=4&transport=websocket`, {
      headers: {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
        origin: server.origin,
      },
    });
    asking.on('upgrade', (_, socket) => {
      socket.destroy();
      told('let in');
    });
    asking.on('response', (response) => {
      response.resume();
      told(`answered ${response.statusCode ?? 0}`);
    });
    asking.on('error', () => told('cut off'));
    asking.end();
  });
}

async function open(fixture: CampaignFixture): Promise<string | undefined> {
  const client = connectClient(fixture.server.origin, {
    headers: { cookie: fixture.cookie, origin: fixture.server.origin },
  });
  const { value: there, late, ms } = await before(MARKER_MS, connected(client));
  client.disconnect();
  fixture.took('a window of who is signed in', ms);
  return there && !late ? undefined : `a window was ${there ? `there after ${Math.round(ms)} ms` : 'refused'}`;
}
