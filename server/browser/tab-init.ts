import type { Viewport } from '@/lib/geometry/picture';
import type { EvaluatorEvents } from '@/server/cdp/evaluate/evaluator';
import type { ScriptToken } from '@/server/cdp/evaluate/script-names';
import type { Lanes } from '@/server/cdp/lanes';
import type { KnownSecrets } from './known-secrets';
import type { FieldsInit } from './private-fields';
import type { RendererGroups } from './renderer-group';
import type { NetErrorOf, RuleOf } from './page-block';
import type { SnapshotCache } from './snapshot/snapshot-cache';
import type { SharedEmulation } from './state/emulator';

/** The parts of a new tab. */
export interface TabInit extends FieldsInit {
  /** The tab's short id in the session: `t1` (SE2). */
  readonly id: string;
  readonly targetId: string;
  readonly contextId: string | undefined;
  /** The short id of the opener's tab. */
  readonly opener: string | undefined;
  readonly url: string;
  readonly title: string;
  readonly lanes: Lanes;
  /** Whether its Chrome runs on a Mac; that of this server when absent. */
  readonly mac?: boolean;
  readonly viewport: Viewport;
  /** The highest ref number of this tab, from the store (SN4). */
  readonly lastRefNumber: number;
  readonly count: EvaluatorEvents['count'];
  readonly ended: EvaluatorEvents['ended'];
  /** The emulation of all tabs of the session (PS4). */
  readonly emulation?: SharedEmulation;
  /** The cache that the snapshots of all tabs share. */
  readonly snapshotCache?: SnapshotCache;
  /** The session's tabs that may share a renderer (AC6). */
  readonly renderers?: RendererGroups;
  /** Marks the names of agents' scripts. */
  readonly scriptToken?: ScriptToken;
  /** Returns the rule by which the proxy last denied an address. */
  readonly ruleOf?: RuleOf;
  /** Returns the network error with which the proxy last failed to reach an address. */
  readonly netErrorOf?: NetErrorOf;
  /** The session's secrets, which no reading may show in clear. */
  readonly secrets?: KnownSecrets;
  /** Whether a person holds the lease. */
  readonly personDrives?: () => boolean;
}
