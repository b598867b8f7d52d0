import { popupState } from './roles';

/**
 * The fields that we read of one node of `Accessibility.getFullAXTree`. The page writes its content and Chrome its
 * structure: every part may be missing, and lists may contain holes.
 */
export interface AxNodeLike {
  readonly nodeId: string;
  readonly ignored: boolean;
  readonly role?: AxValueLike | undefined;
  readonly name?: (AxValueLike & { readonly sources?: readonly (AxSourceLike | null)[] | undefined }) | undefined;
  readonly description?: AxValueLike | undefined;
  readonly value?: AxValueLike | undefined;
  readonly properties?: readonly (AxPropertyLike | null)[] | undefined;
  readonly parentId?: string | undefined;
  readonly childIds?: readonly string[] | undefined;
  readonly backendDOMNodeId?: number | undefined;
}

interface AxPropertyLike {
  readonly name: string;
  readonly value?:
    | (AxValueLike & {
        readonly relatedNodes?: readonly ({ readonly backendDOMNodeId?: unknown } | null)[] | undefined;
      })
    | null
    | undefined;
}

interface AxValueLike {
  readonly value?: unknown;
}

interface AxSourceLike {
  readonly type?: unknown;
  readonly value?: AxValueLike | undefined;
  readonly superseded?: unknown;
}

/** The nodes of one document, as Chrome gave them. */
export interface AxDocument {
  readonly frameId: string;
  readonly loaderId: string;
  readonly label: string;
  readonly nodes: readonly AxNodeLike[];
}

export function axText(value: AxValueLike | undefined): string {
  const held = value?.value;
  if (typeof held === 'string') return held;
  return typeof held === 'number' ? String(held) : '';
}

/** Returns the value if it is a list, else an empty list. */
export function listOf<T>(list: readonly T[] | undefined): readonly T[] {
  const isList: boolean = Array.isArray(list);
  return isList && list ? list : [];
}

/** Whether the name was computed from the node's content. */
export function axNamedByContent(node: AxNodeLike): boolean {
  const used = listOf(node.name?.sources).find((source) => source?.value !== undefined && source.superseded !== true);
  return used?.type === 'contents';
}

/**
 * Backend ids of the elements that a node's name (`labelledby`, labels and legends too) or its description is made of.
 */
export function axRelated(node: AxNodeLike, by: 'labelledby' | 'describedby'): readonly number[] | undefined {
  const related = listOf(node.properties).find((property) => property?.name === by)?.value?.relatedNodes;
  const ids = listOf(related).flatMap((one) =>
    typeof one?.backendDOMNodeId === 'number' ? [one.backendDOMNodeId] : [],
  );
  return ids.length > 0 ? ids : undefined;
}

const NO_PROPERTIES: ReadonlyMap<string, unknown> = new Map();

/** Properties by name, only the first of each. */
export function axProperties(node: AxNodeLike): ReadonlyMap<string, unknown> {
  const given = listOf(node.properties);
  if (given.length === 0) return NO_PROPERTIES;
  const found = new Map<string, unknown>();
  for (const property of given) {
    if (property && !found.has(property.name)) found.set(property.name, property.value?.value);
  }
  return found;
}

const isOn = (value: unknown): boolean => value === true || value === 'true';
const FLAGS_BEFORE_LEVEL = ['required', 'readonly'] as const;

/**
 * The states of SN2 that accessibility reports, in their order, only those that are set. `disabled`: the DOM's answer,
 * when that is more reliable.
 */
export function axStates(
  role: string,
  properties: ReadonlyMap<string, unknown>,
  disabled = isOn(properties.get('disabled')),
): string[] {
  const states: string[] = [];
  if (isOn(properties.get('focused')) && role !== 'document') states.push('active');
  pushTristate(states, 'checked', properties.get('checked'));
  if (disabled) states.push('disabled');
  pushExpanded(states, properties.get('expanded'));
  const popup = popupState(role, properties.get('hasPopup'));
  if (popup !== undefined) states.push(popup);
  if (isOn(properties.get('selected'))) states.push('selected');
  pushTristate(states, 'pressed', properties.get('pressed'));
  for (const flag of FLAGS_BEFORE_LEVEL) {
    if (isOn(properties.get(flag))) states.push(flag);
  }
  const invalid = properties.get('invalid');
  if (typeof invalid === 'string' && invalid !== '' && invalid !== 'false') states.push('invalid');
  const level = properties.get('level');
  if (role === 'heading' && typeof level === 'number' && level >= 1 && level < 100)
    states.push(`level=${Math.floor(level)}`);
  return states;
}

function pushExpanded(states: string[], value: unknown): void {
  if (isOn(value)) states.push('expanded');
  else if (value === false || value === 'false') states.push('collapsed');
}

function pushTristate(states: string[], name: string, value: unknown): void {
  if (value === 'mixed') states.push(`${name}=mixed`);
  else if (isOn(value)) states.push(name);
}
