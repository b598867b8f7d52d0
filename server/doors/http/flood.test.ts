import { describe, expect, it } from 'vitest';
import { useServerFixture } from '@/server/testing/server-fixture';

/** The page writes until it is told to stop, at most this many lines. */
const MOST_LINES = 200_000;
const LOOKS = 2;

const fixture = useServerFixture(
  '<title>Page</title><button onclick="this.dataset.count = Number(this.dataset.count ?? 0) + 1">Press</button>',
  {},
);

const { open } = fixture;

/** How many lines a session's page has written, as far as they have been heard. */
function heard(session: string): () => number {
  const { hub, access } = fixture.server.running.services;
  const { console: ring } = hub.get(access.owner.workspace, session).registry.find('t1').tab.watch;
  return () => ring.cursor;
}

describe('a page that writes without end', () => {
  it('[F25] delays nobody: another session of that Chrome is read and clicked several times before the last line arrives, and every line counts', async () => {
    const [noisy, calm] = [await open('Noisy'), await open('Calm')];
    await fixture.server.snapshot(calm);
    const count = heard(noisy);
    const before = count();
    await fixture.server.act(
      noisy,
      {
        kind: 'evaluate',
        fn: `() => {
          window.lines = 0;
          const write = () => {
            if (window.enough || window.lines >= ${MOST_LINES}) return;
            for (let n = 0; n < 5_000; n += 1) console.log('line ' + window.lines++, { n });
            setTimeout(write, 0);
          };
          setTimeout(write, 0);
        }`,
      },
      'Noisy',
    );
    const replies = [];
    for (let look = 0; look < LOOKS; look += 1)
      replies.push(
        await fixture.server.act(
          calm,
          { kind: 'click', role: 'button', name: 'Press', snapshot: 'full', timeoutMs: 30_000 },
          'Calm',
        ),
      );
    const meanwhile = count() - before;
    const enough = { kind: 'evaluate', fn: '() => { window.enough = true; return window.lines; }', timeoutMs: 60_000 };
    const { value: lines } = await fixture.server.act(noisy, enough, 'Noisy');
    const all = await untilStill(count, before + Number(lines));
    const ring = await fixture.server.api('GET', `/api/v1/sessions/${noisy}/tabs/t1/console?limit=1`);

    expect(replies.map(({ ok, snapshot }) => [ok, snapshot !== undefined])).toEqual(
      Array.from({ length: LOOKS }, () => [true, true]),
    );
    expect([meanwhile < Number(lines), all - before]).toEqual([true, lines]);
    expect(ring.body).toMatchObject({ items: [{ level: 'log' }], next: all });
  }, 120_000);
});

const STILL_MS = 2_000;

/** The count when it has not grown for a while, and not before all that was written has been heard. */
async function untilStill(count: () => number, least: number): Promise<number> {
  for (let last = -1; ;) {
    const now = count();
    if (now === last && now >= least) return now;
    last = now;
    await new Promise((resolve) => setTimeout(resolve, STILL_MS));
  }
}
