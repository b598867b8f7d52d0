import { Emitter } from '@/server/browser/emitter';
import { WheelhouseError } from '@/lib/errors/error';
import type { Budget } from '@/lib/budget/budget';
import { BoundedMap } from '@/lib/async/bounded-map';
import { Timer } from '@/lib/async/timers';
import { anchorState, presentBox, refOf, type PresentPage } from '@/lib/comments/anchor';
import { COMMENT_LIMITS, type Aim, type Anchor, type Comment, type CommentView } from '@/lib/comments/comment';
import { newsOf, undelivered } from '@/lib/comments/delivery';
import { mentionsIn } from '@/lib/comments/mentions';
import type { CommentNews } from '@/lib/comments/news';
import { roomFor } from '@/lib/comments/room';
import { countsOf, isOpen, latestOf, type CommentCounts } from '@/lib/comments/thread';
import { guestComment, isCommentOfGuest } from '@/lib/links/guest-view';
import type { ElementView } from '@/lib/protocol/catalog';
import { grantsIn } from '@/lib/rights/grants';
import { cleanLines, cleanText } from '@/lib/text/clean';
import { isGuestOf, sightOf, type Credential, type Principal } from '@/server/access/principal';
import type { Caller } from '@/server/session/caller';
import type { Feature } from '@/server/session/feature';
import type { SessionKernel } from '@/server/session/kernel';
import { actorOf } from '@/server/session/participants';
import { demandGeometry } from '@/server/session/picture-geometry';
import type { SessionTab } from '@/server/session/session-tab';
import { Slot } from '@/server/session/slot';
import { privateMeanwhile } from '@/server/session/visibility';
import { newId } from '@/server/store/ids';
import { anchorOf, elementUnder, presentPage } from './anchors';
import { Deliveries } from './deliveries';
import { ElementPlaces } from './element-places';

/** Most characters of a comment in its timeline row. */
const IN_ROW = 120;

/** Participants whose counts are remembered. */
const MOST_COUNTED = 500;

/** The shortest interval between two looks at what documents and elements changed. Milliseconds. */
const PLACES_EVERY_MS = 100;

export interface NewComment extends Aim {
  readonly text: string;
  /** The comment that it answers. */
  readonly reply?: string | undefined;
}

/** Which comments somebody wants. */
export interface CommentQuery {
  /** Only open ones. */
  readonly open?: boolean | undefined;
  readonly tab?: string | undefined;
  /** Only those before this `seq`. */
  readonly before?: number | undefined;
  /** At most so many, the newest. */
  readonly limit?: number | undefined;
}

/** Comments on the pages of a session (TL3). Agents get those that are for them with their replies. */
export class Comments {
  /** These are new or changed. */
  readonly onChange: Emitter<[ids: readonly string[]]>;
  /** Oldest first. */
  readonly #comments: Map<string, Comment>;
  readonly #deliveries: Deliveries;
  /** Tabs that are closed for good. */
  readonly #closed: Set<string>;
  readonly #counts = new BoundedMap<string, CommentCounts>(MOST_COUNTED);
  /** By tab. */
  readonly #places = new Map<string, ElementPlaces>();
  /** By comment, the place on its page that followers were told last. */
  readonly #toldPlaces = new Map<string, string>();
  /** Tabs where documents or elements changed since followers were told. */
  readonly #moved = new Set<string>();
  readonly #moving: Timer;
  #followers = 0;
  #disposed = false;

  constructor(private readonly kernel: SessionKernel) {
    const { knownComments, deliveredComments, knownTabs } = kernel.init;
    this.onChange = new Emitter(kernel.fault);
    this.#moving = new Timer(kernel.services.clock);
    this.#comments = new Map(knownComments.map((comment) => [comment.id, comment]));
    this.#deliveries = new Deliveries(
      deliveredComments,
      kernel.init.ledger,
      (id) => {
        const comment = this.#comments.get(id);
        return comment !== undefined && isOpen(comment, this.#comments, new Set());
      },
      kernel.services.clock,
    );
    this.#closed = new Set(knownTabs.flatMap(({ id, closedAt }) => (closedAt ? [id] : [])));
  }

  /**
   * The comments of a tab that the caller may read, as `read`. Throws CONTROL_HELD while somebody else holds it
   * privately, RATE_LIMITED.
   */
  async list(
    budget: Budget,
    caller: Caller,
    tab: string,
    query: Omit<CommentQuery, 'tab'> = {},
  ): Promise<CommentView[]> {
    await this.#readable(budget, caller.principal, tab);
    return this.read(budget, caller, { ...query, tab });
  }

  /**
   * Comments that the caller may read, oldest first: agents those that are for them, guests those of their time. The
   * newest `limit` of them, at most 500. Throws RATE_LIMITED.
   */
  async read(budget: Budget, { principal }: Caller, query: CommentQuery): Promise<CommentView[]> {
    const { open = false, tab, before = Infinity, limit = Infinity } = query;
    await this.countRead(budget, principal);
    const found = this.#shownTo(principal).filter(
      (one) => (tab === undefined || one.tab === tab) && one.seq < before && (!open || this.#isOpen(one)),
    );
    const most = Math.min(limit, COMMENT_LIMITS.read);
    return found.slice(Math.max(0, found.length - most)).map((one) => this.#view(one, principal));
  }

  /** Before an answer with comments. Throws RATE_LIMITED. */
  countRead(budget: Budget, principal: Principal): Promise<void> {
    return budget.race(this.kernel.rates.commentRead(principal));
  }

  /** All open ones that the caller may read, and the latest others. Call `countRead` first. */
  latest(principal: Principal): CommentView[] {
    const latest = latestOf(this.#shownTo(principal), (one) => this.#isOpen(one));
    return latest.map((one) => this.#view(one, principal));
  }

  /** Those of the given ones that the caller may read. */
  views(ids: Iterable<string>, principal: Principal): CommentView[] {
    const known = [...ids].flatMap((id) => this.#comments.get(id) ?? []);
    return known.filter((one) => this.#isShown(one, principal)).map((one) => this.#view(one, principal));
  }

  /** Undefined when none is open. */
  counts(principal: Principal): CommentCounts | undefined {
    const { id } = principal;
    const known = this.#counts.get(id);
    const open = (): Comment[] => this.#shownTo(principal).filter((one) => this.#isOpen(one));
    const counts = known ?? countsOf(open(), id, this.#comments);
    if (!known) this.#counts.set(id, counts);
    return counts.open === 0 ? undefined : counts;
  }

  /**
   * With a `ref` or `box` it reads the page, which is refused to everybody while somebody holds the tab privately, also
   * to the holder (CO8). Throws CONTROL_HELD, NOT_FOUND for the comment that it answers, CONFLICT when the page is not
   * that of the picture any more, BAD_REQUEST for a box outside the page, QUOTA, RATE_LIMITED, REF_UNKNOWN,
   * REF_STALE_DOCUMENT, STORE_BUSY.
   */
  async add(budget: Budget, caller: Caller, tab: string, { text, reply, ...aim }: NewComment): Promise<CommentView> {
    const { kernel } = this;
    const { principal } = caller;
    await this.#readable(budget, principal, tab);
    await budget.race(kernel.rates.comment(principal));
    const first = reply === undefined ? undefined : this.#found(principal, reply, tab);
    const epoch = kernel.visibility.visibilityEpoch(tab);
    const anchor = await this.#anchor(budget, tab, aim);
    const said = cleanLines(text, COMMENT_LIMITS.text);
    return kernel.queue.run(budget, () => {
      this.#demandShown(principal, tab);
      if (anchor) kernel.visibility.demandSame(tab, epoch);
      // It may have been removed to make room.
      if (first) this.#found(principal, first.id);
      const all = [...this.#comments.values()];
      // Threads have one level.
      const thread = first && (first.reply ?? first.id);
      const removed = roomFor({ by: principal.id, reply: thread }, all, (one) => this.#isOpen(one));
      const comment: Comment = {
        ...{ id: newId('c'), seq: (all.at(-1)?.seq ?? 0) + 1, tab, text: said, by: actorOf(principal) },
        ...{
          at: new Date().toISOString(),
          mentions: this.#mentions(said, principal),
          forAgents: this.#drives(principal),
        },
        ...(anchor && { anchor }),
        ...(thread !== undefined && { reply: thread }),
      };
      return this.#decision(caller, comment, 'commented', removed);
    });
  }

  /** The element at a point of the viewport. Throws CONTROL_HELD, CONFLICT, and what a snapshot throws. */
  async elementAt(
    budget: Budget,
    sessionTab: SessionTab,
    { x, y, geometry }: { readonly x: number; readonly y: number; readonly geometry?: number | undefined },
  ): Promise<ElementView | undefined> {
    const { visibility } = this.kernel;
    const { tab } = sessionTab;
    await visibility.readable(budget, tab.id);
    const epoch = visibility.visibilityEpoch(tab.id);
    if (geometry !== undefined) demandGeometry(sessionTab, geometry);
    const found = await elementUnder(budget, tab, { x, y });
    visibility.demandSame(tab.id, epoch);
    if (!found) return undefined;
    const { frameId: _, ...element } = found;
    return element;
  }

  /** Two who resolve one get the same: the first one did. Throws CONTROL_HELD, NOT_FOUND, FORBIDDEN, STORE_BUSY. */
  async resolve(budget: Budget, caller: Caller, id: string, onTab?: string): Promise<CommentView> {
    const { principal } = caller;
    const { tab } = this.#found(principal, id, onTab);
    await this.#readable(budget, principal, tab);
    return this.kernel.queue.run(budget, () => {
      this.#demandShown(principal, tab);
      const comment = this.#found(principal, id);
      if (comment.resolved) return { apply: () => this.#view(comment, principal) };
      if (comment.by.id !== principal.id) this.kernel.require(principal, 'drive');
      return this.#decision(caller, { ...comment, resolved: this.#mark(caller) }, 'commentResolved');
    });
  }

  /** Gives a watcher's comment to the agents. Throws CONTROL_HELD, NOT_FOUND, STORE_BUSY. */
  async pass(budget: Budget, caller: Caller, id: string, onTab?: string): Promise<CommentView> {
    const { principal } = caller;
    const { tab } = this.#found(principal, id, onTab);
    await this.#readable(budget, principal, tab);
    return this.kernel.queue.run(budget, () => {
      this.#demandShown(principal, tab);
      const comment = this.#found(principal, id);
      if (comment.passed || comment.forAgents) return { apply: () => this.#view(comment, principal) };
      return this.#decision(caller, { ...comment, passed: this.#mark(caller) }, 'commentPassed');
    });
  }

  /**
   * The comments for the reply to an agent's action, those that went with it before included; `more` wait for a later
   * one. Those on a tab that is hidden from the agent wait until it is shown. Without an action id they count as
   * delivered.
   */
  tell(agent: string, action: string | undefined): { readonly comments: CommentNews[]; readonly more: number } {
    const { visibility } = this.kernel;
    const shown = [...this.#comments.values()].filter(({ tab }) => visibility.hides(tab, agent) === undefined);
    const open = shown.filter((one) => this.#isOpen(one));
    const { comments, more } = undelivered(open, agent, this.#deliveries.of(agent));
    const ids = [...this.#deliveries.with(agent, action), ...comments.map(({ id }) => id)];
    if (action === undefined) this.#deliveries.arrived(agent, ids);
    else if (comments.length > 0) this.#deliveries.sent(agent, action, ids);
    const told = shown.filter(({ id }) => ids.includes(id));
    return { comments: told.map((one) => newsOf(one, this.#pageOf(one.tab))), more };
  }

  /** The agent sent another action: it has received what went with earlier replies. */
  heard(agent: string, action: string | undefined): void {
    this.#deliveries.heard(agent, action);
  }

  /**
   * A key ended: nobody is its agent any more. The link of a guest ended: what they wrote stays with people, unless
   * somebody passes it on; agents who have got it can still read it.
   */
  credentialEnded(credential: Credential): void {
    this.#deliveries.keyEnded(credential);
    if (credential.kind !== 'link') return;
    // Behind a comment of theirs that is being stored.
    const withdrawn = this.kernel.queue.surely(() => {
      const theirs = [...this.#comments.values()].filter(({ by }) => isGuestOf(credential, by.id));
      const waiting = theirs.filter(({ forAgents, passed, resolved }) => forAgents && !passed && !resolved);
      if (waiting.length === 0) return { apply: () => undefined };
      const kept = waiting.map((one): Comment => ({ ...one, forAgents: false }));
      return { store: () => this.kernel.init.ledger.saveComments(kept), apply: () => this.#put(kept) };
    });
    withdrawn.catch((error: unknown) => {
      if (!this.#disposed) this.kernel.fault(error);
    });
  }

  /** While somebody follows, the elements of open comments are looked for. Returns a function that ends it. */
  follow(changed: (ids: readonly string[]) => void): () => void {
    this.#tellMoved();
    const off = this.onChange.on(changed);
    this.#followers += 1;
    this.#followPlaces();
    return () => {
      off();
      this.#followers -= 1;
      // Who follows next is told all places anew.
      if (this.#followers === 0) this.#toldPlaces.clear();
      this.#followPlaces();
    };
  }

  added(sessionTab: SessionTab): void {
    const { tab } = sessionTab;
    const { services, visibility } = this.kernel;
    const places = new ElementPlaces(tab, services.clock, services.logger, () => visibility.visibilityEpoch(tab.id));
    const moved = (): void => this.#placesChanged(tab.id);
    places.onMoved.on(moved);
    this.#places.set(tab.id, places);
    sessionTab.onDispose(() => {
      places.dispose();
      if (this.#places.get(tab.id) === places) this.#places.delete(tab.id);
    });
    // During a dialog nothing is looked for.
    tab.dialogs.onClose.on(() => places.look());
    tab.page.onDocument.on(moved);
    tab.frames.onDocument.on(moved);
    tab.frames.onGone.on(moved);
    this.tabIs(tab.id, 'open');
  }

  /** Somebody acted on the tab, or it is shown again: its elements may be elsewhere. */
  acted(tab: string): void {
    this.#places.get(tab)?.look();
  }

  dispose(): void {
    this.#disposed = true;
    this.#moving.stop();
  }

  #followPlaces(of?: ReadonlySet<string>): void {
    for (const [tab, places] of this.#places) {
      if (of?.has(tab) === false) continue;
      const page = this.#pageOf(tab);
      const open = [...this.#comments.values()].filter((one) => one.tab === tab && this.#isOpen(one));
      const refs = open.flatMap(({ anchor }) => refOf(anchor, page) ?? []);
      places.follow(this.#followers === 0 ? [] : [...new Set(refs)]);
    }
  }

  /** The tab is closed for good, or there again: its comments are not open, or are again. */
  tabIs(tab: string, state: 'open' | 'closed'): void {
    if (state === 'closed') this.#closed.add(tab);
    else if (!this.#closed.delete(tab)) return;
    this.tabChanged(tab);
  }

  /** After a restart of the server: tabs that were not found again are closed. */
  tabsAre(open: ReadonlySet<string>): void {
    const tabs = new Set([...this.#comments.values()].map(({ tab }) => tab));
    for (const tab of tabs) if (!open.has(tab)) this.tabIs(tab, 'closed');
  }

  /** A document of the tab came or went, or an element moved. */
  #placesChanged(tab: string): void {
    this.#moved.add(tab);
    if (this.#followers > 0) this.#moving.ensure(PLACES_EVERY_MS, () => this.#tellMoved());
  }

  /** Tells of the comments that are elsewhere on their page than followers were told. */
  #tellMoved(): void {
    this.#moving.stop();
    const tabs = new Set(this.#moved);
    this.#moved.clear();
    if (tabs.size === 0) return;
    this.#followPlaces(tabs);
    const moved = [...this.#comments.values()].filter((one) => tabs.has(one.tab) && this.#notePlace(one));
    if (moved.length > 0) this.onChange.emit(moved.map(({ id }) => id));
  }

  /** Keeps the present place of a comment as told; returns whether it is another one. */
  #notePlace({ id, anchor, tab }: Comment): boolean {
    if (!anchor) return false;
    const { state, anchor: present } = this.#anchorView(anchor, tab);
    const place = JSON.stringify([state, present?.box]);
    if (this.#toldPlaces.get(id) === place) return false;
    this.#toldPlaces.set(id, place);
    return true;
  }

  /** The tab was closed or opened again, or is hidden or shown by a private hold. */
  tabChanged(tab: string): void {
    this.#changed([...this.#comments.values()].filter((one) => one.tab === tab));
  }

  #changed(comments: readonly Comment[]): void {
    if (comments.length === 0) return;
    this.#counts.clear();
    this.#followPlaces();
    for (const one of comments) this.#notePlace(one);
    this.onChange.emit(comments.map(({ id }) => id));
  }

  /** @param removed what makes room for it */
  #decision(
    caller: Caller,
    comment: Comment,
    code: 'commented' | 'commentPassed' | 'commentResolved',
    removed: readonly Comment[] = [],
  ) {
    const gone = removed.map(({ id }) => id);
    return {
      store: () => this.kernel.init.ledger.saveComments([comment], gone),
      apply: () => {
        for (const id of gone) {
          this.#comments.delete(id);
          this.#toldPlaces.delete(id);
        }
        this.#put([comment]);
        const done = comment.resolved ? [comment, ...this.#answersTo(comment)].map(({ id }) => id) : gone;
        if (done.length > 0) this.#deliveries.done(done);
        this.#tell(caller, comment, code);
        return this.#view(comment, caller.principal);
      },
    };
  }

  /** They are stored, new or as they are now. */
  #put(comments: readonly Comment[]): void {
    for (const one of comments) this.#comments.set(one.id, one);
    this.#changed(comments.flatMap((one) => [one, ...this.#answersTo(one)]));
    this.kernel.changed();
  }

  /** Agents read rows: what is not for them stays out. */
  #tell({ principal, door }: Caller, comment: Comment, code: 'commented' | 'commentPassed' | 'commentResolved'): void {
    const { timeline, visibility } = this.kernel;
    const { id, tab, text } = comment;
    const told = code === 'commented' && (comment.forAgents || comment.passed) && !visibility.isHeldPrivately(tab);
    void timeline.tell({
      ...{ kind: 'comment', tab, comment: id, actor: actorOf(principal), door },
      said: told ? { code: 'commentedText', text: cleanText(text, IN_ROW) } : { code },
    });
  }

  #answersTo({ id }: Comment): Comment[] {
    return [...this.#comments.values()].filter(({ reply }) => reply === id);
  }

  async #readable(budget: Budget, principal: Principal, tab: string): Promise<void> {
    const { visibility } = this.kernel;
    if (visibility.hides(tab, principal.id) !== undefined) await visibility.readable(budget, tab);
  }

  /** For a decision, which cannot wait: throws CONTROL_HELD while somebody else holds the tab privately. */
  #demandShown(principal: Principal, tab: string): void {
    if (this.kernel.visibility.hides(tab, principal.id) !== undefined) throw privateMeanwhile();
  }

  #shownTo(principal: Principal): Comment[] {
    return [...this.#comments.values()].filter((one) => this.#isShown(one, principal));
  }

  #isShown(comment: Comment, principal: Principal): boolean {
    return this.#isFor(comment, principal) && this.kernel.visibility.hides(comment.tab, principal.id) === undefined;
  }

  #isFor(comment: Comment, principal: Principal): boolean {
    if (principal.kind === 'agent') {
      const { id, forAgents, passed, by } = comment;
      return forAgents || passed !== undefined || by.kind === 'agent' || this.#deliveries.has(principal.id, id);
    }
    const sight = sightOf(principal);
    return !sight || isCommentOfGuest(comment, sight);
  }

  #isOpen(comment: Comment): boolean {
    return isOpen(comment, this.#comments, this.#closed);
  }

  #view(comment: Comment, principal: Principal): CommentView {
    const { anchor: stored, tab, ...rest } = comment;
    const anchor = stored && this.#anchorView(stored, tab);
    const view = { ...rest, tab, ...anchor, open: this.#isOpen(comment) };
    return sightOf(principal) ? guestComment(view) : view;
  }

  #anchorView(anchor: Anchor, tab: string): Pick<CommentView, 'anchor' | 'state'> {
    const place = anchor.ref === undefined ? undefined : this.#places.get(tab)?.of(anchor.ref);
    const box = presentBox(anchor, place);
    return { anchor: { ...anchor, ...(box && { box }) }, state: anchorState(anchor, this.#pageOf(tab), place) };
  }

  /** Throws NOT_FOUND also for one that the caller may not know of. */
  #found(principal: Principal, id: string, tab?: string): Comment {
    const comment = this.#comments.get(id);
    if (comment && (tab ?? comment.tab) === comment.tab && this.#isFor(comment, principal)) return comment;
    throw new WheelhouseError('NOT_FOUND', `There is no comment "${id.slice(0, 100)}" here.`);
  }

  async #anchor(budget: Budget, tab: string, aim: Aim): Promise<Comment['anchor']> {
    if (aim.ref === undefined && !aim.box) return undefined;
    const { visibility, registry } = this.kernel;
    await visibility.readable(budget, tab);
    const sessionTab = registry.find(tab);
    if (aim.geometry !== undefined) demandGeometry(sessionTab, aim.geometry);
    return anchorOf(budget, sessionTab.tab, aim);
  }

  #drives(principal: Principal): boolean {
    return principal.kind !== 'agent' && grantsIn(principal, this.kernel.id).has('drive');
  }

  /** A guest does not find out by a mention who belongs to the session but is not here. */
  #mentions(text: string, principal: Principal): string[] {
    const all = this.kernel.participants.views();
    return mentionsIn(text, principal.kind === 'guest' ? all.filter(({ online }) => online) : all);
  }

  #mark({ principal }: Caller): NonNullable<Comment['passed']> {
    return { by: actorOf(principal), at: new Date().toISOString() };
  }

  #pageOf(tab: string): PresentPage | undefined {
    const found = this.kernel.registry.get(tab);
    return found && presentPage(found.tab);
  }
}

export const COMMENTS = new Slot<Comments>('comments');

export const comments: Feature = {
  name: 'comments',
  start: (kernel) => {
    const all = new Comments(kernel);
    COMMENTS.fill(kernel, all);
    kernel.registry.onAdded.on((sessionTab) => all.added(sessionTab));
    kernel.onTabClosed.on(({ tab }) => all.tabIs(tab.id, 'closed'));
    kernel.onRestored.on(() => all.tabsAre(new Set(kernel.registry.all().map(({ tab }) => tab.id))));
    kernel.onVisibility.on(({ tab }) => {
      all.tabChanged(tab.id);
      all.acted(tab.id);
    });
    kernel.onInput.on(({ tab }, { type }) => {
      if (type === 'up' || type === 'keyup') all.acted(tab.id);
    });
    return {
      dispose: () => all.dispose(),
      credentialEnded: (credential) => all.credentialEnded(credential),
      afterAction: ({ sessionTab }) => all.acted(sessionTab.tab.id),
      ownView: (viewer) => {
        const counts = all.counts(viewer);
        return counts ? { comments: counts } : {};
      },
      asked: ({ principal }, action) => all.heard(principal.id, action.id),
      onReply: ({ principal }, action, reply) => {
        if (principal.kind !== 'agent') return reply;
        const { comments: news, more } = all.tell(principal.id, action.id);
        if (news.length === 0) return reply;
        const warnings =
          more > 0 ? [...reply.warnings, `${more} more comments come with later replies.`] : reply.warnings;
        return { ...reply, comments: news, warnings };
      },
    };
  },
};
