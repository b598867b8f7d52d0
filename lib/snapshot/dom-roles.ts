import { attributeOf, type DomNode } from './dom-document';
import { isField, isInteractive, popupState, roleKind } from './roles';

/**
 * Roles of elements by tag, for when accessibility cannot be asked. Source: HTML Accessibility API Mappings 1.0,
 * section 3.
 */
const BY_TAG: Readonly<Record<string, string>> = {
  address: 'group',
  article: 'article',
  aside: 'complementary',
  audio: 'audio',
  blockquote: 'blockquote',
  button: 'button',
  canvas: 'canvas',
  datalist: 'none',
  dd: 'definition',
  details: 'group',
  dialog: 'dialog',
  dl: 'list',
  dt: 'term',
  fieldset: 'group',
  figure: 'figure',
  form: 'form',
  frame: 'iframe',
  h1: 'heading',
  h2: 'heading',
  h3: 'heading',
  h4: 'heading',
  h5: 'heading',
  h6: 'heading',
  hr: 'separator',
  iframe: 'iframe',
  img: 'img',
  li: 'listitem',
  main: 'main',
  math: 'math',
  menu: 'list',
  meter: 'meter',
  nav: 'navigation',
  object: 'object',
  ol: 'list',
  optgroup: 'group',
  option: 'option',
  output: 'status',
  p: 'paragraph',
  progress: 'progressbar',
  search: 'search',
  summary: 'button',
  table: 'table',
  td: 'cell',
  textarea: 'textbox',
  th: 'columnheader',
  tr: 'row',
  ul: 'list',
  video: 'video',
};

const BY_INPUT_TYPE: Readonly<Record<string, string>> = {
  button: 'button',
  checkbox: 'checkbox',
  file: 'button',
  image: 'button',
  number: 'spinbutton',
  radio: 'radio',
  range: 'slider',
  reset: 'button',
  search: 'searchbox',
  submit: 'button',
  hidden: 'none',
};

/** Tags whose content is never shown. */
const UNSEEN_TAGS = new Set([
  'head',
  'script',
  'style',
  'template',
  'noscript',
  'datalist',
  'meta',
  'link',
  'base',
  'title',
  'param',
  'source',
  'track',
]);

export function isUnseen(node: DomNode): boolean {
  return (
    node.internal ||
    UNSEEN_TAGS.has(node.tag) ||
    attributeOf(node, 'aria-hidden') === 'true' ||
    node.attributes.has('inert')
  );
}

/** The role of an element: the author's if we know it, otherwise the tag's; '' if it has none. */
export function domRole(node: DomNode): string {
  const [wanted] = attributeOf(node, 'role').toLowerCase().split(/\s+/);
  if (wanted !== undefined && wanted !== '') {
    const { kind, role } = roleKind(wanted);
    if (kind === 'element' && node.tag !== 'iframe') return role;
    if (wanted === 'none' || wanted === 'presentation') return '';
  }
  return nativeRole(node);
}

function nativeRole(node: DomNode): string {
  if (node.tag === 'input') return inputRole(node);
  if (node.tag === 'a' || node.tag === 'area') return node.attributes.has('href') ? 'link' : '';
  if (node.tag === 'select')
    return node.attributes.has('multiple') || Number(attributeOf(node, 'size')) > 1 ? 'listbox' : 'combobox';
  if (node.tag === 'svg') return node.attributes.has('aria-label') ? 'img' : '';
  if (node.tag === 'img' && node.attributes.get('alt') === '') return '';
  if (node.tag === 'section')
    return node.attributes.has('aria-label') || node.attributes.has('aria-labelledby') ? 'region' : '';
  if (node.tag === 'header') return 'banner';
  if (node.tag === 'footer') return 'contentinfo';
  const role = Object.hasOwn(BY_TAG, node.tag) ? (BY_TAG[node.tag] ?? '') : '';
  if (role === '' && isEditableRoot(node)) return 'textbox';
  return role === 'none' ? '' : role;
}

function inputRole(node: DomNode): string {
  const type = attributeOf(node, 'type').toLowerCase();
  if (node.attributes.has('list') && type !== 'hidden') return 'combobox';
  const role = Object.hasOwn(BY_INPUT_TYPE, type) ? (BY_INPUT_TYPE[type] ?? 'textbox') : 'textbox';
  return role === 'none' ? '' : role;
}

function isEditableRoot(node: DomNode): boolean {
  const editable = node.attributes.get('contenteditable');
  return editable !== undefined && editable.toLowerCase() !== 'false';
}

/**
 * The states of SN2 that the DOM shows, in their order, only those that are set. `around`: the parent; `optionOff`:
 * whether the facts say that an option is disabled.
 */
export function domStates(node: DomNode, role: string, around: DomNode | undefined, optionOff = false): string[] {
  const is = (name: string): boolean => attributeOf(node, name) === 'true';
  const states: string[] = [];
  const choice = node.tag === 'input' && ['checkbox', 'radio'].includes(attributeOf(node, 'type').toLowerCase());
  if (choice ? node.checked : is('aria-checked')) states.push('checked');
  else if (attributeOf(node, 'aria-checked') === 'mixed') states.push('checked=mixed');
  if (optionOff || is('aria-disabled') || (isInteractive(role) && node.attributes.has('disabled')))
    states.push('disabled');
  states.push(...expandedState(node, role, around));
  const popup = popupState(role, attributeOf(node, 'aria-haspopup').toLowerCase());
  if (popup !== undefined) states.push(popup);
  if (is('aria-selected') || (node.tag === 'option' && node.selected)) states.push('selected');
  if (is('aria-pressed')) states.push('pressed');
  else if (attributeOf(node, 'aria-pressed') === 'mixed') states.push('pressed=mixed');
  if (is('aria-required') || (isField(role) && node.attributes.has('required'))) states.push('required');
  if (is('aria-readonly') || (isField(role) && node.attributes.has('readonly'))) states.push('readonly');
  const invalid = attributeOf(node, 'aria-invalid');
  if (invalid !== '' && invalid !== 'false') states.push('invalid');
  const level = role === 'heading' ? headingLevel(node) : 0;
  if (level > 0) states.push(`level=${level}`);
  return states;
}

/** The list of a native select counts as closed: the DOM does not say when it is open. */
function expandedState(node: DomNode, role: string, around: DomNode | undefined): ['expanded' | 'collapsed'] | [] {
  const said = attributeOf(node, 'aria-expanded');
  if (said === 'true') return ['expanded'];
  if (said === 'false') return ['collapsed'];
  if (node.tag === 'summary' && around?.tag === 'details')
    return [around.attributes.has('open') ? 'expanded' : 'collapsed'];
  return node.tag === 'select' && role === 'combobox' ? ['collapsed'] : [];
}

function headingLevel(node: DomNode): number {
  const given = Number(attributeOf(node, 'aria-level'));
  if (Number.isInteger(given) && given > 0 && given < 100) return given;
  return Number(/^h([1-6])$/.exec(node.tag)?.[1] ?? 2);
}
