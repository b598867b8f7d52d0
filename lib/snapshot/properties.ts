import { listOf, type AxNodeLike } from './ax-node';
import { cap, clean, VALUE_LIMIT } from './text';

/** One property of an element, by Chrome's name of it: `hasPopup`, `valuemax`. Texts are cleaned and capped. */
export type Property = readonly [name: string, value: string | number | boolean];

/** What accessibility reports about an element besides role and name. */
export type AxProperties = Pick<AxNodeLike, 'properties' | 'value'>;

export interface PropertySource {
  /** Undefined when only the DOM was read: then only set properties are known. */
  readonly ax: AxProperties | undefined;
  /** Attributes that accessibility leaves out, read from the DOM. */
  readonly aria: readonly Property[] | undefined;
  readonly states: readonly string[];
  /** Its value must not be shown (SN6). */
  readonly masked: boolean;
  /** Whether it is selected or checked would reveal a secret. */
  readonly hidesChoice: boolean;
}

const NAME = /^[a-z]{1,40}$/i;
const CHOICE = new Set(['selected', 'checked']);
const VALUES = ['valuetext', 'valuenow'];

/**
 * All properties that have a value, including unset ones, in Chrome's order; `valuenow` of numeric fields comes last
 * (SN3).
 */
export function propertiesOf({ ax, aria = [], states, masked, hidesChoice }: PropertySource): readonly Property[] {
  const found = new Map<string, Property[1]>(ax ? [] : states.flatMap(propertyOf));
  for (const property of listOf(ax?.properties)) {
    const value = plain(property?.value?.value);
    if (!property || value === undefined || !NAME.test(property.name) || found.has(property.name)) continue;
    if (hidesChoice && CHOICE.has(property.name)) continue;
    found.set(property.name, value);
  }
  // For options the DOM is more reliable (docs/chrome-facts.md, Accessibility and DOM).
  const disabled = states.includes('disabled');
  if (disabled || found.has('disabled')) found.set('disabled', disabled);
  for (const [name, value] of aria) if (!found.has(name) || found.get(name) === '') found.set(name, value);
  const now = ax?.value?.value;
  if (typeof now === 'number') found.set('valuenow', now);
  if (masked) for (const name of VALUES) found.delete(name);
  return [...found];
}

/**
 * Whether two elements with equal states also have equal properties. Most elements that are read again do, so the lists
 * are compared without building them.
 */
export function sameProperties(one: PropertySource, other: PropertySource): boolean {
  return (
    sameAx(one.ax, other.ax) && areEqual(one.aria ?? [], other.aria ?? []) && one.hidesChoice === other.hidesChoice
  );
}

function sameAx(one: AxProperties | undefined, other: AxProperties | undefined): boolean {
  if (one === other) return true;
  const [before, now] = [listOf(one?.properties), listOf(other?.properties)];
  if (before.length !== now.length || one?.value?.value !== other?.value?.value) return false;
  return before.every(
    (property, at) =>
      property?.name === now[at]?.name && plain(property?.value?.value) === plain(now[at]?.value?.value),
  );
}

function areEqual(one: readonly Property[], other: readonly Property[]): boolean {
  return (
    one.length === other.length && one.every(([name, value], at) => name === other[at]?.[0] && value === other[at][1])
  );
}

/** ARIA attributes that Chrome's accessibility leaves out or gives empty (Chromium 156). */
const LEFT_OUT = ['posinset', 'setsize', 'sort', 'valuetext'] as const;
const COUNTED: ReadonlySet<string> = new Set(['posinset', 'setsize']);

/** The left-out properties that the element's attributes give; undefined if none. */
export function ariaOf(attribute: (name: string) => string | undefined): readonly Property[] | undefined {
  const found = LEFT_OUT.flatMap((name): Property[] => {
    const said = attribute(`aria-${name}`);
    if (said === undefined) return [];
    const value = plain(COUNTED.has(name) ? Number(said) : said);
    return value === undefined || value === '' ? [] : [[name, value]];
  });
  return found.length > 0 ? found : undefined;
}

function plain(value: unknown): Property[1] | undefined {
  if (typeof value === 'string') return cap(clean(value), VALUE_LIMIT).text;
  return typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value)) ? value : undefined;
}

/** The property for a printed state; empty when the state is not an accessibility property. */
function propertyOf(state: string): Property[] {
  const [key = '', value] = state.split('=');
  switch (key) {
    case 'active':
      return [['focused', true]];
    case 'expanded':
    case 'collapsed':
      return [['expanded', key === 'expanded']];
    case 'haspopup':
      return [['hasPopup', value ?? 'menu']];
    case 'checked':
    case 'pressed':
      return [[key, value ?? 'true']];
    case 'invalid':
      return [[key, 'true']];
    case 'level':
      return [[key, Number(value)]];
    case 'disabled':
    case 'selected':
    case 'required':
    case 'readonly':
      return [[key, true]];
    default:
      return [];
  }
}

const MARKS = new Set(['cursor', 'offscreen', 'covered']);

/**
 * The marks of an element that are not accessibility properties: `cursor=pointer`, `offscreen`, `covered`, `+3
 * options`.
 */
export function marksOf(states: readonly string[]): readonly string[] {
  return states.filter((state) => state.startsWith('+') || MARKS.has(state.split('=')[0] ?? ''));
}
