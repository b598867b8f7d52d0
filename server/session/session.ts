import path from 'node:path';
import { accessOf, type Action } from '@/lib/actions/kinds';
import type { Reply } from '@/lib/actions/reply';
import type { Budget } from '@/lib/budget/budget';
import { WheelhouseError } from '@/lib/errors/error';
import { controlView } from '@/lib/control/view';
import type { ControlView, SessionView } from '@/lib/protocol/views';
import { isAgentOf, type Credential } from '@/server/access/principal';
import type { Caller } from './caller';
import type { Feature, Hooks } from './feature';
import type { ActionCall, Funnel } from './funnel';
import { Handover } from './handover';
import { InputGate } from './input-gate';
import { Autosave } from './autosave';
import { SessionKernel } from './kernel';
import { PersonWork } from './input-recorder/person-work';
import { actorOf } from './participants';
import { makeFunnel } from './make-funnel';
import { FileTransfers } from './file-transfers';
import { HelpRequests } from './help-requests';
import { Privacy } from './privacy';
import type { Quotas } from './quotas';
import { Recovery } from './recovery';
import type { SessionInit, SessionServices } from './session-parts';
import type { SessionTab } from './session-tab';
import { ReplyAttachments } from './reply-attachments';
import { toClock } from './to-clock';
import { sessionView, UNHELD } from './view';

/**
 * The unit that is shared, recorded and ended: a context of a Chrome with the people and agents around it (SE1), and
 * what its features do beside.
 */
export class Session extends SessionKernel {
  readonly handover: Handover;
  readonly questions: HelpRequests;
  readonly privacy: Privacy;
  readonly files: FileTransfers;
  readonly input: InputGate;
  readonly autosave: Autosave;
  readonly recovery: Recovery;
  readonly #features: readonly Hooks[];
  readonly #funnel: Funnel;
  readonly #work: PersonWork;
  readonly #attachments: ReplyAttachments;

  constructor(
    init: SessionInit,
    services: SessionServices & { readonly quotas: Quotas },
    features: readonly Feature[],
  ) {
    super(init, services);
    const { clock, logger } = services;
    const { ledger, contextRef } = init;
    const { registry, leases, timeline, secrets, runningActions, status, tabs, active } = this;
    const changed = (): void => this.changed();
    this.privacy = this.#makePrivacy();
    this.visibility = this.privacy;
    const shared = { leases, runningActions: runningActions, timeline, clock, logger, secrets };
    const root = path.join(services.filesRoot, init.id);
    this.files = new FileTransfers({ root, contextRef, registry, timeline, leases, clock, secrets });
    const seated = { sessionTab: (tab: string) => registry.get(tab), sessionTabs: () => registry.all() };
    this.#work = new PersonWork({
      ...shared,
      ...seated,
      downloads: this.files.downloads,
      hides: (tab) => this.privacy.isHeldPrivately(tab),
      visibilityEpoch: (tab) => this.privacy.visibilityEpoch(tab),
      placeOf: (tab) => this.privacy.placeFor(tab, undefined),
    });
    this.handover = this.#makeHandover();
    this.questions = new HelpRequests({
      clock,
      logger,
      timeline,
      known: init.knownQuestions,
      save: (record) => ledger.saveQuestion(record),
      forget: (id) => ledger.forgetQuestion(id),
      changed,
    });
    this.#attachments = new ReplyAttachments(this.handover.receipts, this.questions);
    this.input = this.#makeInput();
    this.#funnel = this.#makeFunnel();
    this.autosave = new Autosave({
      session: init.id,
      contextRef,
      registry,
      files: services.saved,
      clock,
      logger,
      before: init.kept,
      live: () => this.state === 'live' && !this.privacy.any,
    });
    const { autosave, files, handover } = this;
    this.recovery = new Recovery({
      ...shared,
      init,
      status,
      autosave,
      registry,
      tabs,
      files,
      handover,
      active,
      changed,
    });
    this.#features = features.map((feature) => feature.start(this));
    this.#listen();
  }

  /**
   * One action through the funnel (architecture.md way 4). Never throws; the reply says how it went. `gone` is aborted
   * when nobody hears it any more (BU2, F7).
   */
  async perform(caller: Caller, tab: string, action: Action, budget: Budget, gone?: AbortSignal): Promise<Reply> {
    const down = this.status.error();
    if (down) budget.abort(down);
    this.admit(caller);
    this.onUse.emit(caller);
    this.#attachments.sends(caller.principal.id, action.id);
    const reply = await this.#funnel.perform(caller, tab, action, budget, gone);
    await this.#answered(caller, reply.error?.details?.['private'] === true ? undefined : reply.error?.code);
    return this.secrets.shown(
      gone?.aborted === true ? reply : this.#attachments.ride(caller.principal.id, action.id, reply),
    );
  }

  /**
   * `active` is what this participant last used, else what was last acted on (SE2). Throws TAB_NOT_FOUND,
   * TAB_AMBIGUOUS.
   */
  findTab(caller: Caller, name: string): SessionTab {
    return this.active.find(caller, name);
  }

  activeSeat(preferred?: string): SessionTab {
    return this.active.sessionTab(preferred);
  }

  get activeTab(): string | undefined {
    return this.active.id;
  }

  control(tab: string): ControlView {
    const sessionTab = this.registry.get(tab);
    const lease = this.leases.lease(tab) ?? UNHELD;
    const view = controlView(lease, toClock, performance.now(), this.questions.open(tab));
    return this.#features.reduce((so, one) => one.control?.(so, sessionTab) ?? so, view);
  }

  rename(caller: Caller, name: string): void {
    this.name = name;
    this.timeline.tell({
      kind: 'session',
      said: { code: 'sessionRenamed', name },
      actor: actorOf(caller.principal),
      door: caller.door,
    });
  }

  /** As this participant may see it: what somebody else holds privately has no title and address (CO8). */
  view(by?: string): SessionView {
    return sessionView(this, this.#features, by);
  }

  end(by?: Caller): void {
    const over = new WheelhouseError('NOT_FOUND', { code: 'sessionOver' });
    this.status.end(by ? { code: 'sessionEndedBy', name: by.principal.name } : { code: 'sessionOver' });
    this.runningActions.abortAll(over);
    this.#work.log.close();
    this.timeline.tell({
      kind: 'session',
      said: { code: 'sessionEnded' },
      ...(by && { actor: actorOf(by.principal), door: by.door }),
    });
    this.init.ledger.changeSession({ state: 'ended', endedAt: new Date().toISOString() });
    this.changed();
    this.leases.dispose(over);
    this.questions.end();
    this.handover.receipts.end();
    for (const one of this.#features) one.ended?.();
    this.dispose();
  }

  /** It has ended: nothing that it kept on disk stays. */
  async erase(): Promise<void> {
    const features = this.#features.map((one) => one.erase?.());
    await Promise.all([...features, this.files.sessionFiles.erase(), this.autosave.erase()]);
  }

  /** Ends the actions under way, so that their outcomes are written before the store closes. */
  async quiet(reason: string): Promise<void> {
    this.runningActions.abortAll(new WheelhouseError('ABORTED', reason));
    this.#work.log.close();
    const features = this.#features.map((one) => one.stopping?.());
    await Promise.all([this.#funnel.idle(), this.autosave.save(), ...features]);
  }

  /**
   * A key or sign-in ended (R3, AU3): what came by it ends, and whoever is here by nothing else lets go of the wheel,
   * gets none back, and waits for nothing any more. Agents are known by their ids, too: after a restart of the server
   * nobody has seen them yet.
   */
  credentialEnded(credential: Credential): void {
    const { participants, leases, handover, questions } = this;
    this.#funnel.credentialEnded(credential);
    const named = [...leases.named(), ...questions.askers(), ...handover.receipts.waiting];
    const gone = new Set([...participants.ended(credential), ...named.filter((id) => isAgentOf(credential, id))]);
    for (const participant of gone) for (const end of [handover, questions]) end.left(participant, 'signed out');
    for (const one of this.#features) one.credentialEnded?.(credential, [...gone]);
  }

  /** Lets go of everything without ending the session: the server stops, Chrome lives on (OP3). */
  override dispose(): void {
    for (const one of this.#features.toReversed()) one.dispose?.();
    const { handover, autosave, questions, privacy, files } = this;
    for (const part of [this.#work.log, handover, autosave, questions, privacy, files.downloads]) part.dispose();
    super.dispose();
  }

  #listen(): void {
    this.onUse.on(({ principal }) => {
      // An agent is not idle while it acts or drives by raw input (CO10).
      if (principal.kind === 'agent') this.handover.active(principal.id);
    });
    this.onConnect.on(({ principal }) => this.handover.back(principal.id));
    this.onTabCloses.on((sessionTab) => this.recovery.tabCloses(sessionTab));
    this.onTabClosed.on(({ tab }) => this.questions.tabClosed(tab.id));
    this.registry.onAdded.on((sessionTab) => {
      this.privacy.seated(sessionTab);
      sessionTab.tab.page.onDocument.on(({ url }, main) => {
        if (!main) return;
        this.timeline.tell({ kind: 'navigation', said: { code: 'pageNow', url }, tab: sessionTab.tab.id });
        this.privacy.moved(sessionTab, 'page');
      });
    });
  }

  #makePrivacy(): Privacy {
    return new Privacy({
      ...this.services,
      leases: this.leases,
      runningActions: this.runningActions,
      sessionTab: (tab) => this.registry.get(tab),
      changed: () => this.changed(),
      endTraces: (budget) => this.files.traces.endAll(budget),
      reopen: (...how) => this.tabs.reopen(...how),
      clearClipboard: () => this.tabFactory.clearClipboard(),
    });
  }

  #makeHandover(): Handover {
    const { services, leases, runningActions, timeline, init, registry } = this;
    const { clock, logger } = services;
    return new Handover({
      ...{ session: this.id, leases, runningActions, timeline, clock, logger },
      agentIdleMs: services.agentIdleMs,
      untold: { known: init.knownReceipts, ledger: init.ledger, clock, logger },
      sessionTab: (tab) => registry.get(tab),
      sessionTabs: () => registry.all(),
      receipt: (...how) => this.#work.receipt(...how),
      openAnew: (tab) => this.privacy.openAnew(tab),
      changed: () => this.changed(),
    });
  }

  #makeInput(): InputGate {
    const { leases, runningActions, privacy, services } = this;
    return new InputGate({
      ...{ leases, runningActions, privacy, clock: services.clock, log: this.#work.log },
      activate: (tab) => this.active.activate(tab),
      used: (caller) => this.onUse.emit(caller),
      refused: (caller) => this.#answered(caller, 'CONTROL_LOST'),
    });
  }

  #makeFunnel(): Funnel {
    const {
      leases,
      runningActions,
      timeline,
      secrets,
      handover,
      privacy,
      services,
      participants,
      tabs,
      registry,
      files,
    } = this;
    const { contextRef, policy } = this.init;
    return makeFunnel({
      ...{ leases, runningActions, timeline, secrets, session: this.id, handover, privacy, services, participants },
      ...{ tabs, registry, files, contextRef, policy, rates: this.rates },
      findTab: (caller, name) => this.findTab(caller, name),
      require: (principal, grant) => this.require(principal, grant),
      resize: (viewport) => this.resize(viewport),
      beforeAction: async (caller, action, tab) => {
        for (const one of this.#features) await one.beforeAction?.(caller, action, tab);
      },
      done: (...how) => this.#done(...how),
    });
  }

  async #answered(caller: Caller, code: string | undefined): Promise<void> {
    for (const one of this.#features) await one.answered?.(caller, code);
  }

  #done(call: ActionCall, reply: Reply, silent: boolean): void {
    const { sessionTab, action, caller } = call;
    if (!silent) this.#work.acted(call, reply);
    for (const one of this.#features) one.afterAction?.(call, reply, silent);
    this.services.metrics.action(
      { kind: action.kind, door: caller.door, outcome: reply.error?.code ?? 'ok' },
      reply.ms,
    );
    if (accessOf(action) === 'write' && reply.ok && this.registry.get(sessionTab.tab.id))
      this.active.activate(reply.newTabs?.at(-1) ?? sessionTab.tab.id);
  }
}
