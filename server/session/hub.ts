import type { FormattedMessage } from '@/lib/messages/format';
import { within } from '@/lib/async/within';
import { WheelhouseError, messageOf } from '@/lib/errors/error';
import { CLOSED } from '@/lib/people/workspace-policy';
import type { Budget } from '@/lib/budget/budget';
import type { Viewport } from '@/lib/geometry/picture';
import type { SessionView } from '@/lib/protocol/views';
import { formatMessage } from '@/lib/messages/format';
import type { RightsChange } from '@/server/access/live-rights';
import { credentialName, credentialNamed, memberOf, type Credential } from '@/server/access/principal';
import { demandEnforceable } from '@/server/access/egress/blocked';
import type { ChromeBrowser } from '@/server/browser/chrome-browser';
import { Emitter } from '@/server/browser/emitter';
import { notDevtools } from '@/server/cdp/endpoint';
import { CdpError } from '@/server/cdp/protocol';
import type { TargetInfo } from '@/server/cdp/shapes/objects';
import type { SessionRecord } from '@/server/store/sessions';
import type { Store } from '@/server/store/store';
import type { Browsers, NewContext } from '@/server/fleet/browsers';
import type { Caller } from './caller';
import { attachIn } from '@/server/fleet/chrome-patience';
import { contextRefIn, newSessionId, type ContextRef } from './context-ref';
import { RECOVERY } from './feature-slots';
import { readSavedSession } from './saved-session';
import { redacting } from '@/server/telemetry/logger';
import { SealedSecrets } from './sealed-secrets';
import { demandFloodPolicy } from './own';
import { inTime } from '@/server/store/in-time';
import { SessionLedger } from './ledger';
import { actorOf } from './participants';
import { Quotas } from './quotas';
import { BrowserReplacements } from './browser-replacements';
import { newRecord, type NewSessionFields } from './new-record';
import type { Feature } from './feature';
import { Session } from './session';
import { sessionWarnings } from './session-warnings';
import { sessionPolicySchema, type SessionPolicy, type SessionServices } from './session-parts';

/** How long to wait for a new target to be attached; longer than one attachment may take. Milliseconds. */
const ATTACH_TAB_MS = 20_000;
const DEFAULT_VIEWPORT: Viewport = { width: 1280, height: 720 };

export interface SessionSpec {
  readonly name?: string | undefined;
  /** Browser id; the workspace's shared Chrome when left out. */
  readonly browser?: string | undefined;
  readonly isolation?: SessionView['isolation'] | undefined;
  readonly viewport?: Viewport | undefined;
  readonly policy?: SessionPolicy | undefined;
}

/** All sessions of the server; routes each tab of each Chrome to its session (SE1). */
export class Hub {
  readonly onSession = new Emitter<[Session]>();
  readonly onEnded = new Emitter<[session: Session, reason: string]>();
  readonly #sessions = new Map<string, Session>();
  /** The closing of ended sessions. */
  readonly #closing = new WeakMap<Session, Promise<void>>();
  readonly #revivals: BrowserReplacements;
  readonly #quotas: Quotas;

  constructor(
    private readonly store: Store,
    private readonly browsers: Browsers,
    private readonly services: SessionServices,
    private readonly features: readonly Feature[],
  ) {
    this.#revivals = new BrowserReplacements(browsers, (id) => this.#sessions.get(id), services.clock, services.logger);
    this.#quotas = new Quotas({
      caps: services.limits.caps,
      sessions: () => this.#sessions.values(),
      memory: () => browsers.memory.read(),
    });
    browsers.onBrowser.on((browser) => this.#follow(browser));
  }

  list(workspace: string): Session[] {
    return [...this.#sessions.values()].filter((session) => session.workspace === workspace);
  }

  /** Warnings about sessions for operators. */
  warnings(workspace: string): FormattedMessage[] {
    return sessionWarnings(this.list(workspace));
  }

  /** Throws NOT_FOUND, also for a session of another workspace (T6). */
  get(workspace: string, id: string): Session {
    const session = this.#sessions.get(id);
    if (session && session.workspace === workspace) return session;
    throw new WheelhouseError('NOT_FOUND', { code: 'noSession', id: id.slice(0, 100) });
  }

  /** Makes a session with its own context and one empty tab. Throws BROWSER_DOWN, NOT_FOUND, QUOTA. */
  async create(budget: Budget, caller: Caller, spec: SessionSpec): Promise<Session> {
    demandFloodPolicy(caller.principal, spec);
    const releaseQuota = this.#quotas.session(caller.principal.credential, spec.isolation ?? 'context');
    try {
      await this.#quotas.memory(budget, undefined);
      return await this.#create(budget, caller, spec, releaseQuota);
    } finally {
      releaseQuota();
    }
  }

  /** @param releaseQuota releases the reserved quota; called once the session exists and is counted itself */
  async #create(budget: Budget, caller: Caller, spec: SessionSpec, releaseQuota: () => void): Promise<Session> {
    const { workspace, credential, person } = memberOf(caller.principal);
    const isolation = spec.isolation ?? 'context';
    const browser = await this.#browserFor(budget, workspace, spec, isolation);
    demandEnforceable(browser.origin, spec.policy?.egress);
    const id = newSessionId();
    const { egress } = this.services;
    // Before its first page, which must not get further than the others.
    egress.narrowSession(id, { workspace, policy: spec.policy?.egress });
    const contexts = isolation === 'default' ? [] : await this.#contextsFor(budget, browser, id);
    const session = await this.#make(budget, browser, id, contexts, {
      workspace,
      isolation,
      name: spec.name,
      viewport: spec.viewport ?? DEFAULT_VIEWPORT,
      policy: spec.policy,
      maker: credentialName(credential),
      owner: person,
    }).catch(async (error: unknown) => {
      const ids = contexts.map(({ contextId }) => contextId);
      const closed = Promise.all([this.#closeContexts(browser, ids), egress.close(id)]);
      await this.#cleanUp(budget, [closed.finally(() => egress.forget(id))]);
      throw error;
    });
    releaseQuota();
    void session.timeline.tell({
      kind: 'session',
      said: { code: 'sessionMade', name: session.name },
      actor: actorOf(caller.principal),
      door: caller.door,
    });
    try {
      if (isolation === 'default') await Promise.all(browser.targets().map((info) => this.#route(browser, info)));
      if (session.registry.all().length === 0) await session.tabs.open(budget, undefined);
      return session;
    } catch (error) {
      // The maker gets an error, so no session may remain; a dedicated Chrome ends with it.
      await this.#cleanUp(budget, [this.#abandon(session, caller)]);
      throw error;
    }
  }

  /**
   * Ends a session and closes its tabs; the pages of an attached Chrome's default context stay (BR3). Returns when that
   * is stored and done. Throws STORE_BUSY, and what ends the budget: the session then ends when the store takes it, if
   * it does, and ending it again does no harm.
   */
  async end(budget: Budget, caller: Caller, id: string): Promise<void> {
    const session = this.get(caller.principal.workspace, id);
    await session.end(budget, caller);
    await budget.during('its pages to be closed', () => this.#closed(session));
  }

  async #contextsFor(budget: Budget, browser: ChromeBrowser, session: string): Promise<readonly NewContext[]> {
    try {
      return await this.browsers.makeContexts(budget, browser, { session });
    } catch (error) {
      this.services.egress.forget(session);
      throw error;
    }
  }

  /** Ends all sessions and browsers of a workspace that has ended, whether or not the store takes that. */
  async clear(caller: Caller): Promise<void> {
    const { workspace } = caller.principal;
    await Promise.all(this.list(workspace).map((session) => this.#abandon(session, caller)));
    const left = this.browsers.list(workspace).map(({ id }) => this.browsers.get(workspace, id));
    await Promise.all(left.map((browser) => this.browsers.remove(browser)));
  }

  /** Ends a session whether or not the store takes that. */
  #abandon(session: Session, caller?: Caller): Promise<void> {
    session.abandon(caller);
    return this.#closed(session);
  }

  /**
   * Waits within the budget until what was begun is removed; the removal goes on after that. Logs a failure, because
   * the caller gets the error that made the removal necessary.
   */
  async #cleanUp(budget: Budget, removals: readonly Promise<unknown>[]): Promise<void> {
    const removed = Promise.all(removals).catch((error: unknown) =>
      this.services.logger.warn({ error: messageOf(error) }, 'what a failed call had begun could not be removed'),
    );
    await budget.race(removed).catch(() => undefined);
  }

  /** Closes everything of an ended session, once. */
  #closed(session: Session): Promise<void> {
    const known = this.#closing.get(session);
    if (known) return known;
    const closing = this.#close(session);
    this.#closing.set(session, closing);
    return closing;
  }

  async #close(session: Session): Promise<void> {
    this.#sessions.delete(session.id);
    this.onEnded.emit(session, 'ended');
    const { present, contexts } = session.init.contextRef;
    if (present) await this.#closeContexts(present, contexts);
    await Promise.all([this.services.egress.close(session.id), session.secrets.erase(), session.erase()]);
    this.services.egress.forget(session.id);
  }

  /** Closes the contexts of a session; its Chrome, when that is its own. */
  async #closeContexts(browser: ChromeBrowser, contexts: readonly string[]): Promise<void> {
    if (this.browsers.isDedicated(browser)) return this.browsers.remove(browser);
    await Promise.all(contexts.map((contextId) => browser.disposeContext(this.services.clock, contextId)));
  }

  /**
   * Adds a context to a session, with its own cookies and storage and the session's proxy port; returns its number for
   * `tabs.open`. Throws UNSUPPORTED for the default context of an attached Chrome, BROWSER_DOWN; STORE_BUSY and what
   * ends the budget: the context then stays until the session ends.
   */
  async addContext(budget: Budget, session: Session): Promise<number> {
    const { contextRef, ledger } = session.init;
    const { browser, isolation } = contextRef;
    if (isolation === 'default')
      throw new WheelhouseError('UNSUPPORTED', 'A session in the default context of a Chrome has that context only.');
    const { contextId } = await this.browsers.makeContext(budget, browser, { session: session.id });
    if (session.state !== 'live' || contextRef.present !== browser) {
      await this.#cleanUp(budget, [browser.disposeContext(this.services.clock, contextId)]);
      throw session.status.error() ?? new WheelhouseError('BROWSER_DOWN', { code: 'chromeGone' });
    }
    const number = contextRef.add(contextId);
    const stored = ledger.changeSession({ contexts: contextRef.contexts });
    await budget.during('the store', () => inTime(this.services.clock, stored));
    return number;
  }

  /**
   * Starts a new Chrome for a session that lost its own (BR5). Throws CONFLICT while its Chrome runs, or while another
   * is starting.
   */
  async revive(budget: Budget, caller: Caller, id: string): Promise<Session> {
    const session = this.get(caller.principal.workspace, id);
    await this.#revivals.asked(budget, caller, session);
    return session;
  }

  /** Attaches a running Chrome and makes sessions for its open tabs (BR3). */
  async attach(budget: Budget, workspace: string, cdpUrl: string): Promise<ChromeBrowser> {
    const known = this.browsers.attachedBy(workspace, cdpUrl);
    return known ?? attachIn(budget, (patience) => this.#attach(patience, workspace, cdpUrl), this.browsers.attachMs);
  }

  async #attach(budget: Budget, workspace: string, cdpUrl: string): Promise<ChromeBrowser> {
    const browser = await this.browsers.attach(budget, workspace, cdpUrl);
    try {
      await this.#adopt(budget, browser, workspace, await browser.contexts(budget));
      return browser;
    } catch (error) {
      const abandoned = this.#of(browser).map((session) => this.#abandon(session));
      await this.#cleanUp(budget, [this.browsers.remove(browser), ...abandoned]);
      // The endpoint answered, but not as the DevTools protocol does.
      throw error instanceof CdpError ? notDevtools(cdpUrl, error) : error;
    }
  }

  /**
   * After a restart, in all workspaces: reconnects to Chromes that still run, and brings sessions of lost Chromes back
   * in new ones from what was saved (BR5, F11).
   */
  async restore(budget: Budget): Promise<void> {
    const workspaces = await this.store.people.workspaces();
    const [records, chromes] = await Promise.all([
      inEach(workspaces, (workspace) => this.store.sessions.listOpen(workspace)),
      inEach(workspaces, (workspace) => this.store.browsers.listOpen(workspace)),
    ]);
    this.browsers.chromeEgress.guardKnown(chromes);
    for (const { id, workspace, policy } of records)
      this.services.egress.narrowSession(id, { workspace, policy: egressOf(policy) });
    // First of all: pages of Chromes that still run continue at once and must find those ports closed.
    await Promise.all(records.map((record) => this.browsers.chromeEgress.reopen(record)));
    await this.browsers.restore(budget, chromes, records);
    const restored = await Promise.allSettled(records.map((record) => this.#restoreOne(record)));
    for (const [index, result] of restored.entries()) {
      if (result.status === 'rejected')
        this.services.logger.error(
          { session: records[index]?.id, error: messageOf(result.reason) },
          'a session could not be restored',
        );
    }
    await this.store.saved.keepOnly(new Set(records.map(({ id }) => id)));
  }

  /** Ends the running actions of all sessions, waiting at most `patienceMs`. */
  async quiet(reason: string, patienceMs: number): Promise<void> {
    const all = [
      this.browsers.quiet(),
      this.#revivals.quiet(),
      ...[...this.#sessions.values()].map((session) => session.quiet(reason)),
    ];
    await within(this.services.clock, patienceMs, Promise.all(all));
  }

  credentialEnded(credential: Credential): void {
    for (const session of this.#sessions.values()) session.credentialEnded(credential);
  }

  rightsChanged(change: RightsChange): void {
    for (const session of this.#concerned(change)) session.rightsChanged();
  }

  #concerned(change: RightsChange): readonly Session[] {
    switch (change.kind) {
      case 'member':
      case 'workspace':
        return this.list(change.workspace);
      case 'session': {
        const session = this.#sessions.get(change.access.session);
        return session ? [session] : [];
      }
      case 'link': {
        const session = this.#sessions.get(change.session);
        return session ? [session] : [];
      }
      case 'sign-in':
        return [...this.#sessions.values()].filter(
          ({ workspace }) => this.services.rights.roleOf(workspace, change.person) !== undefined,
        );
      case 'session-ended':
        return [];
    }
  }

  dispose(): void {
    for (const session of this.#sessions.values()) session.dispose();
  }

  async #restoreOne(record: SessionRecord): Promise<void> {
    const chrome = this.browsers.find(record.workspace, record.browser);
    if (!chrome) return this.#bringBack(record);
    const session = await this.#build(
      contextRefIn(chrome, record, this.browsers.chromeEgress.closed.get(record.id)),
      record,
    );
    void session.timeline.tell({ kind: 'session', said: { code: 'serverRestarted' } });
    await Promise.all(chrome.targets().map((info) => this.#route(chrome, info)));
    session.onRestored.emit();
  }

  /**
   * Restores a session whose Chrome is gone as well. It is listed at once, whether or not a new Chrome starts. A
   * session of an attached Chrome ends.
   */
  async #bringBack(record: SessionRecord): Promise<void> {
    const { workspace, id } = record;
    const lost = await this.store.browsers.get(workspace, record.browser);
    if (lost?.origin !== 'launched') return this.#endLost(record);
    const tabs = await this.store.tabs.list(workspace, id);
    this.#revivals.found(
      await this.#build(contextRefIn(lost, record), record),
      tabs,
      this.browsers.chromeEgress.outdated.has(lost.id) ? 'chromeOutdated' : 'serverAndChromeGone',
    );
  }

  async #endLost({ workspace, id }: SessionRecord): Promise<void> {
    const ledger = new SessionLedger(this.store, workspace, id, this.services.logger);
    await ledger.changeSession({ state: 'ended', endedAt: new Date().toISOString() });
    await Promise.all(this.features.map(async (feature) => feature.forget?.(ledger, this.services)));
  }

  async #browserFor(
    budget: Budget,
    workspace: string,
    spec: SessionSpec,
    isolation: SessionView['isolation'],
  ): Promise<ChromeBrowser> {
    if (isolation === 'browser') return this.browsers.launch(budget, workspace, true);
    if (spec.browser !== undefined) return this.#usable(this.browsers.get(workspace, spec.browser), isolation);
    if (isolation === 'default')
      throw new WheelhouseError('BAD_REQUEST', '"isolation" default needs an attached Chrome: name it in "browser".');
    return this.browsers.shared(budget, workspace);
  }

  #usable(browser: ChromeBrowser, isolation: SessionView['isolation']): ChromeBrowser {
    if (isolation !== 'default') return browser;
    if (this.#of(browser).some((session) => session.init.contextRef.isolation === 'default'))
      throw new WheelhouseError('CONFLICT', 'The default context of that Chrome has a session already.');
    if (browser.origin === 'attached') return browser;
    throw new WheelhouseError(
      'BAD_REQUEST',
      '"isolation" default is for an attached Chrome; this one was launched by Wheelhouse.',
    );
  }

  /**
   * Stores a session and builds it. Throws STORE_BUSY; when it fails, the session does not come back after a restart.
   */
  async #make(
    budget: Budget,
    browser: ChromeBrowser,
    id: string,
    contexts: readonly NewContext[],
    spec: NewSessionFields,
  ): Promise<Session> {
    const { services } = this;
    const record = newRecord(id, browser.id, contexts, spec, this.list(spec.workspace).length + 1);
    const added = this.store.sessions.add(record);
    const made = inTime(services.clock, added).then(() => this.#build(contextRefIn(browser, record), record));
    try {
      return await budget.during('the store', () => made);
    } catch (error) {
      void Promise.allSettled([made, added])
        .then(([late]) => (late.status === 'fulfilled' ? this.#abandon(late.value) : this.#endLost(record)))
        .catch((failure: unknown) =>
          services.logger.warn({ session: id, error: messageOf(failure) }, 'a session that was not made may be stored'),
        );
      throw error;
    }
  }

  async #build(contextRef: ContextRef, record: SessionRecord): Promise<Session> {
    const { store, services } = this;
    const { id, workspace } = record;
    const secrets = await SealedSecrets.open(services.saved, id, services.logger);
    const logger = redacting(services.logger.child({ session: id }), (line) => secrets.shown(line));
    const ledger = new SessionLedger(store, workspace, id, logger, secrets);
    const [tabs, leases, events, knownQuestions, knownReceipts, knownComments, deliveredComments, home] =
      await Promise.all([
        store.tabs.list(workspace, id),
        store.leases.list(workspace, id),
        ledger.events({ limit: 1 }),
        ledger.questions(),
        ledger.receipts(),
        ledger.comments(),
        ledger.deliveredComments(),
        store.people.workspace(workspace),
      ]);
    const session = new Session(
      {
        ...initOf(record),
        workspaceIdleMs: home?.policy.idleMs,
        ledger,
        knownQuestions,
        knownReceipts,
        knownComments,
        deliveredComments,
        contextRef,
        lastEvent: events.at(-1),
        knownTabs: tabs.map((tab) => ({ ...tab, label: tab.label ?? undefined })),
        knownLeases: new Map(leases.map((lease) => [lease.tab, lease])),
        kept: await readSavedSession(services.saved, id),
      },
      { ...services, logger, quotas: this.#quotas },
      this.features,
    );
    secrets.pages = () => session.registry.all().map(({ tab }) => tab.url);
    this.#add(session);
    return session;
  }

  /** From now on the fleet decides what becomes of the session when its Chrome is lost (BR5). */
  #add(session: Session): void {
    const { contextRef, policy } = session.init;
    this.#sessions.set(session.id, session);
    this.browsers.fleet.apply({
      type: 'session',
      session: session.id,
      chrome: contextRef.present?.id,
      origin: contextRef.shown.origin,
      restarts: policy.restartBrowser !== false,
    });
    // Also when the store took the end after its caller was answered.
    session.onEnded.on(() => {
      this.#closed(session).catch((error: unknown) =>
        session.services.logger.warn({ error: messageOf(error) }, 'an ended session could not be closed cleanly'),
      );
    });
    this.onSession.emit(session);
  }

  /** Makes sessions for an attached Chrome: one for its default context, and one for each other context with pages. */
  async #adopt(budget: Budget, browser: ChromeBrowser, workspace: string, contexts: readonly string[]): Promise<void> {
    const used = new Set(browser.targets().map((info) => info.browserContextId));
    const wanted = [undefined, ...contexts.filter((context) => used.has(context))];
    for (const contextId of wanted) {
      const name = formatMessage({ code: contextId === undefined ? 'sessionAttached' : 'sessionAttachedOwn' }).text;
      const known = contextId === undefined ? [] : [{ contextId, egressPort: undefined }];
      const id = newSessionId();
      this.services.egress.narrowSession(id, { workspace, policy: undefined });
      await this.#make(budget, browser, id, known, {
        workspace,
        isolation: contextId === undefined ? 'default' : 'context',
        name,
        viewport: DEFAULT_VIEWPORT,
      }).catch((error: unknown) => {
        this.services.egress.forget(id);
        throw error;
      });
    }
    await budget.during('its tabs to be attached', () =>
      Promise.all(browser.targets().map((info) => this.#route(browser, info))),
    );
  }

  #follow(browser: ChromeBrowser): void {
    browser.onTarget.on((info) => void this.#route(browser, info, (session) => session.popups.came(info)));
    browser.onTargetChanged.on((info) =>
      this.#owner(browser, info)?.registry.byTarget(info.targetId)?.tab.infoChanged(info.title, info.url),
    );
    browser.onTargetCrashed.on((targetId) => {
      for (const session of this.#of(browser)) RECOVERY.of(session).pageCrashed(targetId);
    });
    browser.onTargetGone.on((targetId) => {
      for (const session of this.#of(browser)) session.targetGone(targetId);
    });
  }

  /** Routes a target to the session that owns its context; settles when it is attached. Never rejects. */
  async #route(
    browser: ChromeBrowser,
    info: TargetInfo,
    sessionTab = (session: Session): Promise<void> => session.registry.adopt(info),
  ): Promise<void> {
    const session = this.#owner(browser, info);
    if (!session) return;
    try {
      await this.browsers.background.run(ATTACH_TAB_MS, (budget) => budget.race(sessionTab(session)));
    } catch (error) {
      this.services.logger.warn(
        { session: session.id, target: info.targetId, reason: messageOf(error) },
        'a tab went away before it was attached',
      );
    }
  }

  #owner(browser: ChromeBrowser, info: TargetInfo): Session | undefined {
    const sessions = this.#of(browser);
    return (
      sessions.find((session) => session.init.contextRef.owns(info.browserContextId)) ??
      (browser.origin === 'attached'
        ? sessions.find((session) => session.init.contextRef.isolation === 'default')
        : undefined)
    );
  }

  #of(browser: ChromeBrowser): Session[] {
    return [...this.#sessions.values()].filter((session) => session.init.contextRef.present === browser);
  }
}

/** What a session has from its record. */
function initOf({ id, workspace, name, viewport, createdAt, policy, active, paused, maker, owner }: SessionRecord) {
  return {
    ...{ id, workspace, name, viewport, createdAt, active, paused, owner },
    policy: sessionPolicySchema.parse(policy),
    maker: maker === undefined ? undefined : credentialNamed(maker),
  };
}

/** The policy of a session from the store: none of its pages gets out with one that cannot be read. */
function egressOf(policy: SessionRecord['policy']): SessionPolicy['egress'] {
  const read = sessionPolicySchema.safeParse(policy);
  return read.success ? read.data.egress : CLOSED;
}

async function inEach<T>(workspaces: readonly string[], list: (workspace: string) => Promise<T[]>): Promise<T[]> {
  return (await Promise.all(workspaces.map(list))).flat();
}
