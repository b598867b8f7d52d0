import type { CdpSession } from '@/server/cdp/session';
import { Chooser } from './files/chooser';
import type { TabFrames } from './frames/tab-frames';
import { AgentScripts } from './agent-scripts';
import { PageBlock } from './page-block';
import type { PageWatch } from './page-watch';
import { PrivateFields, type FieldsTab } from './private-fields';
import type { Sentinel } from '@/server/cdp/sentinel';
import type { TabInit } from './tab-init';
import { Tracer } from './trace/tracer';
import { Timer } from '@/lib/async/timers';
import type { Clock } from '@/lib/budget/clock';
import type { Write } from './write';
import { withBudget } from '@/lib/budget/budget';
import type { IsolatedWorlds } from './target/isolated-worlds';

/** The longest wait for an isolated world; a page that is later gets one at the next action. Milliseconds. */
const OPEN_MS = 3_000;

/** How long the highlight stays, milliseconds. */
const SHOWN_MS = 2_000;

const FRAME = {
  contentColor: { r: 37, g: 99, b: 235, a: 0.18 },
  borderColor: { r: 37, g: 99, b: 235, a: 0.9 },
  showInfo: false,
} as const;

/** Highlights one element. Chrome draws the overlay; the page does not change. Source: Overlay.highlightNode. */
class Highlight {
  readonly #timer: Timer;
  #shown: CdpSession | undefined;

  constructor(clock: Clock) {
    this.#timer = new Timer(clock);
  }

  /** Shows the highlight for SHOWN_MS or until the next one. `write` writes on `session`, which owns the object id. */
  async show(write: Write, session: CdpSession, objectId: string): Promise<void> {
    await write('DOM.enable', {});
    await write('Overlay.enable');
    await write('Overlay.highlightNode', { objectId, highlightConfig: FRAME });
    if (this.#shown !== session) void this.#shown?.sendMayFail('Overlay.disable');
    this.#shown = session;
    this.#timer.start(SHOWN_MS, () => void session.sendMayFail('Overlay.disable'));
  }

  dispose(): void {
    this.#timer.stop();
  }
}

/** The tab's tools, each for one kind of action. */
export class TabTools {
  readonly chooser: Chooser;
  readonly highlight: Highlight;
  readonly tracer: Tracer;
  /** Tells whether the tab shows our explanation of a blocked page. */
  readonly block: PageBlock;
  readonly privateFields: PrivateFields;
  /** The scripts that agents ran here. */
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

/**
 * Opens an isolated world in each main document as soon as it loads, so that it notices a password field that becomes a
 * text field (SN6). Nothing waits for it.
 */
function watchPasswords(page: PageWatch, worlds: IsolatedWorlds, clock: Clock): void {
  page.onLifecycle.on((loaderId, name) => {
    if (name !== 'DOMContentLoaded' || loaderId !== page.document.loaderId) return;
    // Skips a page that hangs or navigates.
    withBudget({ timeoutMs: OPEN_MS, clock }, (budget) => worlds.of(budget, page.document.frameId)).catch(
      () => undefined,
    );
  });
}
