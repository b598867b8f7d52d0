import type { CdpSession } from '@/server/cdp/session';
import { Chooser } from './files/chooser';
import type { TabFrames } from './frames/tab-frames';
import { Highlight } from './highlight';
import { PrivateFields, type FieldsTab } from './private-fields';
import type { TabInit } from './tab-init';
import { Tracer } from './trace/tracer';

/** Small things that a tab has beside its page: each for one kind of action. */
export class TabTools {
  readonly chooser: Chooser;
  readonly highlight: Highlight;
  readonly tracer: Tracer;
  readonly privateFields: PrivateFields;

  constructor(commands: CdpSession, init: TabInit, tab: FieldsTab & { readonly frames: TabFrames }) {
    const { clock, lanes, targetId } = init;
    this.chooser = new Chooser(commands);
    this.privateFields = new PrivateFields(tab, init);
    tab.frames.onTarget.on(({ sessions }) => this.chooser.follow(sessions.commands));
    this.highlight = new Highlight(clock);
    this.tracer = new Tracer(lanes.bulk, targetId);
  }

  dispose(): void {
    this.highlight.dispose();
  }
}
