import { html, markup, type Markup, type Piece } from '@/server/demo/html';
import { tickBox } from '@/server/demo/pages/parts';
import type { FieldName, Problems, Typed } from '@/server/demo/shop/checkout';

/** Form fields that show again what was typed, and say what is wrong with it where it is wrong. */

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

/** What screen readers need to know of a field: required, wrong, and why. */
export function fieldAttributes(state: FormState, name: FieldName): Markup {
  const required = !OPTIONAL.has(name) && markup(' required');
  return html`${required}${state.problems.has(name) && html` aria-invalid="true" aria-describedby="${name}-problem"`}`;
}
