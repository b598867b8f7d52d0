import { z } from 'zod';
import { asWheelhouseError } from '@/lib/errors/error';
import { cleanText } from '@/lib/text/clean';
import { describeElement } from '@/server/browser/target/describe';
import { PageElement } from '@/server/browser/target/element';
import { CdpError } from '@/server/cdp/protocol';
import type { ElementContext } from './resolved-target';

const MOST_WORDS = 200;
const objectionSchema = z.string().nullable();

/**
 * Presses an element or key that may submit a form. The browser does not submit a form with an invalid field, and shows
 * the reason in a bubble that neither the page nor a snapshot contains: here it becomes a warning.
 */
export async function pressSending(
  context: ElementContext,
  element: PageElement,
  press: () => Promise<void>,
): Promise<string[]> {
  const before = await objectionTo(context, element);
  await press();
  if (before === null) return [];
  try {
    const still = await objectionTo(context, element);
    return still === null ? [] : [await wordsOf(context, element, still)];
  } catch (error) {
    // The page went on: the form was sent by its own script.
    if (error instanceof CdpError || asWheelhouseError(error).retry === 'after-snapshot') return [];
    throw error;
  }
}

function objectionTo({ budget }: ElementContext, element: PageElement): Promise<string | null> {
  return element.ask(budget, objectionSchema, 'validity', 'objection');
}

async function wordsOf({ budget, tab }: ElementContext, element: PageElement, objection: string): Promise<string> {
  const field = await element.other(budget, 'validity', 'field');
  if (!field) return `The form was not sent: a field is not valid. The browser says: ${said(objection)}`;
  try {
    const { title } = new PageElement(
      field.world,
      field.objectId,
      await describeElement(budget, field.world, tab.refs, field.objectId),
      field.via,
    );
    return `The form was not sent: ${title} is not valid. The browser says: ${said(objection)}`;
  } finally {
    field.release();
  }
}

/** A page may choose these words (GU3). */
function said(objection: string): string {
  return JSON.stringify(cleanText(objection, MOST_WORDS));
}
