import { describe, expect, it } from 'vitest';
import { PICTURES } from '@/server/session/feature-slots';
import { coloursIn, isRed } from '@/server/testing/colours';
import { driving, grows, PRIVATE_PAGE, soon, watchPictures } from '@/server/testing/private-page';
import { useServerFixture } from '@/server/testing/server-fixture';
import { sized } from '@/server/testing/sized';

const fixture = useServerFixture({ '/': PRIVATE_PAGE, '/said': 'ok', '/blank': '<title>Blank</title>' });

/** A point where the page shows the colour of the typed text. */
const at = { x: 20, y: 40 };

async function blank(): Promise<ReturnType<typeof fixture.inside>> {
  return fixture.inside((await fixture.server.session(`${fixture.site}/blank`, 'decoder')).id);
}

describe('the picture of a page that is held privately', () => {
  it('[CO8] is seen by its holder in every window, and by nobody else; afterwards others see only its later state', async () => {
    const decoder = await blank();
    const { id, person, type, key, hold } = await driving(fixture);
    const mine = await watchPictures(person, id);
    const window = await watchPictures(fixture.person(), id);
    const other = await watchPictures(fixture.agent('watcher'), id);
    await grows(other.pictures, 2);
    await hold({ reason: 'the card' });
    const before = other.pictures.length;
    await type('hunter2zebra');
    await soon(async () => isRed((await coloursIn(decoder, mine.pictures.slice(-1), at))[0] ?? []));
    await soon(async () => isRed((await coloursIn(decoder, window.pictures.slice(-1), at))[0] ?? []));
    const late = await watchPictures(fixture.agent('late'), id);
    await grows(mine.pictures, 5);
    expect([other.pictures.length - before, late.pictures.length, other.paused(), late.paused()]).toEqual([
      0,
      0,
      true,
      true,
    ]);
    expect(PICTURES.of(fixture.inside(id).registry.find('t1')).atHand()).toBeUndefined();
    await key('Escape');
    await hold({ private: false });
    await grows(other.pictures, 3);
    await grows(late.pictures, 1);
    const colours = await coloursIn(decoder, [...other.pictures, ...late.pictures], at);
    expect(colours.filter(isRed)).toEqual([]);
  });

  it('[CO8] a race: toggled again and again while pictures flow, no watcher ever gets one that was painted during a hold', async () => {
    const decoder = await blank();
    const { id, person, type, key, hold } = await driving(fixture);
    const mine = await watchPictures(person, id, 'standard');
    const others = [
      await watchPictures(fixture.agent('watcher'), id, 'standard'),
      await watchPictures(fixture.agent('second'), id),
    ];
    await Promise.all(others.map(({ pictures }) => grows(pictures, 1)));
    for (let round = 0; round < sized(6, 12); round += 1) {
      await hold();
      await type('x');
      if (round % 3 === 0) await grows(mine.pictures, 1);
      await key('Escape');
      await hold({ private: false });
      // Some rounds wait until it is really shown again, others turn it off and on in one breath.
      if (round % 2 === 0) await grows(others[0]?.pictures ?? [], 2);
    }
    await Promise.all(others.map(({ pictures }) => grows(pictures, 2)));
    const seen = await coloursIn(
      decoder,
      others.flatMap(({ pictures }) => pictures),
      at,
    );
    const own = await coloursIn(decoder, mine.pictures, at);
    expect({ red: seen.filter(isRed).length, own: own.some(isRed) }).toEqual({ red: 0, own: true });
    // The same without holding: the watcher sees it, so the test can fail.
    await type('x');
    await soon(async () => isRed((await coloursIn(decoder, (others[0]?.pictures ?? []).slice(-1), at))[0] ?? []));
  }, 120_000);
});
