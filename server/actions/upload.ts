import { z } from 'zod';
import type { ActionOf } from '@/lib/actions/kinds';
import { WheelhouseError } from '@/lib/errors/error';
import type { OpenChooser } from '@/server/browser/files/chooser';
import type { PageElement } from '@/server/browser/target/element';
import { onElement, optionalElement, pointOf } from './aim';
import { defineAction, type ActionContext, type Outcome } from './context';

export const upload = defineAction({ kind: 'upload', settles: true, queued: true, run: runUpload });

/** How long a page may take to open its chooser after a click, milliseconds. */
const CHOOSER_MS = 3_000;

async function runUpload(context: ActionContext, action: ActionOf<'upload'>): Promise<Outcome> {
  const files = await context.files.room.paths(action.paths);
  const target = optionalElement(action);
  if (!target) return forChooser(context, action, files);
  return onElement(context, target, { enabled: true, aim: false }, async ({ element, warnings }) => {
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
  await field.pen(write)('DOM.setFileInputFiles', { files: [...files], objectId: field.objectId });
}

/** A button that opens a chooser: pressed, and its chooser answered. */
async function byClick(context: ActionContext, action: ActionOf<'upload'>, files: readonly string[]): Promise<Outcome> {
  const { tab, budget, write } = context;
  const opened = nextChooser(context);
  try {
    await onElement(context, elementOf(action), { enabled: true }, (aimed) => tab.input.click(write, budget, pointOf(aimed)));
    await answer(context, await opened.promise, files);
    return { value: given(action) };
  } finally {
    opened.stop();
  }
}

async function forChooser(context: ActionContext, action: ActionOf<'upload'>, files: readonly string[]): Promise<Outcome> {
  const { tab, actor, files: desk } = context;
  const { open } = tab.tools.chooser;
  if (open) {
    await answer(context, open, files);
    return { value: given(action) };
  }
  context.checkWheel();
  const lost = tab.tools.chooser.arm({ files, by: actor });
  if (lost) desk.armReplaced(lost.by);
  return { value: { armed: action.paths }, warnings: lost ? [`What ${lost.by} had armed for the next file chooser is replaced by this.`] : [] };
}

async function answer({ tab, write }: ActionContext, chooser: OpenChooser, files: readonly string[]): Promise<void> {
  if (!chooser.multiple && files.length > 1) throw tooMany();
  await tab.tools.chooser.answer(write, chooser, files);
}

/** The chooser that opens next. Rejects with WRONG_ELEMENT when none does. */
function nextChooser({ tab, budget }: ActionContext): { promise: Promise<OpenChooser>; stop: () => void } {
  let stop = (): void => undefined;
  const opened = new Promise<OpenChooser>((resolve) => {
    stop = tab.tools.chooser.onOpen.on((chooser) => resolve(chooser));
  });
  const late = budget.pause(Math.min(CHOOSER_MS, budget.remainingMs() / 2)).then((): never => {
    throw new WheelhouseError('WRONG_ELEMENT', 'The element is no file field, and a click on it opened no file chooser.', { hint: 'Name the file field itself, or what opens the chooser.' });
  });
  const promise = Promise.race([opened, late]);
  promise.catch(() => undefined);
  return { promise, stop };
}

function elementOf(action: ActionOf<'upload'>): NonNullable<ReturnType<typeof optionalElement>> {
  const target = optionalElement(action);
  if (target) return target;
  throw new WheelhouseError('BAD_REQUEST', 'This upload names no element.', { details: { fields: [{ field: 'ref', problem: 'is missing' }] } });
}

function given({ paths }: ActionOf<'upload'>): { files: readonly string[] } {
  return { files: paths };
}

function tooMany(): WheelhouseError {
  return new WheelhouseError('BAD_REQUEST', '"paths" has more than one file, and the page takes one.', { details: { fields: [{ field: 'paths', problem: 'has more than one file' }] } });
}
