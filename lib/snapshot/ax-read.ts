import { axNamedByContent, axProperties, axStates, axText, type AxNodeLike } from './ax-node';
import type { DomFact } from './facts';
import type { RawNode } from './raw';
import { isField, isShownWhenNamed, roleKind, type RoleKind } from './roles';
import { VALUE_LIMIT } from './text';

export interface AxPlace {
  readonly node: AxNodeLike;
  readonly document: number;
  readonly parent: number;
  readonly editable: boolean;
}

export interface AxRead {
  readonly node: RawNode;
  /** What is below lies in an editable region. */
  readonly editable: boolean;
}

type Properties = ReadonlyMap<string, unknown>;

/** One accessibility node in the common form; undefined for what is never shown. `factsKnown` false: the DOM pass failed. */
export function readAxNode(place: AxPlace, fact: DomFact | undefined, factsKnown: boolean): AxRead | undefined {
  const { node, document, parent } = place;
  const chromeRole = axText(node.role);
  const given = roleKind(chromeRole);
  if (given.kind === 'dropped') return undefined;
  const base = { ...PLAIN, parent, document, name: node.ignored ? '' : axText(node.name), backendNodeId: backendId(node) };
  if (given.kind === 'text' || given.kind === 'space') return { node: { ...base, kind: given.kind }, editable: place.editable };
  if (node.ignored) return { node: ignored(base, fact), editable: place.editable };
  const properties = axProperties(node);
  const editable = properties.has('editable');
  const { role, kind } = standing(given, base.name, editable && !place.editable, fact);
  const label = chromeRole === 'LabelText';
  if (kind === 'wrapper') return { node: { ...base, ...wrapper(fact, given.inline), role, label, name: '' }, editable };
  const field = fieldPart(node, role, properties, fact, factsKnown);
  const states = fact?.choice ? choiceStates(fact) : withPlace(axStates(role, properties), fact);
  const url = role === 'link' ? axText({ value: properties.get('url') }) : '';
  const nameFromContent = label || axNamedByContent(node);
  return { node: { ...base, ...field, kind, role, states, url, nameFromContent, clickable: fact?.clickable ?? 'no' }, editable };
}

const PLAIN = {
  role: '',
  nameFromContent: false,
  inline: true,
  leaf: false,
  label: false,
  states: [],
  value: undefined,
  masked: false,
  url: '',
  clickable: 'no',
} as const;

function backendId(node: AxNodeLike): number | undefined {
  return typeof node.backendDOMNodeId === 'number' ? node.backendDOMNodeId : undefined;
}

/** Ignored by accessibility, yet a script may listen for clicks on it, and a label may stand for a hidden radio button. */
function ignored(base: Omit<RawNode, 'kind'>, fact: DomFact | undefined): RawNode {
  if (fact?.choice) return { ...base, kind: 'element', role: fact.choice.role, nameFromContent: true, states: choiceStates(fact) };
  return { ...base, ...wrapper(fact, true) };
}

function wrapper(fact: DomFact | undefined, inline: boolean) {
  return { kind: 'wrapper', inline: fact?.inline ?? inline, clickable: fact?.clickable ?? 'no', states: withPlace([], fact) } as const;
}

/** The role a node stands with: its own, that of the hidden control it labels, or `textbox` for the root of an editable region. */
function standing(given: RoleKind, name: string, editableRoot: boolean, fact: DomFact | undefined): Pick<RawNode, 'role' | 'kind'> {
  if (fact?.choice) return { role: fact.choice.role, kind: 'element' };
  if (given.kind === 'element') return { role: given.role, kind: 'element' };
  if (editableRoot) return { role: 'textbox', kind: 'element' };
  return { role: given.role, kind: name !== '' && isShownWhenNamed(given.role) ? 'element' : 'wrapper' };
}

/**
 * What a field holds. Its value counts as secret when the DOM pass says so, and also when it says nothing of it: a value that may be a
 * one-time code is not shown on a guess (SN6).
 */
function fieldPart(node: AxNodeLike, role: string, properties: Properties, fact: DomFact | undefined, factsKnown: boolean) {
  const value = valueOf(node, role, properties);
  const secret = fact?.secret === true;
  const unknown = isField(role) && role !== 'slider' && !(factsKnown && fact);
  const long = properties.get('editable') === 'richtext' && (value?.length ?? 0) > VALUE_LIMIT;
  const typed = role !== 'combobox' || properties.has('editable');
  const leaf = typed && (secret || (isField(role) && (unknown || !long)));
  return { value: long && !leaf ? undefined : value, masked: secret || unknown, leaf };
}

function valueOf(node: AxNodeLike, role: string, properties: Properties): string | undefined {
  const spoken = properties.get('valuetext');
  const text = typeof spoken === 'string' && spoken !== '' && role !== 'textbox' ? spoken : axText(node.value);
  return text === '' ? undefined : text;
}

function choiceStates(fact: DomFact): string[] {
  const states: string[] = [];
  if (fact.choice?.checked) states.push('checked');
  if (fact.choice?.disabled) states.push('disabled');
  return withPlace(states, fact);
}

function withPlace(states: string[], fact: DomFact | undefined): string[] {
  if (fact?.offscreen) states.push('offscreen');
  return states;
}
