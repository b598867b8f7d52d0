import type { Draft } from './draft';
import { identityOf } from './identity';
import { IncrementalLines } from './incremental-lines';
import { assembleTree } from './assemble';
import type { RawTree } from './raw';
import { isReferable } from './roles';
import { tidyTree, type RedactText } from './tidy-tree';
import type { AssembledTree } from './reusable';
import type { AssignRef, SnapshotTree } from './tree';

/** The tree that all views are printed from. Each rebuild reuses every part in which nothing has changed (SN1). */
export class IncrementalTree {
  #last: AssembledTree | undefined;
  #lines = new IncrementalLines();

  /** @param hide removes secrets from texts; call `forget` when it starts to remove more */
  constructor(private readonly hide?: RedactText) {}

  /**
   * `assign` is called for each element that gets a ref, in document order, and a second time if the build is repeated
   * because a reused element has a different ref.
   */
  build(raw: RawTree, assign: AssignRef, missing?: string): SnapshotTree {
    const before = this.#last;
    this.#last = undefined;
    const planted = (before && grown(raw, assign, before, this.hide)) ?? grown(raw, assign, undefined, this.hide);
    this.#last = planted;
    const overflow = raw.overflow ? 'The page has more than can be listed; what comes last is missing.' : undefined;
    return {
      documents: raw.documents,
      roots: planted?.page.children ?? [],
      missing: missing ?? overflow,
      lines: this.#lines,
    };
  }

  /** Makes the next build start from nothing. */
  forget(): void {
    this.#last = undefined;
    this.#lines = new IncrementalLines();
  }
}

/** Undefined when a reused element has a different ref now: earlier trees still hold that draft with its old ref. */
function grown(
  raw: RawTree,
  assign: AssignRef,
  before: AssembledTree | undefined,
  hide: RedactText | undefined,
): AssembledTree | undefined {
  const planted = assembleTree(raw, before);
  tidyTree(planted.newDrafts, hide);
  return nameRefs(planted.page.children, raw, assign) ? planted : undefined;
}

/** False when a reused element has a different ref. */
function nameRefs(roots: readonly Draft[], raw: RawTree, assign: AssignRef): boolean {
  // Two map levels, because building a combined key takes most of the time.
  const counts = raw.documents.map(() => new Map<string, Map<string, number>>());
  const visit = (draft: Draft): boolean => {
    const ofRole = countsOf(counts[draft.document], draft.role);
    draft.nth = ofRole.get(draft.name) ?? 0;
    ofRole.set(draft.name, draft.nth + 1);
    return nameRef(draft, raw, assign) && draft.children.every(visit);
  };
  return roots.every(visit);
}

function nameRef(draft: Draft, raw: RawTree, assign: AssignRef): boolean {
  const isNamed = (draft.interactive && !draft.isMenuOption) || isReferable(draft.role);
  const identity = isNamed ? identityOf(draft, raw.documents) : undefined;
  const ref = identity && assign(identity);
  if (draft.isDone && draft.ref !== ref) return false;
  draft.ref = ref;
  draft.isDone = true;
  return true;
}

function countsOf(byRole: Map<string, Map<string, number>> | undefined, role: string): Map<string, number> {
  const known = byRole?.get(role);
  if (known) return known;
  const made = new Map<string, number>();
  byRole?.set(role, made);
  return made;
}
