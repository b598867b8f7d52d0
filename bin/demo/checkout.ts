import type { Goal } from '@/bin/demo/goals';
import { findControl, type Control, type DemoPage } from '@/bin/demo/page';
import { click, FIELD, PLACE_ORDER, triesOf, type DemoAction, type DemoMemory, type DemoStep } from '@/bin/demo/step';

/**
 * A field of the checkout form. Only fields that are empty or wrong are filled in, so that what a person typed stays.
 */

interface Field {
  readonly label: string;
  readonly roles: readonly string[];
  readonly isDone: (control: Control) => boolean;
  readonly fill: (ref: string) => DemoAction;
  /** Text for the log and the action's note; never a card's number. */
  readonly say: string;
  readonly mostTries: number;
}

const TEXT_ROLES = ['textbox', 'searchbox', 'spinbutton'];

export function checkoutStep(page: DemoPage, goal: Goal, memory: DemoMemory): DemoStep {
  for (const field of fieldsOf(goal, memory.day)) {
    const control = findControl(page, field.roles, field.label);
    const key = FIELD + field.label;
    if (!control || field.isDone(control) || triesOf(memory, key) >= field.mostTries) continue;
    return { kind: 'act', key, action: field.fill(control.ref), say: field.say };
  }
  const button = findControl(page, ['button'], 'Place order');
  return button
    ? click(PLACE_ORDER, button, 'Placing the order')
    : { kind: 'give-up', why: 'The checkout has no button to order with' };
}

function fieldsOf(goal: Goal, day: string): readonly Field[] {
  const { buyer } = goal;
  return [
    text('Full name', buyer.name),
    text('Email', buyer.email),
    text('Street and number', buyer.street),
    text('Town or city', buyer.city),
    text('Postcode', buyer.postcode),
    choice('Country', buyer.country),
    tick('radio', goal.delivery),
    date('Delivery date', day),
    ...(goal.gift
      ? [
          tick('checkbox', 'This is a gift: leave out the prices'),
          text('Note for the card (optional)', 'With love from the garden'),
        ]
      : []),
    secret('Card number', '4242 4242 4242 4242'),
    secret('Expiry (MM/YY)', `12/${Number(day.slice(2, 4)) + 3}`),
    secret('Security code', '123'),
    tick('checkbox', 'I agree to the terms of sale'),
  ];
}

const isFilled = (control: Control): boolean => control.value !== '' && !control.invalid;

function text(label: string, value: string): Field {
  return {
    label,
    roles: TEXT_ROLES,
    // The beginning of the value is what the agent had typed when a person took over.
    isDone: (control) => isFilled(control) && (control.value === value || !value.startsWith(control.value)),
    mostTries: 2,
    say: `Typing "${value}" into ${label}`,
    fill: (ref) => ({ kind: 'type', ref, text: value, slowly: true, timeoutMs: 20_000 }),
  };
}

/** Like text, but the value stays out of the log, and a masked value counts as filled in. */
function secret(label: string, value: string): Field {
  return { ...text(label, value), say: `Filling in ${label}`, fill: (ref) => ({ kind: 'type', ref, text: value }) };
}

function choice(label: string, value: string): Field {
  return {
    label,
    roles: ['combobox', 'listbox'],
    mostTries: 2,
    say: `Choosing ${value}`,
    isDone: (control) => control.value !== '' && !control.value.startsWith('Choose'),
    fill: (ref) => ({ kind: 'select', ref, values: [value] }),
  };
}

function date(label: string, day: string): Field {
  return {
    label,
    roles: ['date', 'textbox', 'datepicker', 'group'],
    mostTries: 2,
    say: `Choosing the delivery date ${day}`,
    isDone: (control) => /\d{4}-\d{2}-\d{2}|\d{1,2}\/\d{1,2}\/\d{4}/.test(control.value) && !control.invalid,
    fill: (ref) => ({ kind: 'type', ref, text: day }),
  };
}

/** A radio is set once only: another choice that a person makes later stays. */
function tick(role: 'radio' | 'checkbox', label: string): Field {
  return {
    label,
    roles: [role],
    isDone: (control) => control.checked,
    mostTries: role === 'radio' ? 1 : 2,
    say: `Ticking "${label}"`,
    fill: (ref) => ({ kind: 'check', ref, checked: true }),
  };
}
