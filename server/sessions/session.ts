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
import { Attendance } from './attendance';
import type { Caller } from './caller';
import { ControlDesk } from './control-desk';
import { endCredential } from './credential-end';
import type { Call, Funnel } from './funnel';
import { accessOf } from './rights';
import { Handover } from './handover';
import { InFlight } from './in-flight';
import { InputGate } from './input-gate';
import { Keeping } from './keeping';
import { withInForce } from './left-behind';
import { Life } from './life';
import { PersonWork } from './folding/person-work';
import { Album } from './moments/album';
import { Moments } from './moments/moments';
import { actorOf, Participants } from './participants';
import { makeFunnel, type FunnelParts } from './make-funnel';
import { SessionFiles } from './session-files';
import { SessionTabs } from './session-tabs';
import { Popups } from './popups';
import { QuestionDesk } from './question-desk';
import { Privacy } from './privacy';
import type { Quotas } from './quotas';
import { Rates } from './rates';
import { Recovery } from './recovery';
import { Seating } from './seating';
import type { SessionInit, SessionServices } from './session-parts';
import { Stubborn } from './stubborn';
import { StuckWatch } from './stuck-watch';
import { TabBook } from './tab-book';
import type { TabSeat } from './tab-seat';
import { Tidings } from './tidings';
import { Timeline } from './timeline';
import { toClock } from './to-clock';
import { sessionView, UNHELD } from './view';

/** The unit that is shared, recorded and ended: a context of a Chrome with the people and agents around it (SE1). */
export class Session {
  readonly id: string;
  readonly workspace: string;
  readonly timeline: Timeline;
  readonly participants: Participants;
  readonly desk: ControlDesk;
  readonly handover: Handover;
  readonly questions: QuestionDesk;
  readonly privacy: Privacy;
  readonly book: TabBook;
  readonly tabs: SessionTabs;
  readonly popups: Popups;
  readonly files: SessionFiles;
  readonly input: InputGate;
  readonly keeping: Keeping;
  readonly recovery: Recovery;
  readonly onChange = new Emitter<[]>();
  readonly #inFlight = new InFlight();
  readonly #moments: Moments;
  readonly #funnel: Funnel;
  readonly #seating: Seating;
  readonly #attendance: Attendance;
  readonly #rates: Rates;
  readonly #stuck: StuckWatch;
  readonly #stubborn: Stubborn;
  readonly #active: ActiveTab;
  readonly #work: PersonWork;
  readonly #tidings: Tidings;
  #name: string;
  #viewport: Viewport;
  readonly life = new Life();
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
      epochOf: (tab) => this.desk.lease(tab)?.epoch,
      hides: (row) => this.privacy.hidesRow(row),
    });
    this.desk = new ControlDesk(
      clock,
      (tab, lease) => ledger.saveLease(tab, lease),
      (tab, participant) => this.#inFlight.busy(tab, participant),
    );
    this.#moments = new Moments({
      album: new Album(services.picturesRoot, ledger, services.pictureBytes),
      timeline: this.timeline,
      clock,
      logger,
      seat: (tab) => this.book.get(tab),
      sightNow: (tab) => this.privacy.sightNow(tab),
    });
    const changed = (): void => this.changed();
    this.privacy = this.#makePrivacy();
    this.#seating = new Seating({
      init,
      services,
      desk: this.desk,
      timeline: this.timeline,
      viewport: () => this.#viewport,
      privacy: this.privacy,
      changed,
    });
    this.book = new TabBook((info, known, opener) => this.#seating.make(info, known, opener), init.knownTabs);
    this.files = new SessionFiles({
      root: path.join(services.filesRoot, init.id),
      home: init.home,
      book: this.book,
      timeline: this.timeline,
      desk: this.desk,
      clock,
      secrets: this.secrets,
    });
    const shared = {
      desk: this.desk,
      inFlight: this.#inFlight,
      timeline: this.timeline,
      clock,
      logger,
      secrets: this.secrets,
    };
    const seated = { seat: (tab: string) => this.book.get(tab), seats: () => this.book.all() };
    this.#work = new PersonWork({
      ...shared,
      ...seated,
      downloads: this.files.downloads,
      hides: (tab) => this.privacy.covers(tab),
      sightNow: (tab) => this.privacy.sightNow(tab),
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
    this.questions = new QuestionDesk({
      clock,
      logger,
      timeline: this.timeline,
      known: init.knownQuestions,
      save: (record) => ledger.saveQuestion(record),
      forget: (id) => ledger.forgetQuestion(id),
      changed,
    });
    this.#tidings = new Tidings(this.handover.receipts, this.questions);
    this.#rates = new Rates(init.id, services.limits);
    this.#stubborn = new Stubborn({
      limits: services.limits,
      participants: this.participants,
      timeline: this.timeline,
      metrics: services.metrics,
      logger,
      changed,
    });
    this.popups = new Popups({
      book: this.book,
      home: init.home,
      rates: this.#rates,
      quotas: services.quotas,
      timeline: this.timeline,
      clock,
    });
    this.#attendance = new Attendance({
      participants: this.participants,
      timeline: this.timeline,
      back: (participant) => this.handover.back(participant),
      changed,
    });
    this.#active = new ActiveTab({
      book: this.book,
      life: this.life,
      participants: this.participants,
      clock,
      before: init.active,
      known: new Set(init.knownTabs.map(({ id }) => id)),
      save: (active) => ledger.changeSession({ active }),
      changed,
    });
    this.tabs = new SessionTabs({
      book: this.book,
      home: init.home,
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
      refused: (caller) => this.#stubborn.told(caller, 'CONTROL_LOST'),
    });
    this.#funnel = this.#makeFunnel(shared);
    this.keeping = new Keeping({
      session: init.id,
      home: init.home,
      book: this.book,
      files: services.saved,
      clock,
      logger,
      before: init.kept,
      live: () => this.state === 'live' && !this.privacy.any,
    });
    this.recovery = new Recovery({
      ...shared,
      init,
      life: this.life,
      keeping: this.keeping,
      book: this.book,
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
      seat: (tab) => this.book.get(tab),
    });
    this.#listen();
  }

  get album(): Album {
    return this.#moments.album;
  }

  get name(): string {
    return this.#name;
  }

  /** What must not leave it in clear (T14). */
  get secrets(): KnownSecrets {
    return this.init.ledger.secrets;
  }

  get state(): SessionView['state'] {
    return this.life.state;
  }

  /**
   * One action through the funnel (architecture.md way 4). Never throws; the reply says how it went. `gone` is aborted
   * when nobody hears it any more (BU2, F7).
   */
  async perform(caller: Caller, tab: string, action: Action, budget: Budget, gone?: AbortSignal): Promise<Reply> {
    const down = this.life.error();
    if (down) budget.abort(down);
    this.#attendance.admit(caller);
    this.#used(caller.principal);
    this.#tidings.sends(caller.principal.id, action.id);
    const reply = await this.#funnel.perform(caller, tab, action, budget, gone);
    await this.#stubborn.told(caller, reply.error?.details?.['private'] === true ? undefined : reply.error?.code);
    return this.secrets.shown(
      gone?.aborted === true ? reply : this.#tidings.ride(caller.principal.id, action.id, reply),
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
  findTab(caller: Caller, name: string): TabSeat {
    return this.#active.find(caller, name);
  }

  activeSeat(preferred?: string): TabSeat {
    return this.#active.seat(preferred);
  }

  get activeTab(): string | undefined {
    return this.#active.id;
  }

  /** A connection of a person or agent; the returned function ends it and says how many this participant has left. */
  join(caller: Caller): () => number {
    return this.#attendance.join(caller);
  }

  admit(caller: Caller): void {
    this.#attendance.admit(caller);
  }

  control(tab: string): ControlView {
    return withInForce(
      controlView(this.desk.lease(tab) ?? UNHELD, toClock, performance.now(), this.questions.open(tab)),
      this.book.get(tab)?.tab,
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
    await Promise.all(this.book.all().map(({ tab }) => tab.resize(viewport)));
  }

  end(by?: Caller): void {
    this.life.end(by ? { code: 'sessionEndedBy', name: by.principal.name } : { code: 'sessionOver' });
    this.#inFlight.abortAll(new WheelhouseError('NOT_FOUND', { code: 'sessionOver' }));
    this.#work.log.close();
    this.timeline.tell({
      kind: 'session',
      said: { code: 'sessionEnded' },
      ...(by && { actor: actorOf(by.principal), door: by.door }),
    });
    this.init.ledger.changeSession({ state: 'ended', endedAt: new Date().toISOString() });
    this.changed();
    this.desk.dispose(new WheelhouseError('NOT_FOUND', { code: 'sessionOver' }));
    this.questions.end();
    this.handover.receipts.end();
    this.dispose();
  }

  /** Ends the actions under way, so that their outcomes are written before the store closes. */
  async quiet(reason: string): Promise<void> {
    this.#inFlight.abortAll(new WheelhouseError('ABORTED', reason));
    this.#work.log.close();
    await Promise.all([this.#funnel.idle(), this.keeping.save()]);
  }

  /** A key or sign-in ended: whoever came by it lets go of the wheel (R3). */
  credentialEnded(credential: Credential): void {
    const { participants, desk, handover, questions } = this;
    endCredential(credential, {
      funnel: this.#funnel,
      participants,
      desk,
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
      this.#moments,
      this.handover,
      this.keeping,
      this.#stuck,
      this.#seating,
      this.desk,
      this.questions,
      this.privacy,
      this.files.downloads,
    ])
      part.dispose();
    for (const seat of this.book.all()) seat.dispose();
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
        ...this.life.view(),
        blocked: this.#seating.blocked.view,
      },
      by,
    );
  }

  /** Target.targetDestroyed. */
  targetGone(targetId: string): void {
    if (this.init.home.browser.gone) return;
    this.recovery.tabCloses(targetId);
    const seat = this.book.remove(targetId);
    if (!seat) return;
    const { id } = seat.tab,
      { title, url } = this.privacy.placeFor(id, undefined) ?? seat.tab;
    this.#seating.left(seat);
    this.questions.tabClosed(id);
    this.init.ledger.changeTab(id, { closedAt: new Date().toISOString() });
    this.#active.gone(id);
    this.timeline.tell({ kind: 'tab', said: { code: 'tabClosedNamed', title: title || url || id }, tab: id });
    this.changed();
  }

  #listen(): void {
    this.timeline.onEvent.on(() => this.changed());
    this.book.onSeated.on((seat) => this.#seated(seat));
    this.book.onReplaced.on((seat) => this.#seating.replaced(seat));
    this.book.onLost.on((seat) => this.#seating.left(seat));
    this.desk.onEffect.on(({ type, tab }) => {
      const seat = type === 'changed' ? this.book.get(tab) : undefined;
      if (seat) this.#seating.driverChanged(seat);
    });
  }

  #makePrivacy(): Privacy {
    return new Privacy({
      ...this.services,
      desk: this.desk,
      inFlight: this.#inFlight,
      seat: (tab) => this.book.get(tab),
      changed: () => this.changed(),
      endTraces: (budget) => this.files.traces.endAll(budget),
      reopen: (...how) => this.tabs.reopen(...how),
      clearClipboard: () => this.#seating.clearClipboard(),
    });
  }

  #makeFunnel(shared: Pick<FunnelParts, 'desk' | 'inFlight' | 'timeline' | 'secrets'>): Funnel {
    const {
      handover,
      privacy,
      services,
      participants,
      tabs,
      book,
      files,
      init: { home, policy },
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
        book,
        files,
        home,
        policy,
        rates: this.#rates,
        stubborn: this.#stubborn,
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

  #done(call: Call, reply: Reply, silent: boolean): void {
    const { seat, action, caller } = call;
    if (!silent) this.#work.acted(call, reply);
    this.#stuck.did(call, reply);
    this.services.metrics.action(
      { kind: action.kind, door: caller.door, outcome: reply.error?.code ?? 'ok' },
      reply.ms,
    );
    if (accessOf(action) === 'write' && reply.ok && this.book.get(seat.tab.id))
      this.#active.activate(reply.newTabs?.at(-1) ?? seat.tab.id);
  }

  #seated(seat: TabSeat): void {
    this.#seating.seated(seat);
    this.#seating.driverChanged(seat);
    this.#active.seated(seat);
    this.changed();
  }
}
