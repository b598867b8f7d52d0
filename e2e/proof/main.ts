/**
 * `npm run proof -- --minutes 30 [--seed 7] [--only F4]`: plays the faults of docs/SPEC.md against a real server and a
 * real Chrome for the given time, or once in full; then runs the tests that `npm test` has in small, once. Prints the
 * seed and the counts; exits with 1 when a promise was broken.
 */
import { parseArgs } from 'node:util';
import { Launcher } from 'chrome-launcher';
import { play, summary, type Campaign, type Tally } from './campaign';
import { CAMPAIGNS } from './campaigns';
import { playSizes, SIZES } from './sizes';
import { playStories, STORIES } from './stories';

const MINUTE_MS = 60_000;
const MOST_SEED = 2 ** 31;

const { values } = parseArgs({
  options: { minutes: { type: 'string' }, seed: { type: 'string' }, only: { type: 'string' } },
});
const minutes = Number(values.minutes ?? Number.POSITIVE_INFINITY);
const seed = values.seed === undefined ? Math.floor(Math.random() * MOST_SEED) : Number(values.seed);
const chosen = CAMPAIGNS.filter(({ id }) => values.only === undefined || id === values.only);
const withSizes = values.only === undefined || values.only === SIZES;
const withStories = values.only === undefined || values.only === STORIES;
const say = (line: string): boolean => process.stdout.write(`${line}\n`);

process.env['WHEELHOUSE_TEST_CHROME'] ??= Launcher.getInstallations()[0] ?? '';
if (Number.isNaN(minutes) || !Number.isSafeInteger(seed) || (chosen.length === 0 && !withSizes && !withStories)) {
  say(`Use --minutes N, --seed N, --only ${CAMPAIGNS.map(({ id }) => id).join('|')}|${SIZES}|${STORIES}.`);
  process.exit(2);
}

const end = performance.now() + minutes * MINUTE_MS;

/** Each campaign gets its share of the remaining time, so that a slow one does not cost another its turn. */
async function playAll(campaigns: readonly Campaign[]): Promise<Tally[]> {
  const tallies: Tally[] = [];
  for (const [index, campaign] of campaigns.entries()) {
    const now = performance.now();
    const tally = await play(campaign, {
      seed,
      rounds: campaign.full,
      until: now + (end - now) / (campaigns.length - index),
    });
    say(summary(tally));
    tallies.push(tally);
  }
  return tallies;
}

say(`seed ${seed}`);
const tallies = await playAll(chosen);
const rounds = tallies.reduce((sum, tally) => sum + tally.rounds, 0);
const kept = tallies.reduce((sum, tally) => sum + tally.kept, 0);
say(`${kept} kept, ${rounds - kept} broken (again with --seed ${seed})`);
const sizesHold = !withSizes || (await playSizes());
if (!sizesHold) say('The tests of whole sizes failed: npm run proof -- --only SIZES');
const storiesHold = !withStories || (await playStories(end, say));
const anything = rounds > 0 || withSizes || withStories;
process.exitCode = kept === rounds && sizesHold && storiesHold && anything ? 0 : 1;
