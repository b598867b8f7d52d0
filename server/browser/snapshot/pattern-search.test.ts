import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { withBudget } from '@/lib/budget/budget';
import { monotonicClock } from '@/lib/budget/clock';
import { PatternSearch } from './pattern-search';

const ENDLESS = '^(a+)+$';
const VICTIM = [`${'a'.repeat(60)}!`];

const search = new PatternSearch(monotonicClock);
const find = (asker: string, pattern: string, texts: readonly string[]): Promise<ReadonlySet<number>> =>
  withBudget({ timeoutMs: 20_000, clock: monotonicClock }, (budget) => search.find(budget, asker, pattern, texts));
const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'found',
    (error: unknown) => (error instanceof Error && 'code' in error ? error.code : error),
  );

describe('PatternSearch', () => {
  it('[SN9] finds lines ignoring case', async () => {
    expect([
      ...(await find('k_1', '^button "add \\d+"', [
        'button "Add 1" [ref=e1]',
        'link "Add 2"',
        'button "Added"',
        'BUTTON "ADD 77"',
      ])),
    ]).toEqual([0, 3]);
  });

  it.each(['(?<=pot )\\d', '(\\w)\\1', '\\p{Lu}\\p{Ll}'])('[SN9] %s is legal', async (pattern) => {
    expect([...(await find('k_1', pattern, ['pot 77', '###']))]).toEqual([0]);
  });

  it.each(['(', '[z-a]', '\\p{Nothing}'])('[AC8] %s is refused by name', async (pattern) => {
    await expect(find('k_1', pattern, ['x'])).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: expect.stringContaining('is not a regular expression'),
    });
  });

  it('[SN9] [BR7] endless patterns block nothing: the event loop continues, another key gets its turn after one of them, a ninth of one key is refused', async () => {
    // Keys that were not served before: the turns of keys go on from test to test.
    const [one, two] = [randomUUID(), randomUUID()];
    const order: string[] = [];
    let turns = 0;
    const heart = setInterval(() => (turns += 1), 20);
    const endless = Array.from({ length: 9 }, (_, name) =>
      codeOf(find(`${one}/agent ${name}`, ENDLESS, VICTIM)).then((code) => order.push(`k_1 ${String(code)}`)),
    );
    await find(two, 'b', ['b']).then(() => order.push('k_2 found'));
    await Promise.all(endless);
    clearInterval(heart);

    expect(order).toEqual([
      'k_1 RATE_LIMITED',
      'k_1 BAD_REQUEST',
      'k_2 found',
      ...Array.from({ length: 7 }, () => 'k_1 BAD_REQUEST'),
    ]);
    expect(turns).toBeGreaterThan(8);
  });

  it('[BU2] a caller that disconnects frees its place', async () => {
    const key = randomUUID();
    const gone = Array.from({ length: 8 }, () =>
      codeOf(
        withBudget({ timeoutMs: 20, clock: monotonicClock }, (budget) => search.find(budget, key, ENDLESS, VICTIM)),
      ),
    );
    expect(await Promise.all(gone)).toEqual(Array.from({ length: 8 }, () => 'TIMEOUT'));
    expect([...(await find(key, 'b', ['b']))]).toEqual([0]);
  });

  it('[GU3] a pattern and page text stay text', async () => {
    expect([
      ...(await find('k_1', "'\\); globalThis", ["'); globalThis.process.exit(1); ('", '${process.exit(1)}'])),
    ]).toEqual([0]);
  });
});
