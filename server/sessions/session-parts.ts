import { z } from 'zod';
import type { Clock } from '@/lib/budget/clock';
import type { Size } from '@/lib/geometry/picture';
import type { SessionView, TimelineEvent } from '@/lib/protocol/views';
import type { Guard } from '@/server/access/guard';
import type { May } from '@/server/access/may';
import type { ChromeBrowser } from '@/server/browser/chrome-browser';
import type { Logger } from '@/server/telemetry/logger';
import type { Metrics } from '@/server/telemetry/metrics';
import type { SessionLedger } from './ledger';
import type { KnownTab } from './tab-book';

/** What the maker of a session decided about it (SE1). */
export const sessionPolicySchema = z.strictObject({
  /** Whether scripts may be run in its pages; true unless said otherwise (EV9). */
  evaluate: z.boolean().optional(),
});
export type SessionPolicy = z.infer<typeof sessionPolicySchema>;

/** What the whole server shares with its sessions. */
export interface SessionServices {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly may: May;
  readonly guard: Guard;
  readonly agentIdleMs: number;
}

export interface SessionInit {
  readonly id: string;
  readonly name: string;
  readonly workspace: string;
  readonly browser: ChromeBrowser;
  /** Undefined for the default context of an attached Chrome. */
  readonly contextId: string | undefined;
  readonly isolation: SessionView['isolation'];
  readonly viewport: Size;
  readonly createdAt: string;
  readonly policy: SessionPolicy;
  readonly ledger: SessionLedger;
  readonly lastEvent: TimelineEvent | undefined;
  readonly knownTabs: readonly KnownTab[];
  readonly knownEpochs: ReadonlyMap<string, number>;
}
