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

const LINES = 1_000_000;
/** Nineteen of twenty calls of another session are answered before this, milliseconds. */
const MARKER_MS = 1_000;
const SHARE = 0.05;
/** Most growth of the server's memory afterwards, bytes. */
const GROWTH = 50 * 1_048_576;

/** F25: every line is counted, the newest are kept, and the sessions beside go on. */
export const consoleFlood: Campaign = {
  id: 'F25',
  about: 'a page writes a million lines: counted to the line, the last one kept, other sessions go on',
  full: 5,
  round: flood,
};

/** Turns the flood protection off, since every line has to be counted. */
async function flood(fixture: CampaignFixture, random: Random, index: number): Promise<string | undefined> {
  const way = WAYS[index % WAYS.length];
  if (!way) throw new Error('There are ways to write.');
  const [noisy, calm] = [await fixture.session({ limitFloods: false }), await fixture.session()];
  const ring = fixture.inside(noisy).registry.find('t1').tab.watch.console;
  const start = ring.cursor;
  try {
    await look(fixture, calm, random);
    const memory = process.memoryUsage.rss();
    await fixture.act(noisy, { kind: 'evaluate', fn: way.fn, args: [LINES] });
    const late: boolean[] = [];
    while (ring.cursor - start < LINES) {
      const { value, late: tooLate } = await before(MARKER_MS, look(fixture, calm, random));
      if (value !== undefined) return `beside ${way.name}, ${value}`;
      late.push(tooLate);
    }
    const grown = process.memoryUsage.rss() - memory;
    if (late.filter(Boolean).length > late.length * SHARE)
      return `beside ${way.name}, ${late.filter(Boolean).length} of ${late.length} calls came after ${MARKER_MS} ms`;
    if (ring.cursor - start !== LINES) return `${way.name} was counted as ${ring.cursor - start} of ${LINES} lines`;
    const last = ring.newest(() => true)?.text ?? '';
    if (!last.includes(String(LINES - 1))) return `after ${way.name} the last line was ${last.slice(-60)}`;
    return grown > GROWTH
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
