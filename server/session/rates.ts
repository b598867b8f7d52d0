import { accessOf, kindOf, runsScript, type Action } from '@/lib/actions/kinds';
import { WheelhouseError } from '@/lib/errors/error';
import type { Principal } from '@/server/access/principal';
import { CAPS, type AccessLimits, type Counted } from '@/server/access/limits';

export type SessionLimits = Pick<
  AccessLimits,
  | 'commandsPerLease'
  | 'snapshotsPerViewer'
  | 'snapshotsPerLink'
  | 'visitRowsPerLink'
  | 'popups'
  | 'evaluatesPerTab'
  | 'evaluatesPerSession'
  | 'refusals'
  | 'comments'
  | 'commentsPerLink'
  | 'commentReads'
  | 'commentReadsPerLink'
  | 'caps'
>;

/** Rate limits of one session (BR7). */
export class Rates {
  constructor(
    private readonly session: string,
    private readonly limits: SessionLimits,
  ) {}

  get caps(): SessionLimits['caps'] {
    return this.limits.caps;
  }

  /**
   * Counts an action before its intent is written. Throws RATE_LIMITED. Scripts have their own limit. Snapshots count
   * only for participants who may not act now: an actor needs one after each action.
   */
  async action({ id, link }: Counted, tab: string, action: Action, mayAct: boolean): Promise<void> {
    if (kindOf(action).limitedForOnlookers === true && !mayAct) {
      await this.limits.snapshotsPerViewer.demand(id);
      if (link) await this.limits.snapshotsPerLink.demand(link.id);
    }
    if (accessOf(action) === 'write' && !runsScript(action))
      await this.limits.commandsPerLease.demand(JSON.stringify([this.session, tab, id]));
  }

  /** Counts a comment. Throws RATE_LIMITED. */
  async comment({ id, link, credential }: Counted & Pick<Principal, 'credential'>): Promise<void> {
    await this.limits.comments.demand(`${this.session} ${credential.kind === 'key' ? credential.id : id}`);
    if (link) await this.limits.commentsPerLink.demand(link.id);
  }

  /** Counts an answer with comments. Throws RATE_LIMITED. */
  async commentRead({ credential, link }: Counted & Pick<Principal, 'credential'>): Promise<void> {
    await this.limits.commentReads.demand(credential.id);
    if (link) await this.limits.commentReadsPerLink.demand(link.id);
  }

  /** Reserves a place for a script; the returned function frees it. Throws RATE_LIMITED naming the limit. */
  script(tab: string): () => void {
    const ofTab = this.limits.evaluatesPerTab.take(JSON.stringify([this.session, tab]));
    if (!ofTab) throw tooManyScripts('tab', CAPS.evaluatesPerTab);
    const ofSession = this.limits.evaluatesPerSession.take(this.session);
    if (!ofSession) {
      ofTab();
      throw tooManyScripts('session', CAPS.evaluatesPerSession);
    }
    return () => {
      ofTab();
      ofSession();
    };
  }

  /** Counts a popup; returns false when there were too many recently. */
  async popup(): Promise<boolean> {
    return (await this.limits.popups.take(this.session)) === 0;
  }
}

function tooManyScripts(where: 'tab' | 'session', limit: number): WheelhouseError {
  return new WheelhouseError('RATE_LIMITED', `${limit} scripts are running in this ${where} already.`, {
    hint: 'Wait for one of them to end, or give scripts a shorter timeoutMs.',
    details: { limit },
  });
}
