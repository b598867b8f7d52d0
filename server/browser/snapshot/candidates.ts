import { WheelhouseError } from '@/lib/errors/error';
import { identityOf } from '@/lib/snapshot/identity';
import { findByRole, type RoleQuery } from '@/lib/snapshot/find';
import { quoted } from '@/lib/snapshot/text';
import { eachNode, type SnapshotNode } from '@/lib/snapshot/tree';
import type { Build } from './build';

/** Most candidates that an error names. */
const MAX_CANDIDATES = 10;

/** The error when several elements match, or fewer than `nth` requires. */
export function tooManyError(build: Build, found: readonly SnapshotNode[], query: RoleQuery): WheelhouseError {
  const asked = askedFor(query);
  const message =
    query.nth === undefined
      ? `${found.length} elements are ${asked}.`
      : `Only ${found.length} elements are ${asked}, so there is no number ${query.nth}.`;
  return new WheelhouseError(query.nth === undefined ? 'AMBIGUOUS' : 'NODE_GONE', message, {
    details: { count: found.length, candidates: candidates(build, found) },
  });
}

/** The error when no element matches; names likely candidates. */
export function noMatchError(build: Build, query: RoleQuery): WheelhouseError {
  const sameRole = findByRole(build.tree, { role: query.role });
  const likely = sameRole.length > 0 || query.name === undefined ? sameRole : called(build.tree.roots, query.name);
  const hint =
    likely.length > 0
      ? 'Use one of the candidates in details, or a ref of a new snapshot.'
      : 'Take a new snapshot and use a ref from it.';
  return new WheelhouseError('NODE_GONE', `No element is ${askedFor(query)}.`, {
    hint,
    details: { count: 0, candidates: candidates(build, likely) },
  });
}

/** Elements with that name and any role. */
function called(roots: readonly SnapshotNode[], name: string): SnapshotNode[] {
  return [...eachNode(roots)].filter((node) => node.ref !== undefined && node.name === name);
}

function askedFor(query: RoleQuery): string {
  const role = query.role.slice(0, 40);
  return query.name === undefined ? `a ${role}` : `a ${role} called ${quoted(query.name, 80)}`;
}

function candidates(build: Build, nodes: readonly SnapshotNode[]) {
  return nodes.slice(0, MAX_CANDIDATES).map((node) => {
    const name = identityOf(node, build.tree.documents)?.name ?? node.name;
    return { ref: build.refOf(node), role: node.role, name, nth: node.nth };
  });
}
