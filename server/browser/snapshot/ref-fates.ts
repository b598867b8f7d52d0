import type { RefFates } from '@/lib/actions/receipt';
import { findByRole } from '@/lib/snapshot/find';
import type { RedactText } from '@/lib/snapshot/settle';
import type { RefEntry, RefTable } from '../refs';
import type { Build } from './build';

/** Elements that are looked for by role and name, each through the whole tree. */
const MOST_LOOKED_FOR = 50;

/**
 * What became of refs that were given before, in the page as it was read now (SN4). A page that was replaced has
 * invalidated all of its own.
 * @param hide takes out of a name what became a secret since
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
    // Its document was replaced.
    return undefined;
  }
}
