import type { ActionOf } from '@/lib/actions/kinds';
import type { Box } from '@/lib/protocol/catalog';
import { WheelhouseError } from '@/lib/errors/error';
import { boxOfElement } from '@/server/browser/box';
import type { Protocol } from '@/server/cdp/protocol';
import { withElement, optionalElement } from './resolved-target';
import { defineAction, type ActionContext, type HandlerResult } from './context';
import { labelPicture, type PictureToLabel } from '@/server/browser/snapshot/label-picture';

/** Pictures larger than this in either direction are refused by Chrome's encoder. Pixels. */
const MAX_SIDE = 16_384;

export const screenshot = defineAction({
  kind: 'screenshot',
  settles: false,
  queued: false,
  run: (context, action) => picture(context, action),
});

export async function picture(context: ActionContext, action: ActionOf<'screenshot'>): Promise<HandlerResult> {
  const { format = 'png', quality, fullPage } = action;
  if (quality !== undefined && format === 'png')
    throw new WheelhouseError('BAD_REQUEST', '"quality" is for jpeg and webp; a png has none.', {
      details: { fields: [{ field: 'quality', problem: 'is for jpeg and webp' }] },
    });
  const clip = fullPage === true ? await wholePage(context) : await elementClip(context, action);
  if (action.labels === true) return labelled(context, clip, { format, quality });
  return { value: { format, base64: await capture(context, clip, { format, quality }) } };
}

interface Form {
  readonly format: 'png' | 'jpeg' | 'webp';
  readonly quality?: number | undefined;
}

/**
 * In device pixels. Chromium 156 gives them only to the session that set the density, any other gets CSS pixels
 * (measured); plain pictures stay off the lane that input takes.
 */
async function capture(
  { tab, budget }: ActionContext,
  clip: Protocol.Page.Viewport | undefined,
  { format, quality }: Form,
): Promise<string> {
  const params = {
    format,
    captureBeyondViewport: clip !== undefined,
    ...(quality === undefined ? {} : { quality }),
    ...(clip ? { clip } : {}),
  };
  const session = tab.emulation.density === 1 ? tab.sessions.bulk : tab.sessions.commands;
  const { data } = await budget.during('the picture', () => session.send('Page.captureScreenshot', params));
  return data;
}

/** Captures a lossless picture, and compresses it after the labels are drawn. */
async function labelled(
  context: ActionContext,
  clip: Protocol.Page.Viewport | undefined,
  form: Form,
): Promise<HandlerResult> {
  const { tab, budget } = context;
  const { cssVisualViewport: view } = await budget.race(tab.sessions.bulk.send('Page.getLayoutMetrics'));
  const frame = clip
    ? { ...clip, x: clip.x - view.pageX, y: clip.y - view.pageY }
    : { x: 0, y: 0, width: view.clientWidth, height: view.clientHeight };
  const labels = await labelsIn(context, frame);
  const base64 = await capture(context, clip, { format: 'png' });
  return {
    value: {
      format: form.format,
      base64: await drawOn(context, { ...form, quality: form.quality, base64, cssWidth: clip?.width }, labels),
      labels,
    },
  };
}

async function wholePage({ tab, budget }: ActionContext): Promise<Protocol.Page.Viewport> {
  const { cssContentSize } = await budget.race(tab.sessions.bulk.send('Page.getLayoutMetrics'));
  return clipOf({
    x: 0,
    y: 0,
    width: Math.min(cssContentSize.width, MAX_SIDE),
    height: Math.min(cssContentSize.height, MAX_SIDE),
  });
}

/** The element's box in the coordinates of the whole page. */
async function elementClip(
  context: ActionContext,
  action: ActionOf<'screenshot'>,
): Promise<Protocol.Page.Viewport | undefined> {
  const target = optionalElement(action);
  if (!target) return undefined;
  const { tab, budget } = context;
  return withElement(context, target, async (element) => {
    const box = await boxOfElement(budget, tab, element);
    const { cssVisualViewport } = await budget.race(tab.sessions.bulk.send('Page.getLayoutMetrics'));
    return clipOf(
      box
        ? { ...box, x: box.x + cssVisualViewport.pageX, y: box.y + cssVisualViewport.pageY }
        : { x: 0, y: 0, width: 0, height: 0 },
    );
  });
}

function clipOf(box: Box): Protocol.Page.Viewport {
  if (box.width < 1 || box.height < 1)
    throw new WheelhouseError('NOT_VISIBLE', 'No picture can be taken of an area whose width or height is 0.');
  return { ...box, scale: 1 };
}

/** More labels than this on one picture are not readable. */
const MOST_LABELS = 400;

interface Label {
  readonly ref: string;
  readonly role: string;
  readonly name: string;
  /** CSS pixels from the corner of the picture. */
  readonly box: Box;
}

/** The part of the viewport that the picture shows, CSS pixels. */
type PictureFrame = Box;

/** The elements to act on that the picture shows, with their boxes in it (SN9). Call it right before the capture. */
async function labelsIn({ tab, budget }: Pick<ActionContext, 'tab' | 'budget'>, frame: PictureFrame): Promise<Label[]> {
  const { refs } = await tab.snapshots.take(budget, { interactive: true, boxes: true });
  const labels = refs.flatMap(({ ref, role, name, box }) =>
    box && meets(box, frame) ? [{ ref, role, name, box: { ...box, x: box.x - frame.x, y: box.y - frame.y } }] : [],
  );
  return labels.slice(0, MOST_LABELS);
}

/** The picture with the refs drawn on it. */
function drawOn(
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
