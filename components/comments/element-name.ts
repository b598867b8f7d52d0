import type { Anchor } from '@/lib/comments/comment';

/** Role and name, as in `button “Pay”`; undefined for an element that says nothing, such as one that holds others. */
export function elementName({ ref, role, name = '' }: Pick<Anchor, 'ref' | 'role' | 'name'>): string | undefined {
  if (role === undefined || (ref === undefined && name === '')) return undefined;
  return name === '' ? role : `${role} “${name}”`;
}
