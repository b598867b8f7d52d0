/** The fields of a frame that decide whether it is drawn. */
export interface NumberedFrame {
  readonly tab: string;
  /** Number of the picture; grows with each picture of a tab. */
  readonly seq: number;
}

/**
 * The latest-value slot before the canvas (FR2), as data: at most one picture is being decoded, and at most one waits.
 * A skipped picture returns its credit at once, so that the server never waits for a picture that is not painted.
 */
export interface Slot<T extends NumberedFrame> {
  readonly decoding: T | undefined;
  readonly waiting: T | undefined;
  readonly shown: NumberedFrame | undefined;
}

export interface SlotStep<T extends NumberedFrame> {
  readonly slot: Slot<T>;
  /** The picture to decode now. */
  readonly decode?: T;
  /** Skipped pictures, whose credit the caller returns. */
  readonly skipped: readonly T[];
}

export function emptySlot<T extends NumberedFrame>(): Slot<T> {
  return { decoding: undefined, waiting: undefined, shown: undefined };
}

/** Takes a picture that arrived. */
export function arrive<T extends NumberedFrame>(slot: Slot<T>, frame: T): SlotStep<T> {
  if (isOlder(frame, slot.waiting ?? slot.decoding ?? slot.shown)) return { slot, skipped: [frame] };
  if (!slot.decoding) return { slot: { ...slot, decoding: frame }, decode: frame, skipped: [] };
  return { slot: { ...slot, waiting: frame }, skipped: slot.waiting ? [slot.waiting] : [] };
}

/**
 * Takes the end of a decoding; the picture was drawn unless it `failed`. The waiting picture is decoded next in both
 * cases.
 */
export function decoded<T extends NumberedFrame>(slot: Slot<T>, failed = false): SlotStep<T> {
  const { decoding, waiting } = slot;
  if (!decoding) return { slot, skipped: [] };
  const shown = failed ? slot.shown : { tab: decoding.tab, seq: decoding.seq };
  const next: Slot<T> = { decoding: waiting, waiting: undefined, shown };
  return { slot: next, skipped: [], ...(waiting ? { decode: waiting } : {}) };
}

/**
 * True when the frame is not newer than the known one. Numbers of different tabs cannot be compared: the stream follows
 * another tab now.
 */
function isOlder(frame: NumberedFrame, known: NumberedFrame | undefined): boolean {
  return known !== undefined && known.tab === frame.tab && frame.seq <= known.seq;
}
