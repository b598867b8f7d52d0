import type { Draft } from './draft';
import { plant } from './plant';
import type { RawTree } from './raw';
import { isReferable } from './roles';
import { settle } from './settle';
import { cap, NAME_LIMIT } from './text';
import type { AssignRef, ElementIdentity, SnapshotNode, SnapshotTree } from './tree';

/** Builds the tree that all views are printed from. `assign` is called once for each element that gets a ref, in document order. */
export function buildTree(raw: RawTree, assign: AssignRef, missing?: string): SnapshotTree {
  const drafts = plant(raw);
  settle(drafts);
  const roots = drafts[0]?.children ?? [];
  nameRefs(roots, raw, assign);
  const overflow = raw.overflow ? 'The page has more than can be listed; what comes last is missing.' : undefined;
  return { documents: raw.documents, roots, missing: missing ?? overflow };
}

function nameRefs(roots: readonly Draft[], raw: RawTree, assign: AssignRef): void {
  // By document and role, then by name: to make one key of them takes most of the time.
  const counts = raw.documents.map(() => new Map<string, Map<string, number>>());
  const visit = (draft: Draft): void => {
    const ofRole = countsOf(counts[draft.document], draft.role);
    draft.nth = ofRole.get(draft.name) ?? 0;
    ofRole.set(draft.name, draft.nth + 1);
    if ((draft.interactive && !draft.isMenuOption) || isReferable(draft.role)) {
      const identity = identityOf(draft, raw.documents);
      if (identity) draft.ref = assign(identity);
    }
    draft.children.forEach(visit);
  };
  roots.forEach(visit);
}

function countsOf(byRole: Map<string, Map<string, number>> | undefined, role: string): Map<string, number> {
  const known = byRole?.get(role);
  if (known) return known;
  const made = new Map<string, number>();
  byRole?.set(role, made);
  return made;
}

/** The identity of a node in its document; undefined for what stands for no element. */
export function identityOf(node: SnapshotNode, documents: SnapshotTree['documents']): ElementIdentity | undefined {
  const document = documents[node.document];
  if (!document || node.backendNodeId === undefined || node.role === 'text') return undefined;
  return { document, backendNodeId: node.backendNodeId, role: node.role, name: cap(node.name, NAME_LIMIT).text, nth: node.nth };
}
