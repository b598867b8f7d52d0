import type { Box } from '@/lib/protocol/catalog';
import { labelPicture, type PictureToLabel } from '@/server/browser/snapshot/label-picture';
import type { ActionContext } from './context';

/** More labels than this on one picture are not readable. */
const MOST_LABELS = 400;

export interface Label {
  readonly ref: string;
  readonly role: string;
  readonly name: string;
  /** CSS pixels from the corner of the picture. */
  readonly box: Box;
}

/** Where the picture lies: CSS pixels of the viewport. */
export type PictureFrame = Box;

/**
 * The elements to act on that a picture shows, with their places in it (SN9). To be asked right before the picture is
 * taken.
 */
export async function labelsIn(
  { tab, budget }: Pick<ActionContext, 'tab' | 'budget'>,
  frame: PictureFrame,
): Promise<Label[]> {
  const { refs } = await tab.snapshots.take(budget, { interactive: true, boxes: true });
  const labels = refs.flatMap(({ ref, role, name, box }) =>
    box && meets(box, frame) ? [{ ref, role, name, box: { ...box, x: box.x - frame.x, y: box.y - frame.y } }] : [],
  );
  return labels.slice(0, MOST_LABELS);
}

/** The picture with the refs drawn on it. */
export function drawOn(
  { tab, budget }: Pick<ActionContext, 'tab' | 'budget'>,
  picture: PictureToLabel,
  labels: readonly Label[],
): Promise<string> {
  return labelPicture(
    budget,
    tab.sessions.bulk,
    tab.page.document.frameId,
    picture,
    labels.map(({ ref, box }) => ({ text: ref, ...box })),
  );
}

function meets(box: Box, frame: Box): boolean {
  return (
    box.x < frame.x + frame.width &&
    box.x + box.width > frame.x &&
    box.y < frame.y + frame.height &&
    box.y + box.height > frame.y
  );
}
