import type { Message } from '@/lib/messages/message';

/** Who holds the lease of a tab, as data (CO1). A union: each state has only its own fields. */

export interface Holder {
  readonly id: string;
  readonly name: string;
  readonly kind: 'human' | 'agent';
}

/**
 * Why a participant lost the lease without giving it up: the connection was gone too long, the participant was idle,
 * the key or sign-in ended, or the right to drive was taken away.
 */
export type LeaseLoss = 'left' | 'idle' | 'signed out' | 'no right';

interface LeaseStamp {
  readonly epoch: number;
  /** Milliseconds of the owner's monotonic clock. */
  readonly since: number;
  readonly reason: string;
}

/** A private hold: only its holder sees the tab, while they type something secret (CO8). */
export interface PrivateHold {
  readonly by: Holder;
  /** For the others, in the person's own words; may be empty. */
  readonly reason: string;
  /** `field`: ends when the field loses focus; `ended`: ends only on request. */
  readonly until: 'field' | 'ended';
  /** Milliseconds of the owner's monotonic clock. */
  readonly since: number;
}

interface Driven extends LeaseStamp {
  readonly holder: Holder;
  /** The agent from which a person took the lease, and to which handing back returns it. */
  readonly takenFrom: Holder | undefined;
  /** Set while the holder holds privately. */
  readonly privateHold: PrivateHold | undefined;
}

export type Lease =
  | ({ readonly state: 'free' } & LeaseStamp)
  | ({ readonly state: 'held' } & Driven)
  /**
   * Another participant asked for the lease; the holder keeps driving and may answer until `until`. Then the lease
   * `passes`, if the asker could have taken it, or `stays` (CO4).
   */
  | ({
      readonly state: 'asked';
      readonly asker: Holder;
      readonly until: number;
      readonly atEnd: 'stays' | 'passes';
    } & Driven)
  /** The holder's connection is lost; at `until` the tab becomes free (CO7). */
  | ({ readonly state: 'parked'; readonly until: number } & Driven)
  | ({
      readonly state: 'draining';
      /** The former holder, whose last action is being ended; may no longer act. */
      readonly from: Holder;
      /** Who gets the lease after the drain; undefined when the taker has given it up meanwhile. */
      readonly to: Holder | undefined;
      /** The agent to which `to` will hand back. */
      readonly back: Holder | undefined;
      /** `from` gave it, rather than `to` took it. */
      readonly given: boolean;
      /** The private hold of `from`, which lasts until the lease has passed. */
      readonly privateHold: PrivateHold | undefined;
    } & LeaseStamp);

/** A lease that has a holder. */
export type DrivenLease = Extract<Lease, { holder: Holder }>;

/** The leases of one session by tab id. */
export type LeaseMap = ReadonlyMap<string, Lease>;

/** The whole session, or one tab of it (CO1). */
export type Scope = 'session' | 'tab';

export type ControlEvent =
  /** `epoch`: the last one of a tab that had this id before. */
  | {
      readonly type: 'tab-opened';
      readonly tab: string;
      readonly opener: string | undefined;
      readonly epoch?: number | undefined;
    }
  /** The tab was closed by a Chrome that was ending, and is opened again with its lease (BR5). */
  | { readonly type: 'tab-reopened'; readonly tab: string; readonly lease: Lease }
  | { readonly type: 'tab-closed'; readonly tab: string }
  | { readonly type: 'take-free'; readonly tab: string; readonly by: Holder }
  /** `moderates`: may take from people, too, after a grace (CO4). */
  | {
      readonly type: 'take';
      readonly tab: string;
      readonly by: Holder;
      readonly scope: Scope;
      readonly moderates?: boolean;
    }
  | { readonly type: 'request'; readonly tab: string; readonly by: Holder; readonly moderates?: boolean }
  | { readonly type: 'grant'; readonly tab: string; readonly by: Holder; readonly scope: Scope }
  | { readonly type: 'deny'; readonly tab: string; readonly by: Holder }
  | {
      readonly type: 'hand-over';
      readonly tab: string;
      readonly by: Holder;
      readonly to: Holder;
      readonly scope: Scope;
    }
  /** A deadline is over: of a request without an answer, or of a parked lease. */
  | { readonly type: 'due'; readonly tab: string }
  | { readonly type: 'drained'; readonly tab: string; readonly epoch: number }
  /** `scope`: by default this tab only. */
  | {
      readonly type: 'release';
      readonly tab: string;
      readonly by: Holder;
      readonly reason: string;
      readonly scope?: Scope;
    }
  | { readonly type: 'hand-back'; readonly tab: string; readonly by: Holder }
  /** Begins a private hold; `show` ends it, on request or because the field lost focus (CO8). */
  | {
      readonly type: 'hide';
      readonly tab: string;
      readonly by: Holder;
      readonly reason: string;
      readonly until: PrivateHold['until'];
    }
  | { readonly type: 'show'; readonly tab: string; readonly by: Holder; readonly why: 'ended' | 'field left' }
  /**
   * The participant lost the connection: their leases wait until `until`, their private holds until `privateUntil`,
   * monotonic milliseconds (CO7).
   */
  | { readonly type: 'lost'; readonly participant: string; readonly until: number; readonly privateUntil?: number }
  | { readonly type: 'back'; readonly participant: string }
  /** Every page was replaced: each holder keeps the lease, at a higher epoch (F1). */
  | { readonly type: 'renewed' }
  | { readonly type: 'left'; readonly participant: string; readonly why: LeaseLoss | 'released' };

export type ControlEffect =
  /**
   * End what `holder` is doing on `tab`, then report `drained` with this epoch. `by`: who gets the lease next, if
   * anyone.
   */
  | {
      readonly type: 'drain';
      readonly tab: string;
      readonly holder: Holder;
      readonly by: Holder | undefined;
      readonly epoch: number;
    }
  /** Release every key and button that is held down on `tab` (AC4, I6). */
  | { readonly type: 'release-input'; readonly tab: string }
  /**
   * From now on only `privateHold.by` may see the tab; undefined ends that. Always precedes the other effects of its
   * tab.
   */
  | { readonly type: 'private-hold'; readonly tab: string; readonly privateHold: PrivateHold | undefined }
  /**
   * The holder of the private hold does not come back: replace the page before anyone sees it, then report `drained`
   * with this epoch.
   */
  | { readonly type: 'clear'; readonly tab: string; readonly epoch: number }
  /** Publish the change and write it to the timeline. */
  | {
      readonly type: 'changed';
      readonly tab: string;
      readonly change: ControlChange;
      readonly by: Holder | undefined;
      readonly lease: Lease;
    };

export type ControlChange =
  | 'claimed'
  | 'taking'
  | 'taken'
  | 'released'
  | 'handed-back'
  | 'parked'
  | 'back'
  | LeaseLoss
  | 'hidden'
  | 'shown'
  | 'field-left'
  | 'asked'
  | 'denied'
  | 'unanswered'
  | 'withdrawn'
  | 'giving'
  | 'given'
  /** `by` would have got the lease back but no longer exists. */
  | 'forgotten';

export type Refusal = {
  readonly code: 'CONTROL_HELD' | 'CONTROL_LOST' | 'CONFLICT' | 'TAB_NOT_FOUND';
  readonly said: Message;
};

export type ControlResult =
  | { readonly ok: true; readonly leases: LeaseMap; readonly effects: readonly ControlEffect[] }
  | { readonly ok: false; readonly refusal: Refusal };
