/** What of a frame decides whether it is drawn. */
export interface NumberedFrame {
  readonly tab: string;
  /** Grows by one with every picture of a tab's capture. */
  readonly seq: number;
}

/**
 * The latest-value slot before the canvas (FR2), as data: at most one picture is being decoded and at most one waits.
 * Whatever is passed over still gives its credit back, so the server never waits for a picture nobody will paint.
 */
export interface Slot<T extends NumberedFrame> {
  readonly decoding: T | undefined;
  readonly waiting: T | undefined;
  readonly shown: NumberedFrame | undefined;
}

export interface SlotStep<T extends NumberedFrame> {
  readonly slot: Slot<T>;
  /** Decode this now. */
  readonly decode?: T;
  /** These are passed over: return their credit. */
  readonly skipped: readonly T[];
}

export function emptySlot<T extends NumberedFrame>(): Slot<T> {
  return { decoding: undefined, waiting: undefined, shown: undefined };
}

/** A picture arrived. */
export function arrive<T extends NumberedFrame>(slot: Slot<T>, frame: T): SlotStep<T> {
  if (isOlder(frame, slot.waiting ?? slot.decoding ?? slot.shown)) return { slot, skipped: [frame] };
  if (!slot.decoding) return { slot: { ...slot, decoding: frame }, decode: frame, skipped: [] };
  return { slot: { ...slot, waiting: frame }, skipped: slot.waiting ? [slot.waiting] : [] };
}

/** Decoding ended, and unless it `failed` the picture was drawn. The next one is tried in any case. */
export function decoded<T extends NumberedFrame>(slot: Slot<T>, failed = false): SlotStep<T> {
  const { decoding, waiting } = slot;
  if (!decoding) return { slot, skipped: [] };
  const shown = failed ? slot.shown : { tab: decoding.tab, seq: decoding.seq };
  const next: Slot<T> = { decoding: waiting, waiting: undefined, shown };
  return { slot: next, skipped: [], ...(waiting ? { decode: waiting } : {}) };
}

/** Numbers of different tabs say nothing about each other: the stream follows another tab now. */
function isOlder(frame: NumberedFrame, known: NumberedFrame | undefined): boolean {
  return known !== undefined && known.tab === frame.tab && frame.seq <= known.seq;
}
