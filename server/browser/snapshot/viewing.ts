import { canonicalRef } from '@/lib/actions/shared';
import type { Box } from '@/lib/protocol/catalog';
import type { SnapshotPatch, SnapshotView } from '@/lib/protocol/views';
import { resolveFormat, type SnapshotFormat, type SnapshotOptions } from '@/lib/snapshot/options';
import type { TabTitle } from '@/lib/snapshot/print';
import type { Build, SnapshotPart } from './build';
import { Readers, type LastRead } from './readers';
import { changesSince, patchSince, whole, type PrintedView } from './since';
import { ViewMemory } from './view-memory';

/** How one caller wants a build shown. */
export interface ViewRequest {
  readonly options: SnapshotOptions;
  readonly part: SnapshotPart | undefined;
  readonly tabs: readonly TabTitle[];
  /** What `Build.search` found. */
  readonly found: Awaited<ReturnType<Build['search']>>;
  /** Who asks, for the mark `new` and for what changed since it asked last. */
  readonly reader: string | undefined;
}

/** Refs that are remembered of what a reader was shown. */
const MOST_REFS = 300;

/** Shows builds to those who asked, and remembers what they saw: for deltas and for the mark `new` (SN2, SN7). */
export class Viewing {
  readonly #memory = new ViewMemory();
  readonly #readers = new Readers();

  /** What it keeps, bytes. */
  get bytes(): number {
    return this.#memory.chars * 2;
  }

  /** Lets go of what was shown: who asks what changed since then gets the whole. */
  forget(): void {
    this.#memory.forgetAll();
  }

  /** The last look of this reader at the whole page. */
  lastOf(reader: string): LastRead | undefined {
    return this.#readers.lastOf(reader);
  }

  /** Throws NODE_GONE when the part is not in the page as it was read. */
  show(build: Build, wish: ViewRequest): SnapshotView {
    const { since } = wish.options;
    const before = this.#before(wish, since);
    const printed = this.#print(build, wish);
    const view = since === undefined ? this.#marked(build, wish, printed) : changes(wish, printed, before, since);
    const last = wish.part
      ? undefined
      : { options: wish.options, revision: build.revision, refs: this.#shown(wish, view) };
    if (wish.reader !== undefined) this.#readers.saw(wish.reader, build.document, last);
    return view;
  }

  /** All refs that the reader has: a delta shows only those that came. */
  #shown({ reader }: ViewRequest, { refs, delta }: SnapshotView): readonly string[] {
    const newer = refs.slice(-MOST_REFS).map(({ ref }) => ref);
    const before =
      delta !== undefined && delta.whole === undefined && reader !== undefined
        ? this.#readers.lastOf(reader)?.refs
        : undefined;
    return before ? [...before, ...newer].slice(-MOST_REFS) : newer;
  }

  /** The same with the places of what it shows. */
  withBoxes(build: Build, wish: ViewRequest, view: SnapshotView, boxes: ReadonlyMap<string, Box>): SnapshotView {
    if (wish.options.view === 'aria')
      return {
        ...view,
        ...textAndRefs(build.printOnce(resolveFormat(wish.options), wish.part, { boxes, found: wish.found }).view),
      };
    const withBox = (ref: SnapshotView['refs'][number]): SnapshotView['refs'][number] => {
      const box = boxes.get(canonicalRef(ref.ref) ?? '');
      return box ? { ...ref, box } : ref;
    };
    return { ...view, refs: view.refs.map(withBox) };
  }

  /** For a watcher who has the text of revision `since`: a patch for it, or the whole. */
  follow(build: Build, wish: ViewRequest, since: number): SnapshotPatch | SnapshotView {
    const before = wish.options.view === 'aria' ? undefined : this.#before(wish, since);
    const printed = this.#print(build, wish);
    return (before === undefined ? undefined : patchSince(printed, before, since)) ?? printed.view;
  }

  /**
   * What somebody was shown in this form at that revision. To be asked before the form is printed: that is remembered
   * as shown.
   */
  #before(wish: ViewRequest, since: number | undefined): string | undefined {
    return since === undefined ? undefined : this.#memory.textAt(formOf(wish), since);
  }

  #print(build: Build, wish: ViewRequest): PrintedView {
    const { format, tabs } = formatOf(wish);
    const printed = build.print(format, wish.part, { tabs }, wish.found);
    this.#memory.keep(formOf(wish), build.revision, printed.view.text);
    return printed;
  }

  /** With `new` on what came since the reader looked last; the same text when nothing did. */
  #marked(build: Build, wish: ViewRequest, printed: PrintedView): SnapshotView {
    const newAfter =
      wish.reader === undefined ? undefined : this.#readers.newAfter(wish.reader, build.document.loaderId);
    if (newAfter === undefined || newAfter >= build.document.lastRef) return printed.view;
    const { format, tabs } = formatOf(wish);
    return build.print(format, wish.part, { tabs, newAfter }, wish.found).view;
  }
}

function textAndRefs({ text, refs, stats }: SnapshotView): Pick<SnapshotView, 'text' | 'refs' | 'stats'> {
  return { text, refs, stats };
}

function changes(
  { options }: ViewRequest,
  printed: PrintedView,
  before: string | undefined,
  since: number,
): SnapshotView {
  if (options.view === 'aria') return whole(printed.view, since, 'The view "aria" is always given whole.');
  return changesSince(printed, before, since);
}

function formatOf({ options, tabs }: ViewRequest): {
  readonly format: SnapshotFormat;
  readonly tabs: readonly TabTitle[] | undefined;
} {
  const format = resolveFormat(options);
  return { format, tabs: format.view === 'webarena' ? tabs : undefined };
}

/** Callers with the same form read the same lines. */
function formOf({ options, part }: ViewRequest): string {
  return JSON.stringify([resolveFormat(options), part ?? null]);
}
