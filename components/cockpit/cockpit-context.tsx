'use client';

import { createContext, useContext } from 'react';
import type { XY } from '@/components/viewport/input/page-point';
import type { LeaseState } from '@/components/lease-state';
import type { Action } from '@/lib/actions/kinds';
import type { HelpResult } from '@/lib/help/help-request';
import type { ShownTab } from '@/components/presence/use-shown-tab';
import type { Actor, ParticipantView, SessionView } from '@/lib/protocol/views';

export interface LeaseOffer {
  /** Where the person clicked, pixels of the window; undefined after a key or a command. */
  readonly at: XY | undefined;
  /** Number of this offer; each click shows a new one. */
  readonly count: number;
}

/** The state and the commands that all parts of the cockpit share. */
export interface Cockpit extends ShownTab {
  readonly session: SessionView;
  readonly you: ParticipantView | undefined;
  /** The shown tab's lease, as this person sees it. */
  readonly lease: LeaseState;
  /** True while the session's Chrome runs. */
  readonly live: boolean;
  /** True while the connection to the server stands. While it does not, the connection banner says so. */
  readonly online: boolean;
  /**
   * True when this person holds the lease of the shown tab, or may drive and the tab is free. A hint for the interface
   * only: the server decides.
   */
  readonly mayAct: boolean;
  /** True when this person's rights in the session let them take the lease at all. A hint, as `mayAct`. */
  readonly mayDrive: boolean;
  /**
   * True when this person may run remedies on the shown tab: no other person holds its lease (CO9). Never of a guest.
   */
  readonly mayHelp: boolean;
  /** The agent to which this person hands back; null where they took the lease from none. */
  readonly takenFrom: Actor | null;
  /** The lease request that waits for the server's answer. */
  readonly changing: 'take' | 'give' | undefined;
  /** The open offer to take the lease. */
  readonly offered: LeaseOffer | undefined;
  /** Opens the offer, at a point of the window or below the page. */
  readonly offer: (at?: XY) => void;
  readonly closeOffer: () => void;
  /**
   * Takes the lease of a tab, by default the shown one. True when this person holds it then. Shows failures as a toast.
   */
  readonly take: (tab?: string) => Promise<boolean>;
  /**
   * Hands the lease back to the agent it was taken from, or releases it where it was taken from none. `result`: the
   * answer to the agent's help request. Shows failures as a toast.
   */
  readonly giveBack: (note: string, result?: HelpResult) => Promise<boolean>;
  /**
   * Runs an action on a tab, by default the shown one. Opens the offer instead when another participant holds the
   * lease. Shows failures as a toast with the title `failed`. True when the action worked. `justTook`: skips the check
   * of the lease, because the state after a `take` may not have arrived yet.
   */
  readonly act: (action: Action, failed: string, tab?: string, justTook?: boolean) => Promise<boolean>;
  /**
   * Runs a remedy on the shown tab, also when another participant holds the lease; the server decides. Shows failures
   * as a toast.
   */
  readonly help: (action: Action, failed: string) => Promise<boolean>;
}

const CockpitContext = createContext<Cockpit | undefined>(undefined);
export const CockpitProvider = CockpitContext.Provider;

/** Gives the cockpit of the surrounding provider. Throws outside of one. */
export function useCockpit(): Cockpit {
  const cockpit = useContext(CockpitContext);
  if (!cockpit) throw new Error('This part of the page belongs into a cockpit.');
  return cockpit;
}
