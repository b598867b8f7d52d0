import { html, markup, type Markup, type Piece } from '@/server/demo/html';
import { tickBox } from '@/server/demo/pages/parts';
import type { FieldName, Problems, Typed } from '@/server/demo/shop/checkout';

/** The typed values of a form, and their problems by field. */

export interface FormState {
  readonly typed: Typed;
  readonly problems: Problems;
}

export const FRESH_FORM: FormState = { typed: {}, problems: new Map() };

const OPTIONAL: ReadonlySet<FieldName> = new Set(['gift', 'cardNote']);

/** One labelled input. `attributes` is text of our own source code. */
export function inputField(state: FormState, name: FieldName, label: string, attributes: string): Markup {
  const value = state.typed[name];
  return html`<div class="field"><label for="${name}">${label}</label>
<input id="${name}" name="${name}" ${markup(attributes)}${value !== undefined && html` value="${value}"`}${fieldAttributes(state, name)}>${problemText(state, name)}</div>`;
}

export function tickField(state: FormState, name: FieldName, label: string): Markup {
  return html`<div class="field">${tickBox(name, label, state.typed[name] === 'yes', fieldAttributes(state, name))}${problemText(state, name)}</div>`;
}

export function problemText(state: FormState, name: FieldName): Piece {
  const text = state.problems.get(name);
  return text !== undefined && html`<p class="problem" id="${name}-problem">${text}</p>`;
}

/** The attributes by which screen readers announce a field as required or invalid, with the reason. */
export function fieldAttributes(state: FormState, name: FieldName): Markup {
  const required = !OPTIONAL.has(name) && markup(' required');
  return html`${required}${state.problems.has(name) && html` aria-invalid="true" aria-describedby="${name}-problem"`}`;
}
