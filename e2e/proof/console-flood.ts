import type { Campaign } from './campaign';
import { before, type CampaignFixture } from './campaign-fixture';
import type { Random } from './random';

/** Ways in which a page writes without end; `lines` is the total. */
const WAYS: readonly { readonly name: string; readonly fn: string }[] = [
  {
    name: 'one loop',
    fn: '(lines) => { setTimeout(() => { for (let line = 0; line < lines; line += 1) console.log("line " + line); }, 0); }',
  },
  {
    name: 'a thousand at a time',
    fn: '(lines) => { let line = 0; const some = () => { for (const end = Math.min(lines, line + 1000); line < end; line += 1) console.log("line " + line, [line]); if (line < lines) setTimeout(some, 0); }; setTimeout(some, 0); }',
  },
  {
    name: 'long lines',
    fn: '(lines) => { const text = "x".repeat(500); setTimeout(() => { for (let line = 0; line < lines; line += 1) console.warn(text, line); }, 0); }',
  },
];

interface Size {
  readonly lines: number;
  /** Nineteen of twenty calls of another session are answered before this, milliseconds. */
  readonly markerMs: number;
  /** Most growth of the server's memory afterwards, bytes. */
  readonly growth: number;
}

const FULL: Size = { lines: 1_000_000, markerMs: 1_000, growth: 50 * 1_048_576 };
/**
 * Beside a whole test suite on two cores a second proves nothing; this checks that every line is counted and that no
 * caller has to wait for the last one.
 */
const SMALL: Size = { lines: 20_000, markerMs: 10_000, growth: Number.POSITIVE_INFINITY };
const SHARE = 0.05;

/** F25: every line is counted, the newest are kept, and the sessions beside go on. */
export const consoleFlood: Campaign = {
  id: 'F25',
  about: 'a page writes a million lines: counted to the line, the last one kept, other sessions go on',
  full: 5,
  round: (fixture, random, index) => flood(fixture, random, index, FULL),
  inSmall: (fixture, random, index) => flood(fixture, random, index, SMALL),
};

/** Turns the flood protection off, since every line has to be counted. */
async function flood(
  fixture: CampaignFixture,
  random: Random,
  index: number,
  { lines, markerMs, growth }: Size,
): Promise<string | undefined> {
  const way = WAYS[index % WAYS.length];
  if (!way) throw new Error('There are ways to write.');
  const [noisy, calm] = [await fixture.session({ limitFloods: false }), await fixture.session()];
  const ring = fixture.inside(noisy).registry.find('t1').tab.watch.console;
  const start = ring.cursor;
  try {
    await look(fixture, calm, random);
    const memory = process.memoryUsage.rss();
    await fixture.act(noisy, { kind: 'evaluate', fn: way.fn, args: [lines] });
    const late: boolean[] = [];
    while (ring.cursor - start < lines) {
      const { value, late: tooLate } = await before(markerMs, look(fixture, calm, random));
      if (value !== undefined) return `beside ${way.name}, ${value}`;
      late.push(tooLate);
    }
    const grown = process.memoryUsage.rss() - memory;
    if (late.filter(Boolean).length > late.length * SHARE)
      return `beside ${way.name}, ${late.filter(Boolean).length} of ${late.length} calls came after ${markerMs} ms`;
    if (ring.cursor - start !== lines) return `${way.name} was counted as ${ring.cursor - start} of ${lines} lines`;
    const last = ring.newest(() => true)?.text ?? '';
    if (!last.includes(String(lines - 1))) return `after ${way.name} the last line was ${last.slice(-60)}`;
    return grown > growth
      ? `after ${way.name} the server had grown by ${Math.round(grown / 1_048_576)} MiB`
      : undefined;
  } finally {
    for (const session of [noisy, calm]) await fixture.server.api('DELETE', `/api/v1/sessions/${session}`);
  }
}

/** One call in the neighbouring session; returns the problem, if any. */
async function look(fixture: CampaignFixture, session: string, random: Random): Promise<string | undefined> {
  const action = random.between(0, 1) === 0 ? { kind: 'snapshot' } : { kind: 'click', selector: '#b' };
  const { error } = await fixture.act(session, action);
  return error && `a ${action.kind} was answered ${error.code}: ${error.message}`;
}
