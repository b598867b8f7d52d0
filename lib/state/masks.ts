import { z } from 'zod';

/** Fields of one frame whose content stays masked while their document lives (CO8). Ids only: nothing of what stands in them. */
const maskSchema = z.object({
  frameId: z.string(),
  /** The document they are in: loader id of the frame. */
  loaderId: z.string(),
  /** What serves the frame, and the loader id of the document at its top. */
  targetId: z.string(),
  topLoaderId: z.string(),
  /** Backend node ids of Chrome, unique in the process of the document. */
  fields: z.array(z.int()),
});
export type Mask = z.infer<typeof maskSchema>;

export const masksSchema = z.array(maskSchema);

/** Fields that are kept of a tab; those of the newest frames stay. */
const MOST_FIELDS = 2_000;

/** Both together; of a frame that shows another document now, the newer one's. */
export function joinMasks(older: readonly Mask[], newer: readonly Mask[]): Mask[] {
  const all = new Map(older.map((mask) => [mask.frameId, mask]));
  for (const mask of newer) {
    const before = all.get(mask.frameId);
    const fields = before?.loaderId === mask.loaderId ? [...new Set([...before.fields, ...mask.fields])] : mask.fields;
    all.delete(mask.frameId);
    all.set(mask.frameId, { ...mask, fields });
  }
  let room = MOST_FIELDS;
  const kept = [...all.values()].toReversed().filter(({ fields }) => {
    room -= fields.length;
    return room >= 0;
  });
  return kept.toReversed();
}
