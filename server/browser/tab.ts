import { LATE, within } from '@/lib/async/within';
import { WheelhouseError } from '@/lib/errors/error';
import type { Budget } from '@/lib/budget/budget';
import type { Viewport } from '@/lib/geometry/picture';
import { cleanText } from '@/lib/text/clean';
import { Evaluator, type EvaluatorEvents } from '@/server/cdp/evaluate/evaluator';
import type { Lanes } from '@/server/cdp/lanes';
import { Sentinel } from '@/server/cdp/sentinel';
import type { CdpSession } from '@/server/cdp/session';
import { Activity } from './activity';
import { Breakpoint } from './breakpoint';
import { dialogError, Dialogs, dialogMessage } from './dialogs';
import { Emitter } from './emitter';
import { TabFrames } from './frames/tab-frames';
import { Health } from './health';
import { TabInput } from './input/tab-input';
import { RendererGroups } from './renderer-group';
import { PageWatch } from './page-watch';
import { HangMonitor } from './hang-monitor';
import { RefTable } from './refs';
import { TabSnapshots } from './snapshot/tab-snapshots';
import { emulatorOf } from './state/emulator-of';
import type { TabEmulator } from './state/emulator';
import type { TabInit } from './tab-init';
import { attachSessions, type PageSessions } from './tab-sessions';
import { TabTools } from './tab-tools';
import { IsolatedWorlds } from './target/isolated-worlds';
import { TabWatch } from './watch/tab-watch';

/** The longest wait for a new tab's answer before it shows as hung. Milliseconds. */
const START_PATIENCE_MS = 3_000;
const MAX_TITLE = 256;
const MAX_URL = 2_048;

/** One page target with its sessions on every lane and all state about it (SE2-SE5). */
export class Tab {
  readonly id: string;
  readonly targetId: string;
  readonly contextId: string | undefined;
  readonly opener: string | undefined;
  readonly page: PageWatch;
  readonly dialogs: Dialogs;
  readonly evaluator: Evaluator;
  readonly sentinel: Sentinel;
  readonly refs: RefTable;
  readonly snapshots: TabSnapshots;
  readonly input: TabInput;
  /** Isolated worlds, which the page cannot see. */
  readonly worlds: IsolatedWorlds;
  readonly activity: Activity;
  readonly emulation: TabEmulator;
  /** The buffers of console, errors and requests. */
  readonly watch: TabWatch;
  /** The frames of the page in all processes. */
  readonly frames: TabFrames;
  readonly hangMonitor: HangMonitor;
  readonly tools: TabTools;
  /** Fires when the title, address or health changes. */
  readonly onChange = new Emitter<[]>();
  readonly #health = new Health();
  readonly #lanes: Lanes;
  #title: string;
  #history = { back: false, forward: false };
  #ready: Promise<void> = Promise.resolve();
  label: string | undefined;

  private constructor(
    private readonly init: TabInit,
    readonly sessions: PageSessions,
    /** Chrome refused the lane for scripts, so scripts share another one. */
    readonly scriptsShareLane: boolean,
  ) {
    this.id = init.id;
    this.targetId = init.targetId;
    this.contextId = init.contextId;
    this.opener = init.opener;
    this.#lanes = init.lanes;
    this.#title = init.title;
    this.page = new PageWatch(init.targetId, init.url);
    this.dialogs = new Dialogs(sessions.commands, init.clock, init.personDrives);
    this.sentinel = new Sentinel(sessions.sentinel, init.clock);
    this.evaluator = new Evaluator(sessions.evaluate, this.sentinel, this.#evaluatorEvents());
    this.refs = new RefTable({ firstNumber: init.lastRefNumber + 1 });
    this.frames = new TabFrames({
      ...init,
      sessions,
      events: { scripts: this.#evaluatorEvents() },
    });
    this.worlds = new IsolatedWorlds(this.frames);
    this.snapshots = new TabSnapshots({
      ...init,
      session: sessions.bulk,
      refs: this.refs,
      frames: this.frames,
      inside: { frames: this.frames, worlds: this.worlds },
      currentDocument: () => this.page.document,
      title: () => this.title,
    });
    this.activity = new Activity(sessions.commands, sessions.events, init.targetId, init.clock);
    this.watch = new TabWatch(init.clock, init.ruleOf, init.secrets);
    this.emulation = emulatorOf(init, sessions, this.page, this.frames.childTargets);
    this.input = this.#makeInput();
    this.tools = new TabTools(sessions.commands, init, this);
    this.hangMonitor = this.#makeHangMonitor();
    this.#listen();
  }

  #makeInput(): TabInput {
    return new TabInput({
      dialogs: this.dialogs,
      intercepted: (handler) => this.sessions.commands.on('Input.dragIntercepted', ({ data }) => handler(data)),
      worlds: this.worlds,
      frameId: () => this.page.document.frameId,
      mac: this.init.mac ?? process.platform === 'darwin',
    });
  }

  /** Attaches on every lane; a wedged tab answers at once too (BR4). `start` enables the domains. */
  static async attach(init: TabInit): Promise<Tab> {
    const { sessions, lanes } = await attachSessions(init.lanes, init.targetId);
    return new Tab({ ...init, lanes }, sessions, lanes.evaluate !== init.lanes.evaluate);
  }

  /** Settles when the page is prepared or known not to answer. Never rejects. */
  get ready(): Promise<void> {
    return this.#ready;
  }

  /** Prepares the page. A tab that does not answer shows as hung until it does. Never rejects. */
  start(): Promise<void> {
    this.#ready = this.#prepare();
    return this.#ready;
  }

  async #prepare(): Promise<void> {
    const { commands, bulk, evaluate, sentinel, events } = this.sessions;
    this.watch.start(events, this.frames, commands);
    const work = Promise.all([
      sentinel.send('Runtime.evaluate', { expression: '0' }),
      evaluate.send('Runtime.evaluate', { expression: '0' }),
      this.page.start(commands).then(() => this.tools.chooser.start()),
      this.frames.start(),
      bulk.send('DOM.enable'),
      this.activity.start(),
      commands.send('Emulation.setFocusEmulationEnabled', { enabled: true }),
      this.resize(this.init.viewport),
      this.emulation.start(),
    ]).then(
      () => this.#setHealth({ hung: undefined }),
      () => undefined,
    );
    if ((await within(this.init.clock, START_PATIENCE_MS, work)) === LATE)
      this.hangMonitor.stuck({ code: 'foundSilent' });
  }

  get url(): string {
    return cleanText(this.page.url, MAX_URL);
  }

  get title(): string {
    return cleanText(this.#title, MAX_TITLE);
  }

  get health(): Health['view'] {
    return this.#health.view;
  }

  get history(): { back: boolean; forward: boolean } {
    return this.#history;
  }

  /** Attaches a session on the pictures lane for one capture. */
  attachPictures(): Promise<CdpSession> {
    return this.#lanes.pictures.attach(this.targetId);
  }

  detachPictures(session: CdpSession): Promise<void> {
    return this.#lanes.pictures.detach(session);
  }

  /**
   * Sets the viewport in CSS pixels (SE4). Callers do not await it: a blocked page applies it later. Source:
   * Emulation.setDeviceMetricsOverride.
   */
  async resize(viewport: Viewport): Promise<void> {
    const taken = this.emulation.resize(viewport);
    if (this.#health.state === 'ready' || this.#health.state === 'loading') await taken;
  }

  /**
   * Settles when the tab can execute an action. Asks a hung page once more, because its script may just be ending
   * (EV3). Throws TAB_CRASHED, DIALOG_OPEN, TAB_UNRESPONSIVE.
   */
  async usable(budget: Budget): Promise<void> {
    await this.dialogs.answered(budget);
    const paused = this.#health.view.said?.code === 'pagePaused';
    if (this.#health.state === 'hung' && !paused && (await this.sentinel.answersAgain(budget)))
      this.hangMonitor.freed();
    this.checkUsable();
  }

  /** Throws TAB_CRASHED, DIALOG_OPEN or TAB_UNRESPONSIVE when the tab cannot execute an action now. */
  checkUsable(): void {
    const dialog = this.dialogs.blocking() ?? this.hangMonitor.dialogBeside();
    if (dialog) throw dialog;
    const { state, reason, said = reason } = this.#health.view;
    if (state === 'crashed') throw new WheelhouseError('TAB_CRASHED', { code: 'pageCrashed' });
    if (state === 'closed') throw new WheelhouseError('TAB_NOT_FOUND', { code: 'tabClosed' });
    if (state === 'hung') throw new WheelhouseError('TAB_UNRESPONSIVE', said);
  }

  /**
   * Ends scripts that block the page or a frame; true when the page answers again within `withinMs` milliseconds (EV3,
   * EV4).
   */
  unhang(budget: Budget, withinMs: number): Promise<boolean> {
    return this.hangMonitor.unhang(budget, withinMs);
  }

  /**
   * Reads title and address from the target list, because Chrome 156 does not report title changes and the page must
   * not be asked (BR4).
   */
  async readInfo(): Promise<void> {
    const { targetId } = this;
    const answer = await this.#lanes.commands.browser.sendMayFail('Target.getTargetInfo', { targetId });
    if (answer) this.infoChanged(answer.targetInfo.title, answer.targetInfo.url);
  }

  /** Handles Target.targetInfoChanged. */
  infoChanged(title: string, url: string): void {
    this.page.targetUrl(url);
    if (title === this.#title) return;
    this.#title = title;
    this.onChange.emit();
  }

  /** Handles Target.targetCrashed: rejects calls that Chrome will never answer. */
  crashed(): void {
    const error = new WheelhouseError('TAB_CRASHED', { code: 'pageCrashed' });
    for (const session of this.#all()) session.failPending(error);
    this.frames.failPending(error);
    this.#setHealth({ crashed: true });
  }

  closed(): void {
    this.#setHealth({ closed: true });
    this.dispose();
  }

  dispose(): void {
    this.hangMonitor.dispose();
    this.tools.dispose();
    this.snapshots.dispose();
    this.frames.dispose();
    this.emulation.dispose();
    const error = new WheelhouseError('TAB_NOT_FOUND', { code: 'tabClosed' });
    for (const session of this.#all()) session.end(error);
    this.onChange.clear();
  }

  #all(): CdpSession[] {
    const { commands, bulk, evaluate, sentinel, events } = this.sessions;
    return [commands, bulk, evaluate, sentinel, events];
  }

  #makeHangMonitor(): HangMonitor {
    const { frames, sentinel, evaluator, dialogs } = this;
    const { clock, count, renderers = new RendererGroups(clock) } = this.init;
    return new HangMonitor({
      ...{
        frames,
        breakpoint: new Breakpoint(this.sessions.evaluate, clock),
        clock,
        count,
        renderers,
        slowed: () => this.page.slowed,
      },
      self: {
        id: this.id,
        opener: this.opener,
        sentinel,
        name: () => this.title || this.url,
        dialog: () => dialogs.current,
        runs: () => evaluator.running,
        look: () => void this.readInfo(),
      },
      dialogOf: (frameId) => (dialogs.frameId === frameId ? dialogs.current : undefined),
      excused: () => this.#health.excused,
      show: (hung) => this.#setHealth({ hung }),
      arrived: () => this.page.arrived(),
    });
  }

  #listen(): void {
    this.frames.onHealth.on(() => this.#setHealth({ frame: this.frames.hung }));
    this.frames.onGone.on((frameId) => this.refs.documentReplaced(frameId, ''));
    this.frames.onDocument.on(({ frameId, loaderId }) => this.refs.documentReplaced(frameId, loaderId));
    this.page.onDocument.on(({ frameId, loaderId }, main) => {
      this.refs.documentReplaced(frameId, loaderId);
      this.snapshots.forget();
      if (!main) return;
      this.#setHealth({ crashed: false, hung: undefined });
      this.hangMonitor.moved();
      void this.#readHistory();
    });
    this.page.onChange.on(() => {
      this.#setHealth({ loading: this.page.loading, awaiting: this.page.awaited !== undefined });
      this.onChange.emit();
    });
    this.page.onLifecycle.on((_, name) => {
      if (name === 'DOMContentLoaded' || name === 'load') void this.readInfo();
    });
    this.dialogs.onOpen.on((dialog) => this.#setHealth({ dialog: dialogMessage(dialog), hung: undefined }));
    this.tools.chooser.onChange.on(() => this.onChange.emit());
    this.dialogs.onClose.on(() => this.#setHealth({ dialog: undefined }));
  }

  async #readHistory(): Promise<void> {
    const answer = await this.sessions.commands.sendMayFail('Page.getNavigationHistory');
    if (!answer) return;
    this.#history = { back: answer.currentIndex > 0, forward: answer.currentIndex < answer.entries.length - 1 };
    this.onChange.emit();
  }

  #setHealth(facts: Parameters<Health['set']>[0]): void {
    if (this.#health.set(facts)) this.onChange.emit();
  }

  #evaluatorEvents(): EvaluatorEvents {
    return {
      dialog: () => this.dialogs.blocking() ?? this.hangMonitor.dialogBeside(),
      onDialog: (handler) => this.dialogs.onBlock.on((dialog) => handler(dialogError(dialog))),
      hung: (said) => this.page.awaited === undefined && this.hangMonitor.stuck(said, true),
      freed: () => this.hangMonitor.freed(),
      count: this.init.count,
      ended: this.init.ended,
    };
  }
}
