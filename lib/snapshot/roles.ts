/**
 * Maps Chrome's role names to ARIA names (SN2). `img` and not `image`, because models and test tools know the older
 * name. A role in none of the tables keeps its name if that is a plain word and becomes `generic` otherwise.
 */
const RENAMED: Readonly<Record<string, string>> = {
  image: 'img',
  svgroot: 'img',
  graphicssymbol: 'img',
  iframe: 'iframe',
  iframepresentational: 'iframe',
  frame: 'iframe',
  rootwebarea: 'document',
  pdfroot: 'document',
  descriptionlist: 'list',
  menulistpopup: 'menulistpopup',
  menulistoption: 'option',
  listboxoption: 'option',
  comboboxmenubutton: 'combobox',
  comboboxgrouping: 'combobox',
  comboboxselect: 'combobox',
  popupbutton: 'combobox',
  textfield: 'textbox',
  textfieldwithcombobox: 'combobox',
  disclosuretriangle: 'button',
  disclosuretrianglegrouped: 'button',
  togglebutton: 'button',
  date: 'textbox',
  datetime: 'textbox',
  inputtime: 'textbox',
  colorwell: 'textbox',
  scrollbar: 'generic',
  layouttable: 'generic',
  layouttablerow: 'generic',
  layouttablecell: 'generic',
  splitter: 'separator',
  embeddedobject: 'object',
  pluginobject: 'object',
  docabstract: 'region',
  math: 'math',
  mathmlmath: 'math',
};

/** Roles without a line of their own: their children take their place. Text inside stays one line. */
const INLINE = new Set([
  'emphasis',
  'strong',
  'mark',
  'code',
  'time',
  'subscript',
  'superscript',
  'insertion',
  'deletion',
  'abbr',
  'labeltext',
  'ruby',
  'rubyannotation',
  'suggestion',
  'comment',
  'ariatextrun',
  'linebreak',
]);

/** The same, but inner text gets its own line. */
const BLOCK = new Set([
  'generic',
  'none',
  'presentation',
  'section',
  'div',
  'legend',
  'figcaption',
  'caption',
  'rowgroup',
  'pre',
  'details',
  'menulistpopup',
  'unknown',
  'document',
  'webarea',
  'portal',
  'mathmlrow',
  'pane',
  'group',
]);

/** Wrappers that get a line when they have a name. */
const SHOWN_WHEN_NAMED = new Set(['group', 'rowgroup']);

/** Never printed, children included: line boxes, bullets. */
const DROPPED = new Set(['inlinetextbox', 'listmarker', 'column', 'colgroup', 'tableheadercontainer']);

/** Things to act on; each gets a ref. */
const INTERACTIVE = new Set([
  'button',
  'link',
  'textbox',
  'searchbox',
  'combobox',
  'listbox',
  'option',
  'checkbox',
  'radio',
  'switch',
  'slider',
  'spinbutton',
  'tab',
  'menuitem',
  'menuitemcheckbox',
  'menuitemradio',
  'treeitem',
]);

/** Roles that get a ref although they cannot be acted on: parts of the page, and pictures. */
const REFERABLE = new Set([
  'banner',
  'complementary',
  'contentinfo',
  'form',
  'main',
  'navigation',
  'region',
  'search',
  'article',
  'dialog',
  'alertdialog',
  'table',
  'grid',
  'treegrid',
  'tree',
  'menu',
  'menubar',
  'tablist',
  'tabpanel',
  'toolbar',
  'radiogroup',
  'list',
  'feed',
  'figure',
  'img',
  'canvas',
  'video',
  'audio',
  'iframe',
  'object',
  'application',
]);

/** Their accessible name is made of what they contain. Source: WAI-ARIA 1.2, 5.2.8.4. */
const NAMED_BY_CONTENT = new Set([
  'button',
  'link',
  'option',
  'checkbox',
  'radio',
  'switch',
  'tab',
  'menuitem',
  'menuitemcheckbox',
  'menuitemradio',
  'treeitem',
  'cell',
  'gridcell',
  'columnheader',
  'rowheader',
  'heading',
  'row',
  'listitem',
  'term',
  'definition',
  'tooltip',
  'label',
]);

/** Their content is their value. */
const FIELDS = new Set(['textbox', 'searchbox', 'combobox', 'spinbutton', 'slider']);

export interface RoleKind {
  readonly role: string;
  /** `wrapper` has no line of its own. */
  readonly kind: 'element' | 'wrapper' | 'text' | 'space' | 'dropped';
  /** For wrappers: whether text in it is part of the surrounding line. */
  readonly inline: boolean;
}

const known = new Map<string, RoleKind>();
const MAX_KNOWN = 500;

/** How we treat a role that Chrome, or a hostile page, reports. */
export function roleKind(chromeRole: string): RoleKind {
  const found = known.get(chromeRole);
  if (found) return found;
  const made = classify(chromeRole);
  if (known.size < MAX_KNOWN) known.set(chromeRole, made);
  return made;
}

function classify(chromeRole: string): RoleKind {
  const lower = chromeRole.toLowerCase();
  if (lower === 'statictext') return { role: 'text', kind: 'text', inline: true };
  if (lower === 'linebreak') return { role: 'text', kind: 'space', inline: true };
  if (DROPPED.has(lower)) return { role: 'generic', kind: 'dropped', inline: true };
  if (INLINE.has(lower)) return { role: 'generic', kind: 'wrapper', inline: true };
  const role = Object.hasOwn(RENAMED, lower) ? (RENAMED[lower] ?? 'generic') : lower;
  if (!/^[a-z][a-z-]{1,29}$/.test(role) || role === 'text') return { role: 'generic', kind: 'wrapper', inline: false };
  return BLOCK.has(role) ? { role, kind: 'wrapper', inline: false } : { role, kind: 'element', inline: false };
}

/** Kinds of popup that an element can open. Source: WAI-ARIA 1.2, `aria-haspopup`. */
const POPUPS = new Set(['menu', 'listbox', 'tree', 'grid', 'dialog']);

/**
 * The state to print, `haspopup=dialog`; undefined where nothing opens, and where the role implies it (a combobox opens
 * its list). `value`: of Chrome's `hasPopup`, or of the attribute.
 */
export function popupState(role: string, value: unknown): string | undefined {
  const kind = value === 'true' || value === true ? 'menu' : value;
  if (typeof kind !== 'string' || !POPUPS.has(kind)) return undefined;
  return role === 'combobox' && (kind === 'listbox' || kind === 'menu') ? undefined : `haspopup=${kind}`;
}

export const isShownWhenNamed = (role: string): boolean => SHOWN_WHEN_NAMED.has(role);
export const isInteractive = (role: string): boolean => INTERACTIVE.has(role);
export const isReferable = (role: string): boolean => REFERABLE.has(role);
export const isNamedByContent = (role: string): boolean => NAMED_BY_CONTENT.has(role);
export const isField = (role: string): boolean => FIELDS.has(role);

/** Converts a role as a caller writes it (`Image`, `StaticText`) to the printed one. */
export function askedRole(role: string): string {
  const { role: known, kind } = roleKind(role.trim());
  return kind === 'wrapper' ? role.trim().toLowerCase() : known;
}
