import type { Said } from '@/lib/said/said';

/** Who has the wheel of a tab, as data (CO1). A union: each state has only its own fields. */

export interface Holder {
  readonly id: string;
  readonly name: string;
  readonly kind: 'human' | 'agent';
}

/** Why a participant no longer has the wheel, without having given it up: the connection was gone too long, nothing was done, the key or sign-in ended. */
export type Loss = 'left' | 'idle' | 'signed out';

export type Lease =
  | { readonly state: 'free'; readonly epoch: number; readonly since: number; readonly reason: string }
  | {
      readonly state: 'held';
      readonly epoch: number;
      readonly since: number;
      readonly reason: string;
      readonly holder: Holder;
      /** The agent from which a person took the wheel, and to which handing back returns it. */
      readonly takenFrom: Holder | undefined;
      /** The holder's connection is lost; at this monotonic time the tab becomes free (CO7). */
      readonly parkedUntil?: number;
    }
  | {
      readonly state: 'draining';
      readonly epoch: number;
      readonly since: number;
      readonly reason: string;
      /** Whose last action is being ended; may no longer act. */
      readonly from: Holder;
      /** Who gets the wheel when that is done; nobody, when the one who took it has given it up meanwhile. */
      readonly to: Holder | undefined;
    };

/** The leases of one session by tab id. `since` is milliseconds of the owner's monotonic clock. */
export type Leases = ReadonlyMap<string, Lease>;

export type ControlEvent =
  | { readonly type: 'tab-opened'; readonly tab: string; readonly opener: string | undefined }
  | { readonly type: 'tab-closed'; readonly tab: string }
  | { readonly type: 'claim'; readonly tab: string; readonly by: Holder }
  | { readonly type: 'take'; readonly tab: string; readonly by: Holder; readonly scope: 'session' | 'tab' }
  | { readonly type: 'drained'; readonly tab: string; readonly epoch: number }
  | { readonly type: 'release'; readonly tab: string; readonly by: Holder; readonly reason: string }
  | { readonly type: 'hand-back'; readonly tab: string; readonly by: Holder }
  /** Lost the connection: what they hold waits until `until`, monotonic milliseconds (CO7). */
  | { readonly type: 'lost'; readonly participant: string; readonly until: number }
  | { readonly type: 'back'; readonly participant: string }
  | { readonly type: 'left'; readonly participant: string; readonly why: Loss | 'released' };

export type ControlEffect =
  /** End what `holder` is doing on `tab`, then report `drained` with this epoch. */
  | { readonly type: 'drain'; readonly tab: string; readonly holder: Holder; readonly by: Holder; readonly epoch: number }
  /** Let go of every key and button still held down on `tab` (AC4, invariant I6). */
  | { readonly type: 'release-input'; readonly tab: string }
  /** Tell everybody, and write it to the timeline. */
  | { readonly type: 'changed'; readonly tab: string; readonly change: ControlChange; readonly by: Holder | undefined; readonly lease: Lease };

export type ControlChange = 'claimed' | 'taking' | 'taken' | 'released' | 'handed-back' | 'parked' | 'back' | Loss;

export type Refusal = { readonly code: 'CONTROL_HELD' | 'CONTROL_LOST' | 'CONFLICT' | 'TAB_NOT_FOUND'; readonly said: Said };

export type ControlResult =
  | { readonly ok: true; readonly leases: Leases; readonly effects: readonly ControlEffect[] }
  | { readonly ok: false; readonly refusal: Refusal };
