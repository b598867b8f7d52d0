import type { FormattedMessage } from '@/lib/messages/format';
import type { Clock } from '@/lib/budget/clock';
import type { Access } from '@/server/access/access';
import type { Egress } from '@/server/access/egress/egress';
import type { Guard } from '@/server/access/guard';
import type { DemoApi } from './demo-api';
import type { Diagnostics } from './diagnostics';
import type { Browsers } from '@/server/fleet/browsers';
import type { Hub } from '@/server/session/hub';
import type { Store } from '@/server/store/store';
import type { TimelineCheck } from '@/server/store/timeline-check';
import type { Logger } from '@/server/telemetry/logger';
import type { Metrics } from '@/server/telemetry/metrics';

/** The services that the doors use; main creates them once. */
export interface Services {
  readonly hub: Hub;
  readonly browsers: Browsers;
  readonly access: Access;
  readonly guard: Guard;
  readonly egress: Egress;
  readonly demo: DemoApi;
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** The state of the timelines' check (T21). */
  readonly timelines: TimelineCheck;
  readonly diagnostics: Diagnostics;
  /** Warnings for the operator: no sandbox, advisory guard. */
  readonly warnings: readonly FormattedMessage[];
}
