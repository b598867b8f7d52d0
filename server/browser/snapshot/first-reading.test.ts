import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { monotonicClock } from '@/lib/budget/clock';
import { budgetOf, NO_OTHERS, SnapshotFixture } from '@/server/testing/snapshot-fixture';
import { TabSnapshots } from './tab-snapshots';

let fixture: SnapshotFixture;
beforeAll(async () => {
  fixture = await SnapshotFixture.open();
});
afterEach(() => fixture.endPages());
afterAll(() => fixture.close());

describe('the first reading of a document', () => {
  it("[SN1] takes three rounds: frames, world and document; the page's size; everything else at once", async () => {
    const page = await fixture.page('<button>A</button><p>words</p>');
    const notes: string[] = [];
    const frame = await page.acting.send('Page.getFrameTree');
    const { id, loaderId, url } = frame.frameTree.frame;
    const snapshots = new TabSnapshots({
      session: fixture.noting(page, notes),
      refs: page.refs,
      targetId: page.targetId,
      clock: monotonicClock,
      frames: NO_OTHERS,
      currentDocument: () => ({ frameId: id, loaderId, url }),
      title: () => '',
    });
    const { text } = await snapshots.take(budgetOf(15_000));
    expect([text, rounds(notes)]).toEqual([
      '- button "A" [ref=e1]\n- paragraph "words"',
      [
        ['Page.getFrameTree', 'Memory.getDOMCounters', 'Page.createIsolatedWorld', 'Runtime.evaluate'],
        ['Runtime.evaluate'],
        [
          'Memory.getDOMCounters',
          'Performance.enable',
          'Performance.getMetrics',
          'Accessibility.getFullAXTree',
          'DOMDebugger.getEventListeners',
          'DOMSnapshot.captureSnapshot',
          'Page.getFrameTree',
          'Runtime.evaluate',
        ],
      ],
    ]);
  });
});

/** Groups the commands that were sent before any answer to them arrived, round by round. */
function rounds(notes: readonly string[]): string[][] {
  const all: string[][] = [];
  let waiting = false;
  for (const note of notes) {
    const sent = note.startsWith('+ ');
    if (sent && !waiting) all.push([]);
    waiting = sent;
    if (sent) all.at(-1)?.push(note.slice(2));
  }
  return all;
}
