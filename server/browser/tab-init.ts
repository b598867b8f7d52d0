import type { Viewport } from '@/lib/geometry/picture';
import type { HangTiming } from '@/server/config/timings';
import type { EvaluatorEvents } from '@/server/cdp/evaluate/evaluator';
import type { ScriptToken } from '@/server/cdp/evaluate/script-names';
import type { Lanes } from '@/server/cdp/lanes';
import type { KnownSecrets } from './known-secrets';
import type { FieldsInit } from './private-fields';
import type { RendererGroups } from './renderer-group';
import type { NetErrorOf, RuleOf } from './page-block';
import type { SnapshotCache } from './snapshot/snapshot-cache';
import type { SharedEmulation } from './state/emulator';

/** What a tab is made of. */
export interface TabInit extends FieldsInit {
  /** Short id of the session: `t1` (SE2). */
  readonly id: string;
  readonly targetId: string;
  readonly contextId: string | undefined;
  /** Short id of the tab that opened this one. */
  readonly opener: string | undefined;
  readonly url: string;
  readonly title: string;
  readonly lanes: Lanes;
  readonly viewport: Viewport;
  /** When its page or a frame counts as hung; the product's timing where it is absent. */
  readonly hangTiming?: HangTiming;
  /** Highest ref number this tab ever gave out, from the store (SN4). */
  readonly lastRefNumber: number;
  readonly count: EvaluatorEvents['count'];
  readonly ended: EvaluatorEvents['ended'];
  /** What all tabs of the session have in common (PS4). */
  readonly emulation?: SharedEmulation;
  /** Where the snapshots of all tabs keep what they may use again. */
  readonly snapshotCache?: SnapshotCache;
  /** The tabs of the session that may share its renderer (AC6). */
  readonly renderers?: RendererGroups;
  /** For the names of agents' scripts. */
  readonly scriptToken?: ScriptToken;
  /** By which rule the egress proxy last denied where an address leads. */
  readonly ruleOf?: RuleOf;
  /** With which network error the egress proxy last failed to reach an address. */
  readonly netErrorOf?: NetErrorOf;
  /** Of the session: what must not be read in clear. */
  readonly secrets?: KnownSecrets;
  /** A person has the wheel. */
  readonly personDrives?: () => boolean;
}
