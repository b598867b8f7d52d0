import type { Upcoming } from '@/server/browser/emitter';
import { z } from 'zod';
import type { ActionOf, Point } from '@/lib/actions/kinds';
import { WheelhouseError } from '@/lib/errors/error';
import type { OpenChooser } from '@/server/browser/files/chooser';
import { PageElement } from '@/server/browser/target/element';
import { injectedCall } from '@/server/browser/target/world';
import { inDocumentAt } from '@/server/browser/target/world-at';
import { onElement, optionalElement, pointOf, elementAt } from './resolved-target';
import { defineAction, type ActionContext, type HandlerResult } from './context';

export const upload = defineAction({ kind: 'upload', settles: true, queued: true, run: runUpload });

/** How long a page may take to open its chooser after a click, milliseconds. */
const CHOOSER_MS = 3_000;

async function runUpload(context: ActionContext, action: ActionOf<'upload'>): Promise<HandlerResult> {
  const files = await context.files.paths(action.paths);
  if (action.at) return dropped(context, action, action.at, files);
  const target = optionalElement(action);
  if (!target) return forChooser(context, action, files);
  return onElement(context, target, { enabled: true, hitTest: false }, async ({ element, warnings }) => {
    const field = await element.other(context.budget, 'forms', 'fileField');
    if (!field) return { ...(await byClick(context, action, files)), via: element.via, warnings };
    try {
      await give(context, field, files);
      return { via: element.via, value: given(action), warnings };
    } finally {
      field.release();
    }
  });
}

/** The field itself: nothing needs to be clicked, and a hidden one works too. Source: DOM.setFileInputFiles. */
async function give({ budget, write }: ActionContext, field: PageElement, files: readonly string[]): Promise<void> {
  const multiple = await field.ask(budget, z.boolean(), 'forms', 'takesSeveral');
  if (!multiple && files.length > 1) throw tooMany();
  await field.fenced(write)('DOM.setFileInputFiles', { files: [...files], objectId: field.objectId });
}

/** Dropped at a point: into the field that is there, else by the page's own drag and drop. */
async function dropped(
  context: ActionContext,
  action: ActionOf<'upload'>,
  at: Point,
  files: readonly string[],
): Promise<HandlerResult> {
  const { tab, budget } = context;
  context.noteTarget(await elementAt(context, at));
  return inDocumentAt(budget, tab, at, async (world, inside) => {
    const objectId = await world.pick(budget, injectedCall('drops', 'at', { value: inside }));
    if (objectId === undefined) throw takesNone();
    const place = new PageElement(world, objectId, { role: 'generic', name: '' }, 'point');
    const [field, carrier] = await Promise.all([
      place.other(budget, 'drops', 'fieldOf'),
      place.other(budget, 'drops', 'carrier'),
    ]);
    try {
      if (field) await give(context, field, files);
      else if (!carrier || !(await letFall(context, { place, carrier, inside }, files))) throw takesNone();
      return { via: 'point', value: given(action) };
    } finally {
      for (const held of [place, field, carrier]) held?.release();
    }
  });
}

interface DropTarget {
  readonly place: PageElement;
  /** A detached file field that brings the files into the page's process. */
  readonly carrier: PageElement;
  /** In the viewport of the place's own document, CSS pixels. */
  readonly inside: Point;
}

/** False where the page does not take files. */
async function letFall(
  { budget, write }: ActionContext,
  { place, carrier, inside }: DropTarget,
  files: readonly string[],
): Promise<boolean> {
  await carrier.fenced(write)('DOM.setFileInputFiles', { files: [...files], objectId: carrier.objectId });
  return place.change(budget, write, z.boolean(), 'drops', 'drop', { objectId: carrier.objectId }, { value: inside });
}

/** A button that opens a chooser: pressed, and its chooser answered. */
async function byClick(
  context: ActionContext,
  action: ActionOf<'upload'>,
  files: readonly string[],
): Promise<HandlerResult> {
  const { tab, budget, write } = context;
  const opened = nextChooser(context);
  try {
    await onElement(context, elementOf(action), { enabled: true }, (aimed) =>
      tab.input.click(write, budget, pointOf(aimed)),
    );
    await answer(context, await opened.promise, files);
    return { value: given(action) };
  } finally {
    opened.stop();
  }
}

async function forChooser(
  context: ActionContext,
  action: ActionOf<'upload'>,
  files: readonly string[],
): Promise<HandlerResult> {
  const { tab, actor, agent, files: fileApi } = context;
  const { open } = tab.tools.chooser;
  if (open) {
    await answer(context, open, files);
    return { value: given(action) };
  }
  await context.checkLease();
  const lost = tab.tools.chooser.arm({ files, by: actor, agent });
  if (lost) fileApi.armReplaced(lost.by);
  return {
    value: { armed: action.paths },
    warnings: lost ? [`What ${lost.by} had armed for the next file chooser is replaced by this.`] : [],
  };
}

async function answer({ tab, write }: ActionContext, chooser: OpenChooser, files: readonly string[]): Promise<void> {
  if (!chooser.view.multiple && files.length > 1) throw tooMany();
  await tab.tools.chooser.answer(write, chooser, files);
}

/**
 * The chooser that opens next. Rejects with WRONG_ELEMENT when none opens, and with UNSUPPORTED when the page opens one
 * that cannot be answered.
 */
function nextChooser({ tab, budget }: ActionContext): Upcoming<OpenChooser> {
  const opened = tab.tools.chooser.onOpen.next((one) => one);
  const refused = tab.tools.chooser.onRefused.next((): never => {
    throw new WheelhouseError(
      'UNSUPPORTED',
      { code: 'filesUnanswerable' },
      { hint: { code: 'filesUnanswerableCure' } },
    );
  });
  const late = budget.pause(Math.min(CHOOSER_MS, budget.remainingMs() / 2)).then((): never => {
    throw new WheelhouseError(
      'WRONG_ELEMENT',
      'The element is not a file field, and a click on it opened no file chooser.',
      { hint: 'Name the file field itself, or what opens the chooser.' },
    );
  });
  const promise = Promise.race([opened.promise, refused.promise, late]);
  promise.catch(() => undefined);
  return {
    promise,
    stop: () => {
      opened.stop();
      refused.stop();
    },
  };
}

function elementOf(action: ActionOf<'upload'>): NonNullable<ReturnType<typeof optionalElement>> {
  const target = optionalElement(action);
  if (target) return target;
  throw new WheelhouseError('BAD_REQUEST', 'This upload names no element.', {
    details: { fields: [{ field: 'ref', problem: 'is missing' }] },
  });
}

function given({ paths }: ActionOf<'upload'>): { files: readonly string[] } {
  return { files: paths };
}

function tooMany(): WheelhouseError {
  return new WheelhouseError(
    'BAD_REQUEST',
    { code: 'chooserTakesOne' },
    { details: { fields: [{ field: 'paths', problem: 'has more than one file' }] } },
  );
}

function takesNone(): WheelhouseError {
  return new WheelhouseError('WRONG_ELEMENT', { code: 'dropTakesNone' }, { hint: { code: 'dropCure' } });
}
