import { expect, it, onTestFinished } from 'vitest';
import { FakeClock } from '@/lib/budget/fake-clock';
import type { Picture } from '@/lib/stream/picture';
import { qualityOf } from '@/lib/stream/quality';
import type { SecretsShown } from '@/server/browser/target/secrets-shown';
import { quietLogger } from '@/server/testing/temp-store';
import { SecretCover } from './secret-cover';
import { TabStreams } from './tab-streams';

const NONE: SecretsShown = { toOthers: false, toHolder: false };
const SECRET: SecretsShown = { toOthers: true, toHolder: true };
const TYPED_BY_HOLDER: SecretsShown = { toOthers: true, toHolder: false };

/** A cover on a clock moved by hand, and a page that answers when the test says so. */
function fixture() {
  const clock = new FakeClock();
  const looks: { answer(found: SecretsShown | Error): Promise<void> }[] = [];
  let refreshed = 0;
  const cover = new SecretCover({
    clock,
    look: () =>
      new Promise((resolve, reject) =>
        looks.push({
          answer: async (found) => {
            if (found instanceof Error) reject(found);
            else resolve(found);
            await settled();
          },
        }),
      ),
    painted: () => Promise.resolve(),
    refresh: () => (refreshed += 1),
  });
  let seq = 0;
  const viewer = (participant: string) => {
    const shown: number[] = [];
    let refreshes = 0;
    const sink = cover.over(participant, {
      fps: 30,
      take: (picture) => void shown.push(picture.seq),
      wantsAt: (now) => now,
      captureChanged: () => undefined,
      refresh: () => (refreshes += 1),
    });
    return {
      ...{ sink, shown, refreshes: () => refreshes },
      reason: () => cover.reason(participant),
      clear: () => cover.isClear(participant),
    };
  };
  const picture = (takenAt = clock.now()): Picture => {
    const shape = { width: 1280, height: 720, pageScale: 1, offsetTop: 0, scrollX: 0, scrollY: 0, geometry: 1 };
    return { ...shape, seq: (seq += 1), format: 'jpeg', sort: 'motion', takenAt, data: new Uint8Array(1) };
  };
  /** The next look begins within a second, and is answered. */
  const look = async (found: SecretsShown | Error): Promise<void> => {
    for (let waited = 0; looks.length === 0 && waited < 1_000; waited += 20) clock.advance(20);
    if (looks.length === 0) throw new Error('No look began within a second.');
    await looks.shift()?.answer(found);
  };
  return { clock, cover, looks, viewer, picture, look, refreshed: () => refreshed };
}

/** Lets promises settle. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A guest of a page without secrets, whose pictures count from now on. */
async function watching() {
  const all = fixture();
  const mia = all.viewer('g_mia');
  await all.look(NONE);
  all.clock.advance(400);
  return { ...all, mia };
}

it('[AU4] a picture waits until a look that began after it has found no secret', async () => {
  const { mia, picture, look, looks, clock } = await watching();
  mia.sink.take(picture(), false);
  const before = [...mia.shown];
  clock.advance(50);
  const late = picture();
  mia.sink.take(late, false);
  await looks.shift()?.answer(NONE);
  const first = [...mia.shown];
  await look(NONE);

  expect([before, first, mia.shown]).toEqual([[], [1], [1, 2]]);
});

it('[AU4] no picture passes from the first secret on, and the guest is told why', async () => {
  const { mia, picture, look } = await watching();
  const before = mia.refreshes();
  mia.sink.take(picture(), false);
  await look(SECRET);
  const told = mia.reason();
  mia.sink.take(picture(), false);
  await look(SECRET);

  expect(mia.shown).toEqual([]);
  expect(told).toContain('a password, a code or a card');
  expect(mia.refreshes() - before).toBe(1);
});

it('[AU4] when a secret has left, pictures that were on their way stay covered, and a new one is asked for', async () => {
  const { mia, picture, look, clock, refreshed } = await watching();
  const asked = refreshed();
  mia.sink.take(picture(), false);
  await look(SECRET);
  const underWay = picture();
  await look(NONE);
  mia.sink.take(underWay, false);
  await look(NONE);
  clock.advance(400);
  const again = refreshed() - asked;
  mia.sink.take(picture(), false);
  await look(NONE);

  expect([mia.reason(), mia.shown, again]).toEqual([undefined, [3], 1]);
});

it('[AU4] a page that does not answer counts as one with a secret', async () => {
  const { mia, picture, look, clock } = await watching();
  mia.sink.take(picture(), false);
  await look(new Error('hung'));
  const atOnce = mia.reason();
  clock.advance(1_000);
  const later = mia.reason();

  expect([mia.shown, atOnce, typeof later]).toEqual([[], undefined, 'string']);
});

it('[AU4][AU5] a page is clear from when its pictures count until a secret, another document or no answer, and who watches is told each time', async () => {
  const { clock, cover, looks, viewer, picture, look } = fixture();
  const mia = viewer('g_mia');
  const told: [boolean, number][] = [];
  const now = (): void => void told.push([mia.clear(), mia.refreshes()]);
  now();
  await look(NONE);
  now();
  clock.advance(400);
  now();
  mia.sink.take(picture(), false);
  await look(SECRET);
  now();
  await look(NONE);
  clock.advance(400);
  now();
  cover.documentChanged();
  now();
  await look(NONE);
  clock.advance(400);
  now();
  mia.sink.take(picture(), false);
  await look(new Error('hung'));
  now();

  expect(looks).toEqual([]);
  expect(told.map(([clear]) => clear)).toEqual([false, false, true, false, true, false, true, false]);
  expect(told.map(([, refreshes], at) => refreshes - (told[at - 1]?.[1] ?? 0))).toEqual([0, 0, 1, 1, 2, 1, 1, 1]);
});

it('[AU4] a guest who drives sees what they fill in themselves, and other guests do not', async () => {
  const { cover, mia, viewer, picture, look, clock } = await watching();
  const noor = viewer('g_noor');
  cover.setHolder('g_mia');
  await look(TYPED_BY_HOLDER);
  clock.advance(400);
  // One look is under way already.
  for (const { sink } of [mia, noor]) sink.take(picture(), false);
  await look(TYPED_BY_HOLDER);
  await look(TYPED_BY_HOLDER);
  const driving = [[...mia.shown], [...noor.shown]];
  mia.sink.take(picture(), false);
  cover.setHolder('p_ada');
  await look(TYPED_BY_HOLDER);
  await look(TYPED_BY_HOLDER);

  expect([driving, mia.shown, typeof mia.reason()]).toEqual([[[1], []], [1], 'string']);
});

it('[AU4] a change of the holder lets no picture out that a look has yet to judge', async () => {
  const { cover, mia, viewer, picture, look, looks, clock } = await watching();
  const noor = viewer('g_noor');
  await look(NONE);
  for (const { sink } of [mia, noor]) sink.take(picture(), false);
  while (looks.length === 0) clock.advance(20);
  cover.setHolder('g_mia');
  const duringTheLook = [...mia.shown, ...noor.shown];
  await looks.shift()?.answer(SECRET);

  expect([duringTheLook, mia.shown, noor.shown]).toEqual([[], [], []]);
});

it('[AU4] a picture of a document that was replaced is judged by no later look', async () => {
  const { cover, mia, picture, look, looks, clock } = await watching();
  mia.sink.take(picture(), false);
  cover.documentChanged();
  await look(NONE);
  mia.sink.take(picture(), false);
  await look(NONE);
  const soonAfter = [...mia.shown];
  clock.advance(400);
  mia.sink.take(picture(), false);
  while (looks.length === 0) clock.advance(20);
  cover.documentChanged();
  await looks.shift()?.answer(NONE);
  const duringTheLook = [...mia.shown];
  await look(NONE);
  clock.advance(400);
  mia.sink.take(picture(), false);
  await look(NONE);

  expect([soonAfter, duringTheLook, mia.shown]).toEqual([[], [], [4]]);
});

it('[AU4] what was kept from before the first guest came is not shown', async () => {
  const { viewer, picture, look, clock } = fixture();
  const kept = picture();
  clock.advance(5_000);
  const mia = viewer('g_mia');
  mia.sink.take(kept, true);
  await look(NONE);
  clock.advance(1_000);

  expect(mia.shown).toEqual([]);
});

it('[AU4] nothing is looked at while no guest watches', async () => {
  const { mia, clock, looks, cover } = await watching();
  mia.sink.end();
  cover.setHolder('p_ada');
  clock.advance(5_000);

  expect(looks).toEqual([]);
});

it('[AU4][AU5] of a page that was not found free of secrets a guest is shown nothing, a member is', async () => {
  const clock = new FakeClock();
  let found = SECRET;
  const streams = new TabStreams({
    ...{ tabId: 't1', clock, logger: quietLogger, counters: { frame: () => undefined } },
    attach: () => new Promise(() => undefined),
    detach: () => Promise.resolve(),
    secrets: { look: () => Promise.resolve(found), painted: () => Promise.resolve() },
  });
  onTestFinished(() => streams.dispose());
  const told: boolean[] = [];
  const open = (isGuest: boolean) =>
    streams.open({
      ...{ stream: 's1', quality: qualityOf('standard'), viewer: 'g_mia', isGuest },
      ...{ gate: () => undefined, send: () => undefined, status: () => undefined },
      onShown: () => void (isGuest && told.push(guest.isShown)),
    });
  const [guest, member] = [open(true), open(false)];
  const shown = [[guest.isShown, member.isShown]];
  const pass = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += 50) {
      clock.advance(50);
      await settled();
    }
    shown.push([guest.isShown, member.isShown]);
  };
  await pass(500);
  found = NONE;
  await pass(1_000);
  streams.documentChanged();
  shown.push([guest.isShown, member.isShown]);
  await pass(1_000);

  expect(shown.map(([toGuest]) => toGuest)).toEqual([false, false, true, false, true]);
  expect(shown.every(([, toMember]) => toMember)).toBe(true);
  expect(told).toEqual([true, false, true]);
});
