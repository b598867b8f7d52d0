import { z } from 'zod';
import type { Comment } from '@/lib/comments/comment';
import { WheelhouseError } from '@/lib/errors/error';
import type { SearchEngines } from '@/lib/actions/search-engines';
import type { Clock } from '@/lib/budget/clock';
import type { Holder } from '@/lib/control/lease';
import { egressPolicySchema } from '@/lib/egress/policy';
import type { FloodLimits } from '@/lib/flood/limits';
import type { Viewport } from '@/lib/geometry/picture';
import { idleMsSchema } from '@/lib/protocol/idle';
import type { PausedView, TimelineEvent } from '@/lib/protocol/views';
import type { Active } from '@/lib/state/active';
import type { SavedState } from '@/lib/state/saved';
import type { Timings } from '@/server/config/timings';
import type { Egress } from '@/server/access/egress/egress';
import type { Guard } from '@/server/access/guard';
import type { LiveRights } from '@/server/access/live-rights';
import type { May } from '@/server/access/may';
import type { Credential } from '@/server/access/principal';
import type { HelpRequestRecord } from '@/server/store/help-requests';
import type { ReceiptRecord } from '@/server/store/receipts';
import type { Fleet } from '@/server/fleet/fleet';
import type { SnapshotCache } from '@/server/browser/snapshot/snapshot-cache';
import type { SealedFiles } from '@/server/store/sealed-files';
import type { Logger } from '@/server/telemetry/logger';
import type { Metrics } from '@/server/telemetry/metrics';
import type { RestoredLease } from './leases';
import type { ContextRef } from './context-ref';
import type { SessionLedger } from './ledger';
import type { SessionLimits } from './rates';
import type { StoredTab } from './tab-registry';

/** Policy that the maker of a session chose (SE1). */
export const sessionPolicySchema = z.strictObject({
  /** Who may run scripts in its pages: everyone, or people and agents separately. Default true (EV9). */
  evaluate: z
    .union([z.boolean(), z.strictObject({ human: z.boolean().optional(), agent: z.boolean().optional() })])
    .optional(),
  /**
   * Whether an agent's actions are refused at once while a person holds the lease, or wait until it is free or their
   * budget ends (CO3). Default: refuse.
   */
  whenTaken: z.enum(['refuse', 'wait']).optional(),
  /**
   * Whether to restart a launched Chrome automatically after a crash, at most twice in ten minutes. Default true (BR5).
   */
  restartBrowser: z.boolean().optional(),
  /** Whether to reopen a page automatically once after its process crashed. Default true (CO9). */
  reloadCrashed: z.boolean().optional(),
  /** Whether to detect agents that make no progress and show them as stuck. Default true (CO9). */
  noticeStuck: z.boolean().optional(),
  /** Where its pages may go, within what its workspace allows (GU1). */
  egress: egressPolicySchema.optional(),
  /**
   * Whether to slow, then park, a page that floods its Chrome; with false the flood is only reported. Default true
   * (AC6).
   */
  limitFloods: z.boolean().optional(),
  /**
   * Ends the session when nobody uses it for so long, after a warning a minute before (SE1). Milliseconds. Default: it
   * stays.
   */
  idleMs: idleMsSchema.optional(),
});
export type SessionPolicy = z.infer<typeof sessionPolicySchema>;

/** Checks that the policy allows scripts of people or agents. Throws EVAL_DISABLED (EV9). */
export function checkEvaluate({ evaluate = true }: SessionPolicy, by: Holder['kind']): void {
  const allowed = typeof evaluate === 'boolean' ? evaluate : (evaluate[by] ?? true);
  if (!allowed)
    throw new WheelhouseError('EVAL_DISABLED', {
      code: typeof evaluate === 'boolean' ? 'evaluateOff' : by === 'agent' ? 'evaluateOffAgents' : 'evaluateOffPeople',
    });
}

/** Services that the server shares with its sessions. */
export interface SessionServices {
  readonly clock: Clock;
  readonly timings: Timings;
  readonly fleet: Fleet;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly may: May;
  readonly rights: Pick<LiveRights, 'access' | 'roleOf'>;
  readonly limits: SessionLimits;
  readonly guard: Guard;
  readonly egress: Egress;
  readonly agentIdleMs: number;
  /** Cache shared by the snapshots of all tabs. */
  readonly snapshotCache: SnapshotCache;
  /** Folder under which each session keeps its files. */
  readonly filesRoot: string;
  /** Folder for the action pictures of each session, and the bytes they may use. */
  readonly picturesRoot: string;
  readonly pictureBytes: number;
  readonly searchEngines: SearchEngines;
  /** Limits on the resources a page may use of its Chrome. */
  readonly floods: FloodLimits;
  /** Sealed files from which sessions are recovered after a crash. */
  readonly saved: SealedFiles;
}

export interface SessionInit {
  readonly id: string;
  /** The credential it was made with, as `credentialName` writes it. */
  readonly maker: Credential | undefined;
  /** The person who moderates it: its maker, or the one whose key made it. */
  readonly owner: string | undefined;
  readonly name: string;
  readonly workspace: string;
  readonly contextRef: ContextRef;
  readonly viewport: Viewport;
  readonly createdAt: string;
  readonly policy: SessionPolicy;
  /** The idle limit of its workspace, milliseconds. */
  readonly workspaceIdleMs: number | undefined;
  readonly ledger: SessionLedger;
  readonly lastEvent: TimelineEvent | undefined;
  readonly knownTabs: readonly StoredTab[];
  /** Who paused the agents, and did not let them go on before the restart. */
  readonly paused: PausedView | undefined;
  /** Which of them was active. */
  readonly active: Active | undefined;
  /** Leases of the last run by tab. */
  readonly knownLeases: ReadonlyMap<string, RestoredLease>;
  /** The state that an earlier server saved (BR5). */
  readonly kept: SavedState | undefined;
  /** Help requests of the last run, from the store. */
  readonly knownQuestions: readonly HelpRequestRecord[];
  readonly knownComments: readonly Comment[];
  /** By agent, the ids of the comments that it has got. */
  readonly deliveredComments: ReadonlyMap<string, ReadonlySet<string>>;
  /** Receipts of the last run that agents have not received yet. */
  readonly knownReceipts: readonly ReceiptRecord[];
}
