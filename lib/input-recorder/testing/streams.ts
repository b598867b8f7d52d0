import fc from 'fast-check';
import type { InputEvent } from '@/lib/protocol/input';
import type { RecordedInput, TargetElement } from '../target-element';

/** Random raw input of a person, for properties; and items made by hand. */

/** Letters that are typed in secret places only: none of them may come out. */
export const SECRET_LETTERS = 'ΞΨΩΔΘ';

const key = (type: 'keydown' | 'keyup', name: string, modifiers: number, repeat: boolean): InputEvent => ({
  type,
  key: name,
  code: '',
  location: 0,
  repeat,
  modifiers,
});
const modifiers = fc.constantFrom(0, 0, 0, 1, 2, 3, 4, 8, 10, 15);
const place = fc.record({ x: fc.integer({ min: -10, max: 900 }), y: fc.integer({ min: -10, max: 900 }) });
const keyName = fc.oneof(
  fc.constantFrom(
    'a',
    'B',
    ' ',
    '9',
    '+',
    'é',
    '🙂',
    'Backspace',
    'Backspace',
    'Enter',
    'Tab',
    'ArrowLeft',
    'Shift',
    'Dead',
    'Process',
    'F5',
    'AudioVolumeUp',
    'constructor',
  ),
  fc.string({ minLength: 1, maxLength: 6 }),
);
const text = fc.oneof(
  fc.string({ minLength: 1, maxLength: 20 }),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 900 }),
  fc.constantFrom('🙂'.repeat(400), '${name}', 'https://a.example/?token=abc', '] [0]'),
);

const typing: fc.Arbitrary<InputEvent> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(
        fc.constantFrom('keydown' as const, 'keydown' as const, 'keyup' as const),
        keyName,
        modifiers,
        fc.boolean(),
      )
      .map((all) => key(...all)),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom('text' as const, 'paste' as const), text)
      .map(([type, typed]) => ({ type, text: typed })),
  },
);
const button = fc.constantFrom('left', 'left', 'left', 'right', 'middle', 'back', 'forward' as const);
const pointing: fc.Arbitrary<InputEvent> = fc.oneof(
  fc
    .tuple(place, fc.constantFrom('down', 'up', 'up' as const), button, fc.integer({ min: 0, max: 3 }), modifiers)
    .map(([at, type, name, clickCount, held]) => ({
      type,
      ...at,
      button: name,
      buttons: 1,
      clickCount,
      modifiers: held,
    })),
  place.map((at) => ({ type: 'move' as const, ...at, buttons: 0, modifiers: 0 })),
  fc
    .tuple(place, fc.integer({ min: -10_000, max: 10_000 }), fc.integer({ min: -10_000, max: 10_000 }))
    .map(([at, dx, dy]) => ({ type: 'wheel' as const, ...at, dx, dy, modifiers: 0 })),
);

const locator = fc.constantFrom(
  undefined,
  { role: 'textbox', name: 'City' },
  { role: 'button', name: 'Go', nth: 2, frame: 'f1' },
  { selector: '#here' },
);
const seen: fc.Arbitrary<TargetElement | undefined> = fc.option(
  fc.record({
    mark: fc.constantFrom('1', '2', '3'),
    role: fc.constantFrom('textbox', 'button', 'generic'),
    name: fc.constantFrom('City', 'Go', ''),
    locator,
    secret: fc.boolean(),
    editable: fc.boolean(),
    empty: fc.boolean(),
  }),
  { nil: undefined },
);

/** Text typed into hidden fields consists of the secret letters alone, so a test can find it anywhere. */
function secretly(item: RecordedInput): RecordedInput {
  const { event, open } = item;
  if (open && item.seen && item.seen.editable && !item.seen.secret) return item;
  if (event.type === 'text' || event.type === 'paste') return { ...item, event: { ...event, text: SECRET_LETTERS } };
  const typed =
    (event.type === 'keydown' || event.type === 'keyup') && [...event.key].length === 1 && event.modifiers === 0;
  return typed ? { ...item, event: { ...event, key: SECRET_LETTERS.charAt(item.at % SECRET_LETTERS.length) } } : item;
}

export const streams: fc.Arbitrary<RecordedInput[]> = fc
  .array(fc.tuple(fc.oneof(typing, pointing), seen, fc.boolean()), { maxLength: 120 })
  .map((all) => all.map(([event, where, open], index) => secretly({ at: index, event, seen: where, open })));

export const city: TargetElement = {
  mark: 'city',
  role: 'textbox',
  name: 'City',
  locator: { role: 'textbox', name: 'City' },
  secret: false,
  editable: true,
  empty: true,
};
export const password: TargetElement = {
  ...city,
  mark: 'password',
  name: 'Password',
  locator: { role: 'textbox', name: 'Password' },
  secret: true,
};
export const buy: TargetElement = {
  mark: 'buy',
  role: 'button',
  name: 'Buy',
  locator: { role: 'button', name: 'Buy' },
  secret: false,
  editable: false,
  empty: true,
};

/** Keys into a field, by name; a chord as `Control+a`. */
export function keysInto(where: TargetElement | undefined, names: readonly string[], open = true): RecordedInput[] {
  return names.map((name) => {
    const control = name.startsWith('Control+');
    return {
      at: 0,
      event: key('keydown', control ? name.slice('Control+'.length) : name, control ? 2 : 0, false),
      seen: where,
      open,
    };
  });
}

/** A press and its release at a place. */
export function pressOn(
  where: TargetElement | undefined,
  options: {
    readonly to?: { readonly x: number; readonly y: number };
    readonly toSeen?: TargetElement;
    readonly clickCount?: number;
    readonly button?: 'left' | 'right' | 'back' | 'forward';
    readonly modifiers?: number;
  } = {},
): RecordedInput[] {
  const at = { x: 10.4, y: 20 };
  const { to = at, toSeen = where, clickCount = 1, button: name = 'left', modifiers: held = 0 } = options;
  const event = { button: name, buttons: 1, clickCount, modifiers: held };
  return [
    { at: 0, event: { type: 'down', ...at, ...event }, seen: where, open: false },
    { at: 0, event: { type: 'up', ...to, ...event }, seen: toSeen, open: false },
  ];
}
