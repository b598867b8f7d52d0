import { WheelhouseError } from '@/lib/errors/error';

/** A subframe as a caller may name it. */
export interface NamedFrame {
  readonly frameId: string;
  /** `f1`, once a snapshot assigned it. */
  readonly label: string | undefined;
  readonly url: string;
}

const MOST_NAMED = 10;

/**
 * The subframe that a caller names by its label or by a part of its address; undefined when none matches. Throws
 * AMBIGUOUS, which lists the matching ones.
 */
export function whichFrame(frames: readonly NamedFrame[], wanted: string): string | undefined {
  const labelled = frames.find(({ label }) => label === wanted);
  if (labelled) return labelled.frameId;
  const fitting = frames.filter(({ url }) => url.includes(wanted));
  if (fitting.length < 2) return fitting[0]?.frameId;
  throw new WheelhouseError('AMBIGUOUS', `${fitting.length} frames have ${shown(wanted)} in their address.`, {
    hint: 'Use one of the labels in details, or more of the address.',
    details: { frames: named(fitting) },
  });
}

/** The error for a name that matches no label, address or selector. */
export function noFrame(frames: readonly NamedFrame[], wanted: string): WheelhouseError {
  return new WheelhouseError('NODE_GONE', `No frame is ${shown(wanted)}.`, {
    hint: 'Name it by its label in the snapshot, by a part of its address, or by a selector of its frame element.',
    details: { frames: named(frames) },
  });
}

function named(frames: readonly NamedFrame[]): object[] {
  return frames
    .slice(0, MOST_NAMED)
    .map(({ label, url }) => ({ ...(label === undefined ? {} : { label }), url: url.slice(0, 200) }));
}

function shown(wanted: string): string {
  return `"${wanted.slice(0, 100)}"`;
}
