import type { RefFates } from '@/lib/actions/receipt';
import { findByRole } from '@/lib/snapshot/find';
import type { RedactText } from '@/lib/snapshot/tidy-tree';
import type { RefEntry, RefTable } from '../refs';
import type { Build } from './build';

/** Most elements that are looked up by role and name; each lookup goes through the whole tree. */
const MOST_LOOKED_FOR = 50;

/**
 * Tells what became of earlier refs in the page as it was read now (SN4). All refs of a replaced page are invalid.
 * @param hide masks in a name what has become a secret since
 */
export function fatesOf(build: Build, refs: RefTable, old: readonly string[], hide: RedactText): Omit<RefFates, 'tab'> {
  let looks = MOST_LOOKED_FOR;
  const fates: Omit<RefFates, 'tab'> = { kept: 0, rebound: [], invalid: [] };
  for (const ref of old) {
    const entry = entryOf(refs, ref);
    const now = entry && nowOf(build, refs, { ...entry, name: hide(entry.name) }, () => (looks -= 1) >= 0);
    if (now === undefined) fates.invalid.push(ref);
    else if (entry?.ref === now) fates.kept += 1;
    else fates.rebound.push({ ref, now });
  }
  return fates;
}

function nowOf(
  build: Build,
  refs: RefTable,
  { ref, frameId, backendNodeId, role, name, nth }: RefEntry,
  mayLook: () => boolean,
): string | undefined {
  if (build.holds(frameId, backendNodeId))
    return role === 'text' ? ref : (refs.byNode(frameId, backendNodeId)?.ref ?? ref);
  if (!mayLook()) return undefined;
  const found = findByRole(build.tree, { role, name, frameId })[nth];
  return found && build.refOf(found);
}

function entryOf(refs: RefTable, ref: string): RefEntry | undefined {
  try {
    return refs.lookup(ref);
  } catch {
    // The ref's document was replaced.
    return undefined;
  }
}
