import { axNamedByContent, axProperties, axRelated, axStates, axText, type AxNodeLike } from './ax-node';
import type { DomFact } from './facts';
import type { RawNode } from './raw';
import { isField, isShownWhenNamed, roleKind, type RoleKind } from './roles';
import { soundsSecret } from './secret';
import { VALUE_LIMIT } from './text';

export interface AxPlace {
  readonly node: AxNodeLike;
  readonly document: number;
  readonly parent: number;
  readonly editable: boolean;
}

export interface AxRead {
  readonly node: RawNode;
  /** Its descendants are in an editable region. */
  readonly editable: boolean;
}

type Properties = ReadonlyMap<string, unknown>;

/**
 * Converts one accessibility node to the common form; undefined for nodes that are never shown. `factsKnown` false: the
 * DOM pass failed.
 */
export function readAxNode(place: AxPlace, fact: DomFact | undefined, factsKnown: boolean): AxRead | undefined {
  const { node, editable: inside } = place;
  const given = roleKind(axText(node.role));
  if (given.kind === 'dropped') return undefined;
  if (given.kind === 'text' || given.kind === 'space') return { node: textNode(place, given.kind), editable: inside };
  if (node.ignored)
    return {
      node: fact?.choice ? choiceNode(place, fact, fact.choice.role) : wrapperNode(place, '', fact, true),
      editable: inside,
    };
  const properties = axProperties(node);
  const editable = properties.has('editable');
  return { node: liveNode(place, given, properties, fact, factsKnown), editable };
}

function liveNode(
  place: AxPlace,
  given: RoleKind,
  properties: Properties,
  fact: DomFact | undefined,
  factsKnown: boolean,
): RawNode {
  if (fact?.choice) return choiceNode(place, fact, fact.choice.role);
  const editableRoot = properties.has('editable') && !place.editable;
  const named = isShownWhenNamed(given.role) && axText(place.node.name) !== '';
  if (given.kind === 'element') return elementNode(place, given.role, properties, fact, factsKnown);
  if (editableRoot) return elementNode(place, 'textbox', properties, fact, factsKnown);
  if (named) return elementNode(place, given.role, properties, fact, factsKnown);
  return wrapperNode(place, axText(place.node.role), fact, given.inline);
}

// Each of these functions writes every field itself: spreading a common part took ten times as long on a page of 6 000
// nodes.

function textNode(place: AxPlace, kind: 'text' | 'space'): RawNode {
  return {
    parent: place.parent,
    document: place.document,
    kind,
    role: '',
    name: place.node.ignored ? '' : axText(place.node.name),
    nameFromContent: false,
    inline: true,
    leaf: false,
    label: false,
    states: NO_STATES,
    value: undefined,
    masked: false,
    url: '',
    backendNodeId: backendId(place.node),
    clickable: 'no',
  };
}

function wrapperNode(place: AxPlace, chromeRole: string, fact: DomFact | undefined, inline: boolean): RawNode {
  return {
    parent: place.parent,
    document: place.document,
    kind: 'wrapper',
    role: 'generic',
    name: '',
    nameFromContent: false,
    inline: fact?.inline ?? inline,
    leaf: false,
    label: chromeRole === 'LabelText',
    states: placeStates(fact),
    value: undefined,
    masked: false,
    url: '',
    backendNodeId: backendId(place.node),
    clickable: fact?.clickable ?? 'no',
    ax: place.node.ignored ? undefined : place.node,
    aria: fact?.aria,
  };
}

/** A copy of the node at another place. */
export function movedNode(from: RawNode, parent: number, document: number): RawNode {
  return {
    parent,
    document,
    kind: from.kind,
    role: from.role,
    name: from.name,
    description: from.description,
    nameFromContent: from.nameFromContent,
    inline: from.inline,
    leaf: from.leaf,
    label: from.label,
    states: from.states,
    value: from.value,
    masked: from.masked,
    url: from.url,
    backendNodeId: from.backendNodeId,
    clickable: from.clickable,
    namedBy: from.namedBy,
    describedBy: from.describedBy,
    ax: from.ax,
    aria: from.aria,
  };
}

/** A label that replaces a radio button or checkbox which is not rendered. */
function choiceNode(place: AxPlace, fact: DomFact, role: string): RawNode {
  return {
    parent: place.parent,
    document: place.document,
    kind: 'element',
    role,
    name: '',
    nameFromContent: true,
    inline: false,
    leaf: false,
    label: false,
    states: choiceStates(fact),
    value: undefined,
    masked: false,
    url: '',
    backendNodeId: backendId(place.node),
    clickable: 'no',
  };
}

function elementNode(
  place: AxPlace,
  role: string,
  properties: Properties,
  fact: DomFact | undefined,
  factsKnown: boolean,
): RawNode {
  const { node } = place;
  const field = fieldPart(node, role, properties, fact, factsKnown);
  const states = axStates(role, properties, fact?.optionOff);
  if (fact?.offscreen) states.push('offscreen');
  const nameFromContent = axNamedByContent(node);
  return {
    parent: place.parent,
    document: place.document,
    kind: 'element',
    role,
    // An edited heading is named by what it holds.
    name: field.masked && nameFromContent ? '' : axText(node.name),
    description: axText(node.description),
    nameFromContent,
    inline: false,
    leaf: field.leaf,
    label: false,
    states,
    value: field.value,
    masked: field.masked,
    url: role === 'link' ? axText({ value: properties.get('url') }) : '',
    backendNodeId: backendId(node),
    clickable: fact?.clickable ?? 'no',
    ax: node,
    aria: fact?.aria,
    namedBy: properties.has('labelledby') ? axRelated(node, 'labelledby') : undefined,
    describedBy: properties.has('describedby') ? axRelated(node, 'describedby') : undefined,
  };
}

const NO_STATES: readonly string[] = [];
const OFFSCREEN: readonly string[] = ['offscreen'];

function placeStates(fact: DomFact | undefined): readonly string[] {
  return fact?.offscreen === true ? OFFSCREEN : NO_STATES;
}

function choiceStates(fact: DomFact): readonly string[] {
  const states: string[] = [];
  if (fact.choice?.checked) states.push('checked');
  if (fact.choice?.disabled) states.push('disabled');
  return [...states, ...placeStates(fact)];
}

function backendId(node: AxNodeLike): number | undefined {
  return typeof node.backendDOMNodeId === 'number' ? node.backendDOMNodeId : undefined;
}

/**
 * The content of a field. The value counts as secret when the DOM pass or the field's name says so, and also when the
 * DOM pass does not know the field: a value that may be a one-time code is not shown on a guess (SN6). A long text in
 * an editor counts as content, not as a value.
 */
function fieldPart(
  node: AxNodeLike,
  role: string,
  properties: Properties,
  fact: DomFact | undefined,
  factsKnown: boolean,
) {
  const value = valueOf(node, role, properties);
  const field = isField(role);
  const typed = role !== 'combobox' || properties.has('editable');
  const secret = fact?.secret === true || (field && typed && soundsSecret(axText(node.name)));
  const unknown = field && role !== 'slider' && !(factsKnown && fact);
  const long = properties.get('editable') === 'richtext' && (value?.length ?? 0) > VALUE_LIMIT;
  const leaf = typed && (secret || (field && (unknown || !long)));
  // The snapshot shows that a secret field has to be filled, but not how long its content is.
  const shown = value ?? (secret && field && typed ? '' : undefined);
  return { value: long && !leaf ? undefined : shown, masked: secret || unknown, leaf };
}

function valueOf(node: AxNodeLike, role: string, properties: Properties): string | undefined {
  const spoken = properties.get('valuetext');
  const text = typeof spoken === 'string' && spoken !== '' && role !== 'textbox' ? spoken : axText(node.value);
  return text === '' ? undefined : text;
}
