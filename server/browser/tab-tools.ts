import type { CdpSession } from '@/server/cdp/session';
import { Chooser } from './files/chooser';
import type { TabFrames } from './frames/tab-frames';
import { Highlight } from './highlight';
import { AgentScripts } from './agent-scripts';
import { PageBlock } from './page-block';
import type { PageWatch } from './page-watch';
import { watchPasswords } from './password-watch';
import { PrivateFields, type FieldsTab } from './private-fields';
import type { Sentinel } from '@/server/cdp/sentinel';
import type { TabInit } from './tab-init';
import { Tracer } from './trace/tracer';

/** Small things that a tab has beside its page: each for one kind of action. */
export class TabTools {
  readonly chooser: Chooser;
  readonly highlight: Highlight;
  readonly tracer: Tracer;
  /** Whether a page stands here that nobody may reach. */
  readonly block: PageBlock;
  readonly privateFields: PrivateFields;
  /** What agents have run here. */
  readonly leftScripts: AgentScripts;

  constructor(
    commands: CdpSession,
    init: TabInit,
    tab: FieldsTab & { readonly frames: TabFrames; readonly sentinel: Sentinel; readonly page: PageWatch },
  ) {
    const { clock, lanes, targetId } = init;
    this.chooser = new Chooser(commands);
    watchPasswords(tab.page, tab.worlds, clock);
    this.privateFields = new PrivateFields(tab, init);
    tab.frames.onTarget.on(({ sessions }) => this.chooser.follow(sessions.commands));
    this.block = new PageBlock(
      tab.page,
      commands,
      init.ruleOf ?? (() => undefined),
      init.netErrorOf ?? (() => undefined),
    );
    this.highlight = new Highlight(clock);
    this.leftScripts = new AgentScripts({
      lane: lanes.evaluate,
      targetId,
      sentinel: tab.sentinel,
      frames: tab.frames,
      page: tab.page,
      token: init.scriptToken,
    });
    this.tracer = new Tracer(lanes.bulk, targetId);
  }

  dispose(): void {
    this.highlight.dispose();
    this.leftScripts.dispose();
  }
}
