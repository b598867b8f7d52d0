import type { Egress } from '@/server/access/egress/egress';
import type { ChromeConfig } from '@/server/config/config';
import type { ChromeTiming } from '@/server/config/timings';
import type { Store } from '@/server/store/store';
import type { Logger } from '@/server/telemetry/logger';
import type { Metrics } from '@/server/telemetry/metrics';

/** Dependencies of `Browsers`. */
export interface BrowsersDeps {
  readonly store: Store;
  readonly config: ChromeConfig;
  readonly egress: Egress;
  readonly dataDir: string;
  /** PATH, where Chrome is looked for. */
  readonly searchPath: string;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly timing: ChromeTiming;
  /** Limit of launched Chromes that run at once (BR7). */
  readonly most: number;
}
