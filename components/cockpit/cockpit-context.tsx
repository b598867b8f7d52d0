'use client';

import { createContext, useContext } from 'react';
import type { XY } from '@/components/viewport/input/page-point';
import type { LeaseState } from '@/components/lease-state';
import type { Action } from '@/lib/actions/kinds';
import type { HelpResult } from '@/lib/help/help-request';
import type { ParticipantView, SessionView, TabView } from '@/lib/protocol/views';

export interface LeaseOffer {
  /** Where the person clicked, pixels of the window; undefined after a key or a command. */
  readonly at: XY | undefined;
  /** Each offer has a number of its own. */
  readonly count: number;
}

/** What every part of the cockpit stands on: what the server says, and the few ways to ask it for something. */
export interface Cockpit {
  readonly session: SessionView;
  /** The tab shown here; undefined when the session has none. */
  readonly tab: TabView | undefined;
  readonly you: ParticipantView | undefined;
  /** Who holds the lease of the shown tab. */
  readonly lease: LeaseState;
  /** This person holds the lease of the shown tab. */
  readonly mine: boolean;
  /** The session's Chrome runs: something can be done in it. */
  readonly live: boolean;
  /** The line to the server stands: what is asked now reaches it. While it does not, the page says so. */
  readonly online: boolean;
  /** An action has a chance: it is this person's lease, or nobody's. The server decides in any case. */
  readonly mayAct: boolean;
  /** This person may free the tab when it is stuck: no other person has its lease (CO9). */
  readonly mayHelp: boolean;
  /** What is being asked of the server about the lease, until it answered. */
  readonly changing: 'take' | 'give' | undefined;
  /** The offer to take the lease, when it is open. */
  readonly offered: LeaseOffer | undefined;
  /** Opens the offer: at a point of the window, or below the page. */
  readonly offer: (at?: XY) => void;
  readonly closeOffer: () => void;
  /** Shows this tab; undefined follows the one that is acted on. */
  readonly pickTab: (id: string | undefined) => void;
  /** Takes the lease of the shown tab; true when it is held then. Failures are told. */
  readonly take: () => Promise<boolean>;
  /**
   * Hands the lease back to the agent it was taken from, or lets it go; `result` is the answer to what the agent asked,
   * done where it says nothing. Failures are told.
   */
  readonly giveBack: (note: string, result?: HelpResult) => Promise<boolean>;
  /**
   * Runs an action on a tab, the shown one unless named. Opens the offer instead when somebody else holds the lease.
   * Failures are told under `failed`. True when it worked. `justTook`: the lease was taken a moment ago, and the state
   * that says so may still be on its way.
   */
  readonly act: (action: Action, failed: string, tab?: string, justTook?: boolean) => Promise<boolean>;
  /** Runs a remedy on the shown tab whoever holds the lease; the server decides. Failures are told. */
  readonly help: (action: Action, failed: string) => Promise<boolean>;
}

const CockpitContext = createContext<Cockpit | undefined>(undefined);
export const CockpitProvider = CockpitContext.Provider;

/** Throws outside of a cockpit. */
export function useCockpit(): Cockpit {
  const cockpit = useContext(CockpitContext);
  if (!cockpit) throw new Error('This part of the page belongs into a cockpit.');
  return cockpit;
}
