import { FakeClock } from '@/lib/budget/fake-clock';
import { floodLimits } from '@/lib/flood/limits';
import { TIMINGS } from '@/server/config/timings';
import { createAccess } from '@/server/access/access';
import { Egress } from '@/server/access/egress/egress';
import { createGuard } from '@/server/access/guard';
import { createLimits } from '@/server/access/limits';
import { SnapshotCache } from '@/server/browser/snapshot/snapshot-cache';
import { loadConfig } from '@/server/config/config';
import { Fleet } from '@/server/fleet/fleet';
import type { Feature } from '@/server/session/feature';
import { ContextRef } from '@/server/session/context-ref';
import { SessionLedger } from '@/server/session/ledger';
import { Quotas } from '@/server/session/quotas';
import { Session } from '@/server/session/session';
import type { SessionInit } from '@/server/session/session-parts';
import { createMetrics } from '@/server/telemetry/metrics';
import { quietLogger, tempDir, tempSession, tempStore } from './temp-store';

/** The services of the fake session below, apart from store and clock. */
async function servicesOf(store: Awaited<ReturnType<typeof tempStore>>, clock: FakeClock, dataDir: string) {
  const config = loadConfig({ DATA_DIR: dataDir, NODE_ENV: 'test' }, { isRoot: true });
  const { may, rights } = await createAccess({ store, config });
  const limits = createLimits();
  const egress = new Egress({
    resolve: () => Promise.reject(new Error('no names here')),
    policy: { privateRanges: 'allowed' },
    now: () => clock.now(),
    count: () => undefined,
  });
  return {
    ...{ clock, timings: TIMINGS, logger: quietLogger, metrics: createMetrics(), may, rights, limits },
    ...{ guard: createGuard(), egress, fleet: new Fleet(1, clock, quietLogger) },
    agentIdleMs: 60_000,
    snapshotCache: new SnapshotCache(1_000_000),
    filesRoot: `${dataDir}/files`,
    picturesRoot: `${dataDir}/pictures`,
    pictureBytes: 0,
    searchEngines: config.searchEngines,
    floods: floodLimits(1, { slowMb: 1_000, parkMb: 2_000 }),
    saved: store.saved,
    quotas: new Quotas({ caps: limits.caps, sessions: () => [], memory: () => Promise.resolve(undefined) }),
  };
}

/**
 * A session whose Chrome was gone before it started, on a real store and a clock that is moved by hand: for tests that
 * need no page. It has only these features.
 */
export function aSession(...features: Feature[]) {
  return aSessionWith({}, ...features);
}

/** The same, begun with this. */
export async function aSessionWith(
  init: Partial<
    Pick<
      SessionInit,
      'policy' | 'knownComments' | 'deliveredComments' | 'knownQuestions' | 'paused' | 'workspaceIdleMs'
    >
  >,
  ...features: Feature[]
) {
  const dataDir = tempDir();
  const store = await tempStore({ dataDir });
  const { workspace, session: id } = await tempSession(store);
  const clock = new FakeClock();
  const ledger = new SessionLedger(store, workspace, id, quietLogger);
  const home = new ContextRef({ id: 'b1', product: 'Chromium', origin: 'launched' }, [], 'context');
  const nothing = {
    maker: undefined,
    owner: undefined,
    lastEvent: undefined,
    active: undefined,
    kept: undefined,
    paused: undefined,
    workspaceIdleMs: undefined,
  };
  const noComments = { knownComments: [], deliveredComments: new Map() };
  const known = { knownTabs: [], knownLeases: new Map(), knownQuestions: [], knownReceipts: [], ...noComments };
  const session = new Session(
    {
      ...{ id, workspace, contextRef: home, ledger, ...nothing, ...known },
      ...{ name: 'Test', viewport: { width: 1280, height: 720 }, createdAt: new Date(0).toISOString(), policy: {} },
      ...init,
    },
    await servicesOf(store, clock, tempDir()),
    features,
  );
  return { session, clock, ledger, store, dataDir };
}
