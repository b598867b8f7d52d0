import { z } from 'zod';
import { WheelhouseError } from '@/lib/errors/error';
import type { SearchEngines } from '@/lib/actions/search-engines';
import type { Clock } from '@/lib/budget/clock';
import type { Holder } from '@/lib/control/lease';
import type { FloodLimits } from '@/lib/flood/limits';
import type { Viewport } from '@/lib/geometry/picture';
import type { TimelineEvent } from '@/lib/protocol/views';
import type { Active } from '@/lib/state/active';
import type { SavedState } from '@/lib/state/saved';
import type { HangTiming } from '@/server/config/timings';
import type { Egress } from '@/server/access/egress/egress';
import type { Guard } from '@/server/access/guard';
import type { May } from '@/server/access/may';
import type { Credential } from '@/server/access/principal';
import type { HelpRequestRecord } from '@/server/store/help-requests';
import type { ReceiptRecord } from '@/server/store/receipts';
import type { SnapshotCache } from '@/server/browser/snapshot/snapshot-cache';
import type { SealedFiles } from '@/server/store/sealed-files';
import type { Logger } from '@/server/telemetry/logger';
import type { Metrics } from '@/server/telemetry/metrics';
import type { RestoredLease } from './leases';
import type { ContextRef } from './context-ref';
import type { SessionLedger } from './ledger';
import type { SessionLimits } from './rates';
import type { StoredTab } from './tab-registry';

/** What the maker of a session decided about it (SE1). */
export const sessionPolicySchema = z.strictObject({
  /** Whether scripts may be run in its pages, by all, or by people and by agents; true where nothing is said (EV9). */
  evaluate: z
    .union([z.boolean(), z.strictObject({ human: z.boolean().optional(), agent: z.boolean().optional() })])
    .optional(),
  /**
   * What an agent's actions meet while a person drives: they are refused at once, or they wait until the wheel is back
   * or their budget ends (CO3). Refused where nothing is said.
   */
  whenTaken: z.enum(['refuse', 'wait']).optional(),
  /**
   * Whether a Chrome of ours that crashed is started again by itself, twice in ten minutes at most; true where nothing
   * is said (BR5).
   */
  restartBrowser: z.boolean().optional(),
  /** Whether a page whose process crashed is opened once again by itself; true where nothing is said (CO9). */
  reloadCrashed: z.boolean().optional(),
  /** Whether an agent that gets nowhere is noticed and shown as stuck; true where nothing is said (CO9). */
  noticeStuck: z.boolean().optional(),
  /**
   * Whether a page that floods its Chrome is slowed, then put aside; true where nothing is said. Else it is only told
   * (AC6).
   */
  limitFloods: z.boolean().optional(),
});
export type SessionPolicy = z.infer<typeof sessionPolicySchema>;

/** Throws EVAL_DISABLED (EV9). */
export function checkEvaluate({ evaluate = true }: SessionPolicy, by: Holder['kind']): void {
  const allowed = typeof evaluate === 'boolean' ? evaluate : (evaluate[by] ?? true);
  if (!allowed)
    throw new WheelhouseError('EVAL_DISABLED', {
      code: typeof evaluate === 'boolean' ? 'evaluateOff' : by === 'agent' ? 'evaluateOffAgents' : 'evaluateOffPeople',
    });
}

/** What the whole server shares with its sessions. */
export interface SessionServices {
  readonly clock: Clock;
  readonly hangTiming: HangTiming;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly may: May;
  readonly limits: SessionLimits;
  readonly guard: Guard;
  readonly egress: Egress;
  readonly agentIdleMs: number;
  /** What snapshots of all tabs keep. */
  readonly snapshotCache: SnapshotCache;
  /** Folder under which each session keeps its files. */
  readonly filesRoot: string;
  /** Folder under which each session keeps the pictures of its timeline, and bytes that they may take. */
  readonly picturesRoot: string;
  readonly pictureBytes: number;
  readonly searchEngines: SearchEngines;
  /** What a page may take of its Chrome. */
  readonly floods: FloodLimits;
  /** What sessions are brought back with after a crash. */
  readonly saved: SealedFiles;
}

export interface SessionInit {
  readonly id: string;
  /** The credential it was made with, as `credentialName` writes it. */
  readonly maker: Credential | undefined;
  readonly name: string;
  readonly workspace: string;
  readonly contextRef: ContextRef;
  readonly viewport: Viewport;
  readonly createdAt: string;
  readonly policy: SessionPolicy;
  readonly ledger: SessionLedger;
  readonly lastEvent: TimelineEvent | undefined;
  readonly knownTabs: readonly StoredTab[];
  /** Which of them was active. */
  readonly active: Active | undefined;
  /** Leases of the last run by tab. */
  readonly knownLeases: ReadonlyMap<string, RestoredLease>;
  /** What an earlier server saved of it (BR5). */
  readonly kept: SavedState | undefined;
  /** What agents of the last run have asked people, as far as it matters still. */
  readonly knownQuestions: readonly HelpRequestRecord[];
  /** What agents of the last run have not been told yet. */
  readonly knownReceipts: readonly ReceiptRecord[];
}
