import { z } from 'zod';
import { egressPolicySchema, type EgressPolicy } from '@/lib/egress/policy';
import { idleMsSchema } from '@/lib/protocol/idle';

/** What the admins of a workspace decide for all of it. */
export interface WorkspacePolicy {
  /** Undefined: where the server allows. */
  readonly egress?: EgressPolicy | undefined;
  readonly idleMs?: number | undefined;
  /** Only sign-ins that count with a second factor have rights. */
  readonly secondFactor: boolean;
}

/** In place of an egress policy that cannot be read: the pages go nowhere. */
export const CLOSED: EgressPolicy = { kind: 'listed', sites: [] };

/** A part that cannot be read is as narrow as it can be, and noted in `unreadable`. */
const policySchema = (unreadable: string[]) => {
  const closed =
    <T>(name: string, value: T) =>
    (): T => {
      unreadable.push(name);
      return value;
    };
  return z.object({
    egress: egressPolicySchema.optional().catch(closed('egress', CLOSED)),
    idleMs: idleMsSchema.optional().catch(closed('idleMs', undefined)),
    secondFactor: z.boolean().default(false).catch(closed('secondFactor', true)),
  });
};

/** Reads the stored policy of a workspace. Never throws. */
export function readWorkspacePolicy(text: string): {
  readonly policy: WorkspacePolicy;
  /** The names of the parts that could not be read. */
  readonly unreadable: readonly string[];
} {
  const unreadable: string[] = [];
  const read = policySchema(unreadable).safeParse(jsonOf(text));
  if (read.success) return { policy: read.data, unreadable };
  return { policy: { egress: CLOSED, secondFactor: true }, unreadable: ['all of it'] };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
