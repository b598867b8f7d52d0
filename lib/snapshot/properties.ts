import { listOf, type AxNodeLike } from './ax-node';
import { cap, clean, VALUE_LIMIT } from './text';

/** One property of an element, by Chrome's name of it: `hasPopup`, `valuemax`. Texts are cleaned and capped. */
export type Property = readonly [name: string, value: string | number | boolean];

/** What accessibility says of an element beside role and name. */
export type AxProperties = Pick<AxNodeLike, 'properties' | 'value'>;

export interface PropertySource {
  /** Undefined where the DOM alone was read: only what is set is known then. */
  readonly ax: AxProperties | undefined;
  readonly states: readonly string[];
  /** Its value must not be shown (SN6). */
  readonly masked: boolean;
  /** Whether it is chosen is part of a secret. */
  readonly hidesChoice: boolean;
}

const NAME = /^[a-z]{1,40}$/i;
const CHOICE = new Set(['selected', 'checked']);

/** All properties with a value, in Chrome's order, unset ones too; last `valuenow` of what has a number (SN3). */
export function propertiesOf({ ax, states, masked, hidesChoice }: PropertySource): readonly Property[] {
  if (!ax) return states.flatMap(propertyOf);
  const found = new Map<string, Property[1]>();
  for (const property of listOf(ax.properties)) {
    const value = plain(property?.value?.value);
    if (!property || value === undefined || !NAME.test(property.name) || found.has(property.name)) continue;
    if ((masked && property.name === 'valuetext') || (hidesChoice && CHOICE.has(property.name))) continue;
    found.set(property.name, value);
  }
  // For options the DOM knows better (decision 39).
  const disabled = states.includes('disabled');
  if (disabled || found.has('disabled')) found.set('disabled', disabled);
  const now = ax.value?.value;
  if (typeof now === 'number' && !masked) found.set('valuenow', now);
  return [...found];
}

export function sameProperties(one: readonly Property[], other: readonly Property[]): boolean {
  return one.length === other.length && one.every(([name, value], at) => name === other[at]?.[0] && value === other[at][1]);
}

function plain(value: unknown): Property[1] | undefined {
  if (typeof value === 'string') return cap(clean(value), VALUE_LIMIT).text;
  return typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value)) ? value : undefined;
}

/** Of a state as printed; none for what is no property of accessibility. */
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

/** What we see of an element beside its properties: `cursor=pointer`, `offscreen`, `covered`, `+3 options`. */
export function marksOf(states: readonly string[]): readonly string[] {
  return states.filter((state) => state.startsWith('+') || MARKS.has(state.split('=')[0] ?? ''));
}
