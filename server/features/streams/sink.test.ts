import { expect, it } from 'vitest';
import type { Picture } from '@/lib/stream/picture';
import type { Feature } from '@/server/session/feature';
import { PICTURES } from '@/server/session/feature-slots';
import { coloursIn, isRed } from '@/server/testing/colours';
import { driving, grows, PRIVATE_PAGE, soon, watchPictures } from '@/server/testing/private-page';
import { useServerFixture } from '@/server/testing/server-fixture';
import { FEATURES } from '../list';

const taken: Picture[] = [];

/** A feature that knows nothing of streams and takes every picture of every tab. */
const recording: Feature = {
  name: 'recording',
  start: ({ registry }) => {
    const sink = {
      fps: 30,
      take: (picture: Picture) => void taken.push(picture),
      wantsAt: (now: number) => now,
      captureChanged: () => undefined,
    };
    registry.onAdded.on((sessionTab) => sessionTab.onDispose(PICTURES.of(sessionTab).addSink('thumbnail', sink)));
    return {};
  },
};

const fixture = useServerFixture(
  { '/': PRIVATE_PAGE, '/said': 'ok', '/blank': '<title>Blank</title>' },
  { shared: true, features: [...FEATURES, recording] },
);

it('[CO8][FR1] another feature gets the pictures of a tab without knowing their maker, and none of a private hold', async () => {
  const decoder = fixture.inside((await fixture.server.session(`${fixture.site}/blank`, 'decoder')).id);
  const red = async (pictures: readonly Uint8Array[]): Promise<number> =>
    (await coloursIn(decoder, pictures, { x: 20, y: 40 })).filter(isRed).length;
  const { id, person, type, key, hold } = await driving(fixture);
  const holder = await watchPictures(person, id);
  await grows(taken, 2);
  await hold({ reason: 'the card' });
  await type('hunter2zebra');
  await soon(async () => (await red(holder.pictures.slice(-1))) === 1);
  await key('Escape');
  await hold({ private: false });
  await grows(taken, 3);

  expect(await red(taken.map(({ data }) => data))).toBe(0);
});
