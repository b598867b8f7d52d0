import { axNamedByContent, axProperties, axStates, axText, type AxNodeLike } from './ax-node';
import { roleKind } from './roles';

/** States that ARIA has as attributes; `invalid` and the level are added separately. */
const STATES = [
  'checked',
  'disabled',
  'expanded',
  'haspopup',
  'selected',
  'pressed',
  'required',
  'readonly',
  'invalid',
];

/**
 * The ARIA attributes that are equivalent to what an element sets through `ElementInternals`: the DOM does not show
 * those, accessibility does. Empty when it sets none.
 */
export function ariaAttributes(node: AxNodeLike): ReadonlyMap<string, string> {
  const said = new Map<string, string>();
  const { role, kind } = roleKind(axText(node.role));
  if (node.ignored || kind !== 'element') return said;
  said.set('role', role);
  const name = axText(node.name);
  if (name !== '' && !axNamedByContent(node)) said.set('aria-label', name);
  const properties = axProperties(node);
  for (const state of axStates(role, properties)) {
    const [word = '', value = 'true'] = state.split('=');
    if (word === 'collapsed') said.set('aria-expanded', 'false');
    else if (word === 'level') said.set('aria-level', value);
    else if (STATES.includes(word)) said.set(`aria-${word}`, value);
  }
  const now = axText(node.value);
  if (['slider', 'spinbutton', 'progressbar', 'meter'].includes(role) && now !== '') said.set('aria-valuenow', now);
  return said;
}
