import type { Clock } from '@/lib/budget/clock';
import type { CdpSession } from '@/server/cdp/session';
import { Chooser } from './files/chooser';
import { Highlight } from './highlight';

/** Small things that a tab has beside its page: each for one kind of action. */
export class TabTools {
  readonly chooser: Chooser;
  readonly highlight: Highlight;

  constructor(commands: CdpSession, clock: Clock) {
    this.chooser = new Chooser(commands);
    this.highlight = new Highlight(clock);
  }

  dispose(): void {
    this.highlight.dispose();
  }
}
