import { grantsIn, type Grant, type Rights } from './grants';

const NONE: ReadonlySet<Grant> = new Set();

/** A grant that `rights` have and `most` lack: in the workspace, in one session, or in sessions to come. */
export function grantBeyond(rights: Rights, most: Rights): Grant | undefined {
  if (rights.server === true && most.server !== true) return 'manage';
  const sessions = new Set([...rights.named.keys(), ...most.named.keys()]);
  const places: (readonly [ReadonlySet<Grant>, ReadonlySet<Grant>])[] = [
    [rights.workspace, most.workspace],
    [rights.sessions ?? NONE, most.sessions ?? NONE],
    ...[...sessions].map((id) => [grantsIn({ rights }, id), grantsIn({ rights: most }, id)] as const),
  ];
  for (const [had, allowed] of places) {
    const beyond = [...had].find((grant) => !allowed.has(grant));
    if (beyond) return beyond;
  }
  return undefined;
}
