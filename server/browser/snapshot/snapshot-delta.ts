import type { SnapshotPatch, SnapshotView } from '@/lib/protocol/views';
import { diffLines, type LineEdit } from '@/lib/snapshot/delta';
import { printDelta } from '@/lib/snapshot/delta-text';
import type { PrintedLine } from '@/lib/snapshot/line';
import { estimateTokens } from '@/lib/snapshot/tokens';

/** A snapshot as it was printed, with its lines. */
export interface PrintedView {
  readonly view: SnapshotView;
  /** The lines of the text, in order. */
  readonly lines: readonly PrintedLine[];
}

/** A patch that is longer than this share of the text is not sent (SN7). */
const MOST_SHARE = 0.7;

/**
 * The changes since a text that the caller has: as a text of their own, or the whole text where that is better (SN7).
 */
export function changesSince(now: PrintedView, before: string | undefined, since: number): SnapshotView {
  if (before === undefined) return whole(now.view, since, `Revision ${since} is not kept in this form.`);
  const old = before.split('\n');
  const edits = diffLines(
    old,
    now.lines.map((line) => line.text),
  );
  const text = printDelta(old, edits, now.view.text, since, now.view.revision);
  if (text === undefined) return whole(now.view, since, `Most of it changed since revision ${since}.`);
  const added = addedBy(edits, now.lines);
  const refs = added.flatMap((line) => line.ref ?? []);
  const stats = {
    ...now.view.stats,
    lines: text.split('\n').length,
    chars: text.length,
    tokens: estimateTokens(text),
    refs: refs.length,
    interactive: added.filter((line) => line.interactive).length,
    depth: added.reduce((deepest, line) => Math.max(deepest, line.level + 1), 0),
  };
  return { ...now.view, text, refs, stats, delta: { since, edits } };
}

/** The changes for a watcher who keeps the text: only the edits. Undefined when the whole text is shorter. */
export function patchSince(now: PrintedView, before: string, since: number): SnapshotPatch | undefined {
  const edits = diffLines(
    before.split('\n'),
    now.lines.map((line) => line.text),
  );
  if (JSON.stringify(edits).length > now.view.text.length * MOST_SHARE) return undefined;
  const { text: _text, delta: _delta, refs: _refs, ...about } = now.view;
  return { ...about, since, edits, refs: addedBy(edits, now.lines).flatMap((line) => line.ref ?? []) };
}

/** The view without the edits for programs, which readers of the text do not need. */
export function readable(view: SnapshotView): SnapshotView {
  if (view.delta?.edits === undefined) return view;
  return { ...view, delta: { since: view.delta.since } };
}

export function whole(view: SnapshotView, since: number, reason: string): SnapshotView {
  return { ...view, delta: { since, whole: reason } };
}

function addedBy(edits: readonly LineEdit[], lines: readonly PrintedLine[]): PrintedLine[] {
  let shift = 0;
  return edits.flatMap(({ at, remove, insert }) => {
    const from = at + shift;
    shift += insert.length - remove;
    return lines.slice(from, from + insert.length);
  });
}
