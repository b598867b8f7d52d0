import type { Budget } from '@/lib/budget/budget';
import type { Box } from '@/lib/protocol/catalog';
import type { Clock } from '@/lib/budget/clock';
import { WheelhouseError } from '@/lib/errors/error';
import type { SnapshotPatch, SnapshotView } from '@/lib/protocol/views';
import { coveredKey, type CoveredNode } from '@/lib/snapshot/covered';
import { digestContent, digestTree } from '@/lib/snapshot/digest';
import { findByRole, type RoleQuery } from '@/lib/snapshot/find';
import { IncrementalTree } from '@/lib/snapshot/incremental-tree';
import type { Mask } from '@/lib/state/masks';
import type { RawDocument } from '@/lib/snapshot/raw';
import type { RedactText } from '@/lib/snapshot/tidy-tree';
import type { SnapshotNode, SnapshotTree } from '@/lib/snapshot/tree';
import type { CdpSession } from '@/server/cdp/session';
import type { KnownSecrets } from '../known-secrets';
import type { RefEntry, RefTable } from '../refs';
import { readBoxes } from './boxes';
import { noMatchError, tooManyError } from './candidates';
import { Build, type BuildInit, type SnapshotPart } from './build';
import { findFrame } from './find-frame';
import {
  OutOfProcessReader,
  sameInside,
  type OutOfProcessFrame,
  type OutOfProcessFrames,
} from './out-of-process-frames';
import type { FrameInfo } from './frames';
import type { VisibleFrameTab } from './visible-frame';
import { Labels } from './labels';
import { readCovered, readOuterCovers } from './read-covered';
import { fatesOf } from './ref-fates';
import type { PageAccess, PageReading } from './read-page';
import { SecretMemory } from './secret-memory';
import { SharedWork } from './shared-work';
import { whole } from './snapshot-delta';
import { bytesOf, DEFAULT_SNAPSHOT_CACHE_BYTES, SnapshotCache } from './snapshot-cache';
import type { TakeOptions } from './take-options';
import { yieldToEventLoop } from './yield';
import { TargetReader, type TargetRead } from './target-reader';
import { redactedAddress, redactedText } from './redacted-text';
import { Viewing, type ViewRequest } from './viewing';
import { ReaderWorlds } from './reader-worlds';
import { isSameTree } from '@/lib/snapshot/same-tree';

/** Numbers the states of a tab's page: adds one whenever something changed that a snapshot can show (SN7). */
class Revisions {
  /** The last state: its tree while that is kept in any case, else its fingerprint. */
  #last: SnapshotTree | string = '';
  /** What was shown beside the last tree. */
  #more = '';
  #revision = 0;

  /** `more`: what is shown beside the tree. */
  of(tree: SnapshotTree, more: string): number {
    if (more !== this.#more || !this.#isLast(tree)) this.#revision += 1;
    this.#last = tree;
    this.#more = more;
    return this.#revision;
  }

  /** Replaces the last tree, which is no longer kept, by its fingerprint. */
  letGo(): void {
    if (typeof this.#last !== 'string') this.#last = digestTree(this.#last);
  }

  #isLast(tree: SnapshotTree): boolean {
    return typeof this.#last === 'string' ? this.#last === digestTree(tree) : isSameTree(this.#last, tree);
  }
}

export interface TabSnapshotsInit {
  /** A session of the bulk lane: answers are large. */
  readonly session: CdpSession;
  readonly refs: RefTable;
  readonly targetId: string;
  readonly clock: Clock;
  readonly frames: OutOfProcessFrames;
  /** For looking into frames of other processes; absent where there are none. */
  readonly inside?: VisibleFrameTab | undefined;
  /** What the tab shows according to its events: a guess that saves time and is always verified. */
  readonly currentDocument: () => { readonly frameId: string; readonly loaderId: string; readonly url: string };
  readonly title: () => string;
  /** Shared with the other tabs of the process; the tab gets its own when this is absent. */
  readonly snapshotCache?: SnapshotCache | undefined;
  /** The known secrets of the session. */
  readonly secrets?: KnownSecrets | undefined;
}

/** The last build, made of the page and of the out-of-process frames, which together are `reading`. */
interface LastBuild {
  readonly page: PageReading;
  readonly inner: readonly OutOfProcessFrame[];
  readonly reading: PageReading;
  readonly build: Build;
  /** What the build shows beside the tree. */
  readonly beside: string;
}

/**
 * The snapshots of one tab: reads the page and builds its tree once for all who ask at the same time, and prints it in
 * each caller's format (SN1, SN3, SN8). Uses the last reading again while nothing has changed.
 */
export class TabSnapshots {
  readonly #builds: SharedWork<Build>;
  readonly #revisions = new Revisions();
  readonly labels = new Labels();
  readonly #secrets = new SecretMemory();
  readonly #viewing = new Viewing();
  readonly #worlds: ReaderWorlds;
  readonly #hide: RedactText = (text) => this.init.secrets?.redactor.text(text) ?? text;
  readonly #trees = new IncrementalTree(this.#hide);
  readonly #offSecrets: (() => void) | undefined;
  readonly #snapshotCache: SnapshotCache;
  readonly #foreign: OutOfProcessReader;
  #frames: readonly FrameInfo[] = [];
  readonly #reader = new TargetReader();
  #last: LastBuild | undefined;

  constructor(private readonly init: TabSnapshotsInit) {
    this.#offSecrets = init.secrets?.onChange.on(() => this.#unlearn());
    this.#worlds = new ReaderWorlds(init.session);
    this.#snapshotCache = init.snapshotCache ?? new SnapshotCache(DEFAULT_SNAPSHOT_CACHE_BYTES);
    this.#foreign = new OutOfProcessReader(init.frames, {
      label: (frameId) => this.labels.of(frameId),
      isReplaced: ({ frameId, loaderId }) => init.refs.isReplaced(frameId, loaderId),
    });
    this.#builds = new SharedWork(init.clock, (budget, patienceMs) => this.#build(budget, patienceMs));
  }

  /**
   * The page as text (SN1-SN7), or the part below an element or in a frame. Throws REF_UNKNOWN, REF_STALE_DOCUMENT,
   * NODE_GONE (the element or frame is no longer in the page), TIMEOUT, TAB_*.
   */
  async take(budget: Budget, options: TakeOptions = {}): Promise<SnapshotView> {
    const { build, request } = await this.#ask(budget, options);
    const view = this.#viewing.show(build, request);
    this.#shelve();
    if (options.boxes !== true) return view;
    return this.#viewing.withBoxes(build, request, view, await readBoxes(budget, this.init, view.refs));
  }

  /**
   * Where elements are now, by ref, in CSS pixels of the viewport; those without a box are left out. Throws
   * REF_UNKNOWN, REF_STALE_DOCUMENT.
   */
  boxesOf(budget: Budget, refs: readonly string[]): Promise<ReadonlyMap<string, Box>> {
    return readBoxes(
      budget,
      this.init,
      refs.map((ref) => ({ ref })),
    );
  }

  /** The changes since this reader's last look, in the format of that look (SN7). Throws what `take` throws. */
  async takeChanges(budget: Budget, reader: string): Promise<SnapshotView> {
    const last = this.#viewing.lastOf(reader);
    if (last) return this.take(budget, { ...last.options, since: last.revision, reader });
    return whole(await this.take(budget, { reader }), 0, 'You have taken no snapshot of this tab before.');
  }

  /**
   * Like `takeChanges`, with the fates of the reader's refs, for another caller who reports it to the reader: it does
   * not count as a look. Undefined when the reader never looked. Throws what `take` throws.
   */
  async changesFor(
    budget: Budget,
    reader: string,
  ): Promise<{ readonly view: SnapshotView; readonly refs: ReturnType<typeof fatesOf> } | undefined> {
    const last = this.#viewing.lastOf(reader);
    if (!last) return undefined;
    const { build, request } = await this.#ask(budget, { ...last.options, since: last.revision, asker: reader });
    return { view: this.#viewing.show(build, request), refs: fatesOf(build, this.init.refs, last.refs, this.#hide) };
  }

  /**
   * For a watcher who keeps the text of revision `since` in this format: a patch, or the whole text where that is
   * shorter (SN8). Throws what `take` throws.
   */
  async follow(
    budget: Budget,
    options: Omit<TakeOptions, 'reader'>,
    since: number,
  ): Promise<SnapshotPatch | SnapshotView> {
    const { build, request } = await this.#ask(budget, options);
    const followed = this.#viewing.follow(build, request, since);
    this.#shelve();
    return followed;
  }

  /**
   * A fingerprint of the page's content now: equal unless something other than focus and scrolling changed. Throws what
   * `take` throws.
   */
  async contentNow(budget: Budget): Promise<string> {
    const { tree, url } = await this.#builds.ask(budget, 'the page to be read');
    return `${digestContent(tree)} ${url}`;
  }

  /** Role and name of an element, from the snapshot that gave the ref. Throws REF_UNKNOWN, REF_STALE_DOCUMENT. */
  describe(ref: string): { readonly role: string; readonly name: string } {
    const { role, name } = this.init.refs.lookup(ref);
    return { role, name };
  }

  /** The label of a frame (`f1`), once a snapshot or another caller assigned one. */
  labelOf(frameId: string): string | undefined {
    return this.labels.given(frameId);
  }

  /**
   * The element that a role, a name and a position identify in the page as it is now (AC2, SN4). The name may contain a
   * secret, or the mask in its place. Throws AMBIGUOUS when several match and no position is given, NODE_GONE when none
   * does; both errors name candidates. `label`: what the caller waits for, for the call log.
   */
  async findByRole(budget: Budget, asked: RoleQuery, label = 'the page to be read'): Promise<RefEntry> {
    const query = { ...asked, name: asked.name === undefined ? undefined : this.#hide(asked.name) };
    const build = await this.#builds.ask(budget, label);
    const found = findByRole(build.tree, query);
    const wanted = query.nth !== undefined || found.length === 1 ? found[query.nth ?? 0] : undefined;
    if (wanted) return this.#entryOf(build, wanted);
    throw found[0] ? tooManyError(build, found, query) : noMatchError(build, query);
  }

  async #ask(
    budget: Budget,
    { rootRef, rootNode, tabs, reader, asker = reader ?? '', ...options }: TakeOptions,
  ): Promise<{ build: Build; request: ViewRequest }> {
    const element = rootRef === undefined ? rootNode : this.init.refs.lookup(rootRef);
    const build = await this.#builds.ask(budget, 'the page to be read');
    const part = await this.#part(budget, build, element, options.frame);
    const found = await build.search(budget, options, part, asker);
    return {
      build,
      request: {
        options,
        part,
        reader,
        found,
        tabs: tabs ?? [{ title: redactedText(this.init, this.init.title()), current: true }],
      },
    };
  }

  /** The part to print; an element takes precedence over a frame. */
  async #part(
    budget: Budget,
    build: Build,
    element: TakeOptions['rootNode'],
    frame: string | undefined,
  ): Promise<SnapshotPart | undefined> {
    if (element) return { by: 'element', frameId: element.frameId, backendNodeId: element.backendNodeId };
    if (frame === undefined) return undefined;
    const frameId = await findFrame(
      budget,
      { session: this.init.session, worlds: this.#worlds, main: this.#frames[0], frames: build.frames },
      frame,
    );
    return { by: 'frame', frameId };
  }

  /** Masks fields of a frame from now on, while their document lives, whatever they look like (CO8). */
  hide(mask: Mask): void {
    const { targetId, topLoaderId, fields, all } = mask;
    const target = this.init.frames.targets().find((one) => one.targetId === targetId);
    if (target) this.#foreign.hide(target, mask);
    else if (targetId === this.init.targetId) this.#secrets.remember(topLoaderId, fields, all);
    this.forget();
  }

  /** Drops the kept reading: the next snapshot reads the whole page. */
  forget(): void {
    this.#last = undefined;
    this.#trees.forget();
    this.#revisions.letGo();
    this.#reader.forget();
    this.#foreign.forget();
    this.#snapshotCache.remove(this);
  }

  dispose(): void {
    this.#offSecrets?.();
    this.#unlearn();
  }

  /** Called when another secret becomes known: what was read and shown may contain it. */
  #unlearn(): void {
    this.forget();
    this.#viewing.forget();
    this.#snapshotCache.remove(this.#viewing);
  }

  #shelve(): void {
    this.#snapshotCache.put(this.#viewing, this.#viewing.bytes, () => this.#viewing.forget());
  }

  async #build(budget: Budget, patienceMs: number): Promise<Build> {
    const startedAt = budget.elapsedMs();
    const last = this.#last;
    this.#last = undefined;
    const [page, inner] = await Promise.all([
      this.#reader.read(budget, this.#access(), patienceMs),
      this.#foreign.read(budget, patienceMs),
    ]);
    const same = last?.page === page.reading && sameInside(last.inner, inner);
    const reading = same ? last.reading : this.#foreign.place(page.reading, inner);
    const covered = await this.#allCovered(budget, page, inner, reading.raw.documents);
    await yieldToEventLoop(reading.raw.nodes.length);
    const title = redactedText(this.init, this.init.title());
    const beside = `${title} ${coveredKey(covered)}`;
    const build =
      same && last.beside === beside
        ? last.build
        : this.#buildFrom(reading, { title, covered, readMs: budget.elapsedMs() - startedAt });
    this.#keep({ page: page.reading, inner, reading, build, beside });
    await yieldToEventLoop(reading.raw.nodes.length);
    return build;
  }

  #keep(kept: LastBuild): void {
    if (!kept.page.kept && kept.inner.length === 0) return this.forget();
    this.#last = kept.page.kept ? kept : undefined;
    this.#snapshotCache.put(this, bytesOf(kept.reading.raw), () => this.forget());
  }

  #access(): PageAccess {
    const { refs, session } = this.init;
    return {
      session,
      worlds: this.#worlds,
      secrets: this.#secrets,
      expected: () => this.#expectedFrames(),
      label: (frameId, own) => (own ? '' : this.labels.of(frameId)),
      isReplaced: (frame) => refs.isReplaced(frame.frameId, frame.loaderId),
      covered: (budget, frames, nodes) => this.#covered(budget, frames, nodes),
    };
  }

  #covered(budget: Budget, frames: readonly FrameInfo[], nodes: number): Promise<readonly CoveredNode[]> {
    return readCovered(budget, { session: this.init.session, worlds: this.#worlds, frames, nodes });
  }

  /** The elements that something of the same document, or of a parent document, covers. */
  async #allCovered(
    budget: Budget,
    { reading, covered }: TargetRead,
    inner: readonly OutOfProcessFrame[],
    shown: readonly RawDocument[],
  ): Promise<readonly CoveredNode[]> {
    const { session, inside } = this.init;
    const own = covered ?? this.#covered(budget, reading.frames, reading.raw.nodes.length);
    const within = (await Promise.all([own, this.#foreign.covered(budget, inner)])).flat();
    const subframes = [
      ...reading.frames.slice(1).map((frame) => ({ session, worlds: this.#worlds, frame })),
      ...this.#foreign.documents(inner),
    ];
    const placed = subframes.filter(({ frame }) => shown.some(({ frameId }) => frameId === frame.frameId));
    return inside && placed.length > 0 ? [...within, ...(await readOuterCovers(budget, inside, placed))] : within;
  }

  #buildFrom(reading: PageReading, beside: Pick<BuildInit, 'title' | 'covered' | 'readMs'>): Build {
    const { refs, targetId } = this.init;
    this.#frames = reading.frames;
    const all = [...reading.frames, ...(reading.inner ?? [])];
    const targets = new Map(all.map(({ frameId }) => [frameId, this.init.frames.of(frameId)?.targetId ?? targetId]));
    this.labels.keep(all);
    refs.beginBuild(targetId, all);
    return new Build(reading, {
      ...beside,
      now: () => this.init.clock.now(),
      trees: this.#trees,
      url: redactedAddress(this.init, reading.frames[0]?.url ?? this.init.currentDocument().url),
      lastRef: () => refs.lastNumber,
      revise: (tree, more) => this.#revisions.of(tree, more),
      assign: (element) =>
        refs.assign({
          targetId: targets.get(element.document.frameId) ?? targetId,
          frameId: element.document.frameId,
          loaderId: element.document.loaderId,
          backendNodeId: element.backendNodeId,
          role: element.role,
          name: element.name,
          nth: element.nth,
        }),
    });
  }

  /**
   * The frames of the last reading while its page is still there; else the page that events report, assumed to have no
   * subframes.
   */
  #expectedFrames(): readonly FrameInfo[] {
    const current = this.init.currentDocument();
    if (this.#frames[0]?.loaderId === current.loaderId) return this.#frames;
    return current.loaderId === '' ? [] : [current];
  }

  #entryOf(build: Build, node: SnapshotNode): RefEntry {
    const ref = build.refOf(node);
    if (ref === undefined) throw new WheelhouseError('NODE_GONE', 'That line stands for no element.');
    return this.init.refs.lookup(ref);
  }
}
