import path from 'node:path';
import type { Action } from '@/lib/actions/kinds';
import type { Reply } from '@/lib/actions/reply';
import type { Budget } from '@/lib/budget/budget';
import { WheelhouseError } from '@/lib/errors/error';
import type { Viewport } from '@/lib/geometry/picture';
import { controlView } from '@/lib/control/view';
import type { ControlView, SessionView } from '@/lib/protocol/views';
import { demand, type May } from '@/server/access/may';
import type { Credential, Principal } from '@/server/access/principal';
import { Emitter } from '@/server/browser/emitter';
import type { KnownSecrets } from '@/server/browser/known-secrets';
import { ActiveTab } from './active-tab';
import { PresenceLog } from './presence-log';
import type { Caller } from './caller';
import { Leases } from './leases';
import { endCredential } from './credential-end';
import type { ActionCall, Funnel } from './funnel';
import { accessOf } from './rights';
import { Handover } from './handover';
import { RunningActions } from './running-actions';
import { InputGate } from './input-gate';
import { Autosave } from './autosave';
import { withInForce } from './left-behind';
import { SessionStatus } from './session-status';
import { PersonWork } from './input-recorder/person-work';
import { ActionPictureStore } from './action-pictures/action-picture-store';
import { ActionPictures } from './action-pictures/action-pictures';
import { actorOf, Participants } from './participants';
import { makeFunnel, type FunnelParts } from './make-funnel';
import { FileTransfers } from './file-transfers';
import { SessionTabs } from './session-tabs';
import { Popups } from './popups';
import { HelpRequests } from './help-requests';
import { Privacy } from './privacy';
import type { Quotas } from './quotas';
import { Rates } from './rates';
import { Recovery } from './recovery';
import { SessionTabFactory } from './session-tab-factory';
import type { SessionInit, SessionServices } from './session-parts';
import { RefusalLimiter } from './refusal-limiter';
import { StuckWatch } from './stuck-watch';
import { TabRegistry } from './tab-registry';
import type { SessionTab } from './session-tab';
import { ReplyAttachments } from './reply-attachments';
import { Timeline } from './timeline';
import { toClock } from './to-clock';
import { sessionView, UNHELD } from './view';

/** The unit that is shared, recorded and ended: a context of a Chrome with the people and agents around it (SE1). */
export class Session {
  readonly id: string;
  readonly workspace: string;
  readonly timeline: Timeline;
  readonly participants: Participants;
  readonly leases: Leases;
  readonly handover: Handover;
  readonly questions: HelpRequests;
  readonly privacy: Privacy;
  readonly registry: TabRegistry;
  readonly tabs: SessionTabs;
  readonly popups: Popups;
  readonly files: FileTransfers;
  readonly input: InputGate;
  readonly autosave: Autosave;
  readonly recovery: Recovery;
  readonly onChange = new Emitter<[]>();
  readonly #runningActions = new RunningActions();
  readonly #actionPictures: ActionPictures;
  readonly #funnel: Funnel;
  readonly #seating: SessionTabFactory;
  readonly #presenceLog: PresenceLog;
  readonly #rates: Rates;
  readonly #stuck: StuckWatch;
  readonly #refusalLimiter: RefusalLimiter;
  readonly #active: ActiveTab;
  readonly #work: PersonWork;
  readonly #attachments: ReplyAttachments;
  #name: string;
  #viewport: Viewport;
  readonly status = new SessionStatus();
  #version = 0;

  constructor(
    readonly init: SessionInit,
    private readonly services: SessionServices & { readonly quotas: Quotas },
  ) {
    const { ledger } = init;
    const { clock, logger } = services;
    this.id = init.id;
    this.workspace = init.workspace;
    this.#name = init.name;
    this.#viewport = init.viewport;
    this.participants = new Participants(clock, init.active?.by);
    this.timeline = new Timeline(ledger, init.lastEvent, {
      epochOf: (tab) => this.leases.lease(tab)?.epoch,
      hides: (row) => this.privacy.hidesRow(row),
    });
    this.leases = new Leases(
      clock,
      (tab, lease) => ledger.saveLease(tab, lease),
      (tab, participant) => this.#runningActions.busy(tab, participant),
    );
    this.#actionPictures = new ActionPictures({
      store: new ActionPictureStore(services.picturesRoot, ledger, services.pictureBytes),
      timeline: this.timeline,
      clock,
      logger,
      sessionTab: (tab) => this.registry.get(tab),
      visibilityEpoch: (tab) => this.privacy.visibilityEpoch(tab),
    });
    const changed = (): void => this.changed();
    this.privacy = this.#makePrivacy();
    this.#seating = new SessionTabFactory({
      init,
      services,
      leases: this.leases,
      timeline: this.timeline,
      viewport: () => this.#viewport,
      privacy: this.privacy,
      changed,
    });
    this.registry = new TabRegistry((info, known, opener) => this.#seating.make(info, known, opener), init.knownTabs);
    this.files = new FileTransfers({
      root: path.join(services.filesRoot, init.id),
      contextRef: init.contextRef,
      registry: this.registry,
      timeline: this.timeline,
      leases: this.leases,
      clock,
      secrets: this.secrets,
    });
    const shared = {
      leases: this.leases,
      runningActions: this.#runningActions,
      timeline: this.timeline,
      clock,
      logger,
      secrets: this.secrets,
    };
    const seated = { sessionTab: (tab: string) => this.registry.get(tab), sessionTabs: () => this.registry.all() };
    this.#work = new PersonWork({
      ...shared,
      ...seated,
      downloads: this.files.downloads,
      hides: (tab) => this.privacy.isHeldPrivately(tab),
      visibilityEpoch: (tab) => this.privacy.visibilityEpoch(tab),
      placeOf: (tab) => this.privacy.placeFor(tab, undefined),
    });
    this.handover = new Handover({
      ...shared,
      agentIdleMs: services.agentIdleMs,
      untold: { known: init.knownReceipts, ledger, clock, logger },
      ...seated,
      receipt: (...how) => this.#work.receipt(...how),
      openAnew: (tab) => this.privacy.openAnew(tab),
      changed,
    });
    this.questions = new HelpRequests({
      clock,
      logger,
      timeline: this.timeline,
      known: init.knownQuestions,
      save: (record) => ledger.saveQuestion(record),
      forget: (id) => ledger.forgetQuestion(id),
      changed,
    });
    this.#attachments = new ReplyAttachments(this.handover.receipts, this.questions);
    this.#rates = new Rates(init.id, services.limits);
    this.#refusalLimiter = new RefusalLimiter({
      limits: services.limits,
      participants: this.participants,
      timeline: this.timeline,
      metrics: services.metrics,
      logger,
      changed,
    });
    this.popups = new Popups({
      registry: this.registry,
      contextRef: init.contextRef,
      rates: this.#rates,
      quotas: services.quotas,
      timeline: this.timeline,
      clock,
    });
    this.#presenceLog = new PresenceLog({
      participants: this.participants,
      timeline: this.timeline,
      back: (participant) => this.handover.back(participant),
      changed,
    });
    this.#active = new ActiveTab({
      registry: this.registry,
      status: this.status,
      participants: this.participants,
      clock,
      before: init.active,
      known: new Set(init.knownTabs.map(({ id }) => id)),
      save: (active) => ledger.changeSession({ active }),
      changed,
    });
    this.tabs = new SessionTabs({
      registry: this.registry,
      contextRef: init.contextRef,
      ledger,
      most: services.limits.caps.tabs,
      quotas: services.quotas,
      activate: (tab) => this.#active.activate(tab),
      active: () => this.#active.id,
      placeFor: (tab, by) => this.privacy.placeFor(tab, by),
      changed,
    });
    this.input = new InputGate({
      ...shared,
      log: this.#work.log,
      privacy: this.privacy,
      activate: (tab) => this.#active.activate(tab),
      used: ({ principal }) => this.#used(principal),
      refused: (caller) => this.#refusalLimiter.told(caller, 'CONTROL_LOST'),
    });
    this.#funnel = this.#makeFunnel(shared);
    this.autosave = new Autosave({
      session: init.id,
      contextRef: init.contextRef,
      registry: this.registry,
      files: services.saved,
      clock,
      logger,
      before: init.kept,
      live: () => this.state === 'live' && !this.privacy.any,
    });
    this.recovery = new Recovery({
      ...shared,
      init,
      status: this.status,
      autosave: this.autosave,
      registry: this.registry,
      tabs: this.tabs,
      files: this.files,
      handover: this.handover,
      active: this.#active,
      changed,
    });
    this.#stuck = new StuckWatch({
      ...shared,
      on: init.policy.noticeStuck !== false,
      changed,
      sessionTab: (tab) => this.registry.get(tab),
    });
    this.#listen();
  }

  get store(): ActionPictureStore {
    return this.#actionPictures.store;
  }

  get name(): string {
    return this.#name;
  }

  /** What must not leave it in clear (T14). */
  get secrets(): KnownSecrets {
    return this.init.ledger.secrets;
  }

  get state(): SessionView['state'] {
    return this.status.state;
  }

  /**
   * One action through the funnel (architecture.md way 4). Never throws; the reply says how it went. `gone` is aborted
   * when nobody hears it any more (BU2, F7).
   */
  async perform(caller: Caller, tab: string, action: Action, budget: Budget, gone?: AbortSignal): Promise<Reply> {
    const down = this.status.error();
    if (down) budget.abort(down);
    this.#presenceLog.admit(caller);
    this.#used(caller.principal);
    this.#attachments.sends(caller.principal.id, action.id);
    const reply = await this.#funnel.perform(caller, tab, action, budget, gone);
    await this.#refusalLimiter.told(caller, reply.error?.details?.['private'] === true ? undefined : reply.error?.code);
    return this.secrets.shown(
      gone?.aborted === true ? reply : this.#attachments.ride(caller.principal.id, action.id, reply),
    );
  }

  /** Throws UNAUTHENTICATED, NOT_FOUND or FORBIDDEN. Asked at execution, whatever the door asked before (AU3). */
  require(principal: Principal, grant: Parameters<May>[1]): void {
    demand(this.services.may(principal, grant, { kind: 'session', id: this.id, workspace: this.workspace }));
  }

  /**
   * `active` is what this participant last used, else what was last acted on (SE2). Throws TAB_NOT_FOUND,
   * TAB_AMBIGUOUS.
   */
  findTab(caller: Caller, name: string): SessionTab {
    return this.#active.find(caller, name);
  }

  activeSeat(preferred?: string): SessionTab {
    return this.#active.sessionTab(preferred);
  }

  get activeTab(): string | undefined {
    return this.#active.id;
  }

  /** A connection of a person or agent; the returned function ends it and says how many this participant has left. */
  join(caller: Caller): () => number {
    return this.#presenceLog.join(caller);
  }

  admit(caller: Caller): void {
    this.#presenceLog.admit(caller);
  }

  control(tab: string): ControlView {
    return withInForce(
      controlView(this.leases.lease(tab) ?? UNHELD, toClock, performance.now(), this.questions.open(tab)),
      this.registry.get(tab)?.tab,
    );
  }

  rename(caller: Caller, name: string): void {
    this.#name = name;
    this.init.ledger.changeSession({ name });
    this.timeline.tell({
      kind: 'session',
      said: { code: 'sessionRenamed', name },
      actor: actorOf(caller.principal),
      door: caller.door,
    });
    this.changed();
  }

  async resize(viewport: Viewport): Promise<void> {
    this.#viewport = viewport;
    this.init.ledger.changeSession({ viewport });
    this.changed();
    await Promise.all(this.registry.all().map(({ tab }) => tab.resize(viewport)));
  }

  end(by?: Caller): void {
    this.status.end(by ? { code: 'sessionEndedBy', name: by.principal.name } : { code: 'sessionOver' });
    this.#runningActions.abortAll(new WheelhouseError('NOT_FOUND', { code: 'sessionOver' }));
    this.#work.log.close();
    this.timeline.tell({
      kind: 'session',
      said: { code: 'sessionEnded' },
      ...(by && { actor: actorOf(by.principal), door: by.door }),
    });
    this.init.ledger.changeSession({ state: 'ended', endedAt: new Date().toISOString() });
    this.changed();
    this.leases.dispose(new WheelhouseError('NOT_FOUND', { code: 'sessionOver' }));
    this.questions.end();
    this.handover.receipts.end();
    this.dispose();
  }

  /** Ends the actions under way, so that their outcomes are written before the store closes. */
  async quiet(reason: string): Promise<void> {
    this.#runningActions.abortAll(new WheelhouseError('ABORTED', reason));
    this.#work.log.close();
    await Promise.all([this.#funnel.idle(), this.autosave.save()]);
  }

  /** A key or sign-in ended: whoever came by it lets go of the wheel (R3). */
  credentialEnded(credential: Credential): void {
    const { participants, leases, handover, questions } = this;
    endCredential(credential, {
      funnel: this.#funnel,
      participants,
      leases,
      handover,
      questions,
      seating: this.#seating,
    });
  }

  /** Lets go of everything without ending the session: the server stops, Chrome lives on (OP3). */
  dispose(): void {
    for (const part of [
      this.#active,
      this.#work.log,
      this.#actionPictures,
      this.handover,
      this.autosave,
      this.#stuck,
      this.#seating,
      this.leases,
      this.questions,
      this.privacy,
      this.files.downloads,
    ])
      part.dispose();
    for (const sessionTab of this.registry.all()) sessionTab.dispose();
    this.onChange.clear();
  }

  changed(): void {
    this.#version += 1;
    this.onChange.emit();
  }

  /** As this participant may see it: what somebody else holds privately has no title and address (CO8). */
  view(by?: string): SessionView {
    return sessionView(
      this,
      this.secrets,
      {
        name: this.#name,
        viewport: this.#viewport,
        version: this.#version,
        ...this.status.view(),
        blocked: this.#seating.blocked.view,
      },
      by,
    );
  }

  /** Target.targetDestroyed. */
  targetGone(targetId: string): void {
    if (this.init.contextRef.browser.gone) return;
    this.recovery.tabCloses(targetId);
    const sessionTab = this.registry.remove(targetId);
    if (!sessionTab) return;
    const { id } = sessionTab.tab,
      { title, url } = this.privacy.placeFor(id, undefined) ?? sessionTab.tab;
    this.#seating.left(sessionTab);
    this.questions.tabClosed(id);
    this.init.ledger.changeTab(id, { closedAt: new Date().toISOString() });
    this.#active.gone(id);
    this.timeline.tell({ kind: 'tab', said: { code: 'tabClosedNamed', title: title || url || id }, tab: id });
    this.changed();
  }

  #listen(): void {
    this.timeline.onEvent.on(() => this.changed());
    this.registry.onAdded.on((sessionTab) => this.#seated(sessionTab));
    this.registry.onReplaced.on((sessionTab) => this.#seating.replaced(sessionTab));
    this.registry.onLost.on((sessionTab) => this.#seating.left(sessionTab));
    this.leases.onEffect.on(({ type, tab }) => {
      const sessionTab = type === 'changed' ? this.registry.get(tab) : undefined;
      if (sessionTab) this.#seating.driverChanged(sessionTab);
    });
  }

  #makePrivacy(): Privacy {
    return new Privacy({
      ...this.services,
      leases: this.leases,
      runningActions: this.#runningActions,
      sessionTab: (tab) => this.registry.get(tab),
      changed: () => this.changed(),
      endTraces: (budget) => this.files.traces.endAll(budget),
      reopen: (...how) => this.tabs.reopen(...how),
      clearClipboard: () => this.#seating.clearClipboard(),
    });
  }

  #makeFunnel(shared: Pick<FunnelParts, 'leases' | 'runningActions' | 'timeline' | 'secrets'>): Funnel {
    const {
      handover,
      privacy,
      services,
      participants,
      tabs,
      registry,
      files,
      init: { contextRef, policy },
    } = this;
    return makeFunnel({
      ...{
        ...shared,
        session: this.id,
        handover,
        privacy,
        services,
        participants,
        tabs,
        registry,
        files,
        contextRef,
        policy,
        rates: this.#rates,
        refusalLimiter: this.#refusalLimiter,
      },
      findTab: (caller, name) => this.findTab(caller, name),
      require: (principal, grant) => this.require(principal, grant),
      resize: (viewport) => this.resize(viewport),
      done: (...how) => this.#done(...how),
    });
  }

  /** An agent is not idle while it acts or drives by raw input (CO10). */
  #used(principal: Principal): void {
    if (principal.kind === 'agent') this.handover.active(principal.id);
  }

  #done(call: ActionCall, reply: Reply, silent: boolean): void {
    const { sessionTab, action, caller } = call;
    if (!silent) this.#work.acted(call, reply);
    this.#stuck.did(call, reply);
    this.services.metrics.action(
      { kind: action.kind, door: caller.door, outcome: reply.error?.code ?? 'ok' },
      reply.ms,
    );
    if (accessOf(action) === 'write' && reply.ok && this.registry.get(sessionTab.tab.id))
      this.#active.activate(reply.newTabs?.at(-1) ?? sessionTab.tab.id);
  }

  #seated(sessionTab: SessionTab): void {
    this.#seating.seated(sessionTab);
    this.#seating.driverChanged(sessionTab);
    this.#active.seated(sessionTab);
    this.changed();
  }
}
