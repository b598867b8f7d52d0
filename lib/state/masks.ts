import { z } from 'zod';
import { WheelhouseError } from '../errors/error';

/**
 * Fields of one frame whose content stays masked while their document lives (CO8). Only ids: no content of the fields.
 */
const maskSchema = z.object({
  frameId: z.string(),
  /** The document they are in: loader id of the frame. */
  loaderId: z.string(),
  /** The CDP target that contains the frame, and the loader id of that target's top document. */
  targetId: z.string(),
  topLoaderId: z.string(),
  /** Backend node ids of Chrome, unique in the process of the document. */
  fields: z.array(z.int()),
  /** There were more fields than the limit, so every field of the document is masked. */
  all: z.boolean().optional(),
});
export type Mask = z.infer<typeof maskSchema>;

export const masksSchema = z.array(maskSchema);

/** Most fields that are stored for one frame, and for a tab. */
export const MOST_OF_FRAME = 500;
const MOST_OF_TAB = 5_000;

/**
 * The mask of one frame. Throws while the top document of the frame's process is unknown, because the next look would
 * drop the mask.
 */
export function maskOf(place: Omit<Mask, 'fields' | 'all'>, found: readonly number[]): Mask {
  if (place.topLoaderId === '')
    throw new WheelhouseError('TAB_UNRESPONSIVE', 'It is not known yet which document a frame belongs to.');
  return bounded({ ...place, fields: [...found] }, MOST_OF_FRAME);
}

function bounded(mask: Mask, most: number): Mask {
  return mask.fields.length > most ? { ...mask, fields: mask.fields.slice(0, most), all: true } : mask;
}

/**
 * The union of both; for a frame that shows another document now, only the newer mask counts. No frame is dropped: when
 * the limit is reached, all fields of the older frames are masked.
 */
export function joinMasks(older: readonly Mask[], newer: readonly Mask[]): Mask[] {
  const all = new Map(older.map((mask) => [mask.frameId, mask]));
  for (const mask of newer) {
    const before = all.get(mask.frameId);
    const known = before?.loaderId === mask.loaderId ? before : undefined;
    const fields = [...new Set([...(known?.fields ?? []), ...mask.fields])];
    const isAll = known?.all === true || mask.all === true;
    all.delete(mask.frameId);
    all.set(mask.frameId, { ...mask, fields, ...(isAll ? { all: true } : {}) });
  }
  let room = MOST_OF_TAB;
  const kept = [...all.values()].toReversed().map((mask) => {
    const shorter = bounded(mask, Math.min(room, MOST_OF_FRAME));
    room -= shorter.fields.length;
    return shorter;
  });
  return kept.toReversed();
}
