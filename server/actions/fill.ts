import { z } from 'zod';
import type { Action, ActionOf } from '@/lib/actions/kinds';
import type { Reply } from '@/lib/actions/reply';
import { fromWire, WheelhouseError } from '@/lib/errors/error';
import type { PageElement } from '@/server/browser/target/element';
import type { ElementFacts } from '@/server/browser/target/page/facts';
import { factsSchema } from '@/server/browser/target/probed';
import { injectedCall, type PageWorld } from '@/server/browser/target/world';
import { elementTarget, withElement } from './resolved-target';
import { defineAction, type ActionContext, type HandlerResult } from './context';

/**
 * Turns each field into the action that fits it: typing, checking or choosing. Each takes the action path by itself,
 * with its own fence, rows and checks (AC7).
 */
export const fill = defineAction({ kind: 'fill', settles: true, queued: false, nests: true, run: runFill });

type FormField = ActionOf<'fill'>['fields'][number];

/** A filled field, with the place of its former value. */
interface Filled {
  readonly kind: string;
  readonly kept: PageWorld | undefined;
}

async function runFill(context: ActionContext, action: ActionOf<'fill'>): Promise<HandlerResult> {
  const told = context.asWritten.kind === 'fill' ? context.asWritten.fields : action.fields;
  const done: Filled[] = [];
  const warnings: string[] = [];
  const begun = new Set<PageWorld>();
  let typed: Reply['typed'];
  for (const [index, field] of action.fields.entries()) {
    try {
      const { step, kept } = await prepare(context, field, index, action.atomic === true ? begun : undefined);
      const reply = await context.perform(step(field.value), {
        asWritten: step(told[index]?.value ?? field.value),
        resolved: true,
        settle: false,
        reserveMs: action.atomic === true ? RESTORE_MS : 0,
      });
      warnings.push(...reply.warnings.map((warning) => `Field ${index + 1}: ${warning}`));
      if (typed !== 'mixed') typed = reply.typed ?? typed;
      // Remembered before the answer is looked at: a field that failed half way is put back too.
      done.push({ kind: step(field.value).kind, kept });
      throwFailure(reply);
    } catch (error) {
      return failed(context, action, { done, index, warnings, error });
    }
  }
  return {
    value: { filled: done.length, of: action.fields.length, fields: done.map(({ kind }) => ({ as: kind })) },
    ...(typed === undefined ? {} : { typed }),
    warnings,
  };
}

/** Kept for putting back old values, milliseconds. */
const RESTORE_MS = 1_000;

interface Prepared {
  readonly step: (value: FormField['value']) => Action;
  readonly kept: PageWorld | undefined;
}

/** Inspects a field, decides how to fill it, and keeps its content if all fields must be restorable. */
async function prepare(
  context: ActionContext,
  field: FormField,
  index: number,
  begun: Set<PageWorld> | undefined,
): Promise<Prepared> {
  return withElement(context, elementTarget(field), async (element) => {
    const facts = await element.ask(context.budget, factsSchema, 'facts', 'of');
    const { value: _value, type: _type, ...target } = field;
    const locator = fillMethodOf(element, facts, field, index);
    const kept = begun && (await keep(context, element, begun)) ? element.world : undefined;
    return { step: (value) => stepOf(locator, target, value), kept };
  });
}

async function keep({ budget, write }: ActionContext, element: PageElement, begun: Set<PageWorld>): Promise<boolean> {
  if (!begun.has(element.world))
    await element.world.call(budget, z.number(), injectedCall('valueSnapshot', 'begin'), write);
  begun.add(element.world);
  return element.change(budget, write, z.boolean(), 'valueSnapshot', 'keep');
}

type FillMethod = 'type' | 'check' | 'select';

const LISTS: ReadonlySet<string> = new Set(['listbox', 'combobox', 'menu', 'radiogroup', 'tree']);

function fillMethodOf(
  element: PageElement,
  facts: ElementFacts,
  { value, type = '' }: FormField,
  index: number,
): FillMethod {
  if (facts.checkable !== 'no') {
    if (asBoolean(value) !== undefined) return 'check';
    throw wrongValue(index, `${element.title} is a ${facts.checkable}: give true or false`);
  }
  if (typeof value === 'boolean') throw wrongValue(index, `${element.title} is no box: give text or a number`);
  const isList = facts.tag === 'select' || (facts.editable === 'no' && (LISTS.has(facts.role) || facts.popup));
  if (isList || /^(?:select|combobox|listbox)$/i.test(type)) return 'select';
  if (facts.editable !== 'no') return 'type';
  const hint = facts.type === 'file' ? 'Files are given by the upload action.' : undefined;
  throw new WheelhouseError('WRONG_ELEMENT', `${element.title} is not a field that can be filled.`, {
    details: { is: facts },
    ...(hint === undefined ? {} : { hint }),
  });
}

function stepOf(locator: FillMethod, target: Omit<FormField, 'value' | 'type'>, value: FormField['value']): Action {
  if (locator === 'check') return { kind: 'check', ...target, checked: asBoolean(value) ?? true };
  if (locator === 'select') return { kind: 'select', ...target, values: [String(value)] };
  return { kind: 'type', ...target, text: String(value) };
}

function asBoolean(value: FormField['value']): boolean | undefined {
  if (typeof value === 'boolean') return value;
  const word = String(value).trim().toLowerCase();
  if (['true', 'on', 'yes', '1'].includes(word)) return true;
  return ['false', 'off', 'no', '0', ''].includes(word) ? false : undefined;
}

function throwFailure(reply: Reply): void {
  if (reply.error) throw fromWire(reply.error);
  if (reply.dialogs)
    throw new WheelhouseError('DIALOG_OPEN', 'A dialog opened while the form was being filled.', {
      details: { dialogs: reply.dialogs },
    });
}

interface Failure {
  readonly done: readonly Filled[];
  readonly index: number;
  readonly warnings: readonly string[];
  readonly error: unknown;
}

/** The error, with the number of filled and of restored fields. */
async function failed(
  context: ActionContext,
  action: ActionOf<'fill'>,
  { done, index, warnings, error }: Failure,
): Promise<HandlerResult> {
  if (!(error instanceof WheelhouseError)) throw error;
  const of = action.fields.length;
  const restored = action.atomic === true ? await restore(context, done) : undefined;
  const lost = restored === undefined ? 0 : done.length - restored;
  const { code, hint, message, details } = error;
  return {
    value: {
      filled: done.length,
      of,
      fields: done.map(({ kind }) => ({ as: kind })),
      ...(restored === undefined ? {} : { restored }),
    },
    error: new WheelhouseError(code, `Field ${index + 1} of ${of}: ${message}`, {
      cause: error,
      hint,
      details: { ...details, index },
    }),
    warnings: [...warnings, ...(lost > 0 ? [`${lost} of the fields could not be put back.`] : [])],
  };
}

/**
 * Restores former values through the fence: a participant who has lost the lease changes nothing more. Returns the
 * number of restored fields.
 */
async function restore({ budget, write }: ActionContext, done: readonly Filled[]): Promise<number> {
  const worlds = new Set(done.flatMap(({ kept }) => (kept ? [kept] : [])));
  let restored = 0;
  for (const world of worlds) {
    try {
      restored += await world.call(budget, z.number(), injectedCall('valueSnapshot', 'restore'), write);
    } catch {
      // The document is gone, or the lease: the count tells.
    }
  }
  return restored;
}

function wrongValue(index: number, problem: string): WheelhouseError {
  return new WheelhouseError('BAD_REQUEST', `"fields.${index}.value" does not fit: ${problem}.`, {
    details: { fields: [{ field: `fields.${index}.value`, problem }] },
  });
}
