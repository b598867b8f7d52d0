import { canonicalRef } from '@/lib/actions/shared';
import type { Box } from '@/lib/protocol/catalog';
import type { SnapshotPatch, SnapshotView } from '@/lib/protocol/views';
import { resolveFormat, type SnapshotFormat, type SnapshotOptions } from '@/lib/snapshot/options';
import type { TabTitle } from '@/lib/snapshot/print';
import type { Build, SnapshotPart } from './build';
import { changesSince, patchSince, whole, type PrintedView } from './snapshot-delta';

interface LastRead {
  readonly options: SnapshotOptions;
  readonly revision: number;
  /** The newest refs of the page that the reader was shown. */
  readonly refs: readonly string[];
}

interface Reader {
  readonly loaderId: string;
  /** The last ref number that was assigned when the reader looked. */
  readonly lastRef: number;
  /** Its last look at the whole page. */
  readonly last: LastRead | undefined;
}

/** Most readers remembered for a tab; the one that looked longest ago is forgotten first. */
const MAX_READERS = 100;

/**
 * Which reader has seen what of a tab: ref numbers only grow, so one number tells what is new to a reader (SN2, SN4). A
 * reader is a participant who takes snapshots; `TargetReader` is the code that reads a page.
 */
class Readers {
  readonly #readers = new Map<string, Reader>();

  /** Refs above this number are new to the reader; undefined when it has not seen this document. */
  newAfter(reader: string, loaderId: string): number | undefined {
    const known = this.#readers.get(reader);
    return known?.loaderId === loaderId ? known.lastRef : undefined;
  }

  lastOf(reader: string): LastRead | undefined {
    return this.#readers.get(reader)?.last;
  }

  /** `whole`: the request, when it was for the whole page. */
  saw(
    reader: string,
    document: { readonly loaderId: string; readonly lastRef: number },
    whole: LastRead | undefined,
  ): void {
    const last = whole ?? this.lastOf(reader);
    this.#readers.delete(reader);
    this.#readers.set(reader, { ...document, last });
    for (const oldest of this.#readers.keys()) {
      if (this.#readers.size <= MAX_READERS) return;
      this.#readers.delete(oldest);
    }
  }
}

/** Most texts kept for a tab, of all formats together, and most characters of them. */
const LIMITS = { texts: 24, chars: 1_500_000 } as const;

/** The texts of a tab at earlier revisions, by format; the oldest is dropped first (SN7). */
class ViewMemory {
  readonly #texts = new Map<string, string>();
  #chars = 0;

  /** Characters of all texts together. */
  get chars(): number {
    return this.#chars;
  }

  forgetAll(): void {
    this.#texts.clear();
    this.#chars = 0;
  }

  keep(form: string, revision: number, text: string): void {
    const key = keyOf(form, revision);
    this.#forget(key);
    this.#texts.set(key, text);
    this.#chars += text.length;
    for (const oldest of this.#texts.keys()) {
      if (this.#texts.size <= LIMITS.texts && this.#chars <= LIMITS.chars) return;
      this.#forget(oldest);
    }
  }

  textAt(form: string, revision: number): string | undefined {
    return this.#texts.get(keyOf(form, revision));
  }

  #forget(key: string): void {
    this.#chars -= this.#texts.get(key)?.length ?? 0;
    this.#texts.delete(key);
  }
}

/** How one caller wants a build shown. */
export interface ViewRequest {
  readonly options: SnapshotOptions;
  readonly part: SnapshotPart | undefined;
  readonly tabs: readonly TabTitle[];
  /** The result of `Build.search`. */
  readonly found: Awaited<ReturnType<Build['search']>>;
  /** The reader, for the mark `new` and for changes since its last look. */
  readonly reader: string | undefined;
}

/** Most refs that are remembered of what a reader was shown. */
const MOST_REFS = 300;

/** Shows builds to their callers, and remembers what they saw, for deltas and for the mark `new` (SN2, SN7). */
export class Viewing {
  readonly #memory = new ViewMemory();
  readonly #readers = new Readers();

  /** Bytes that it keeps. */
  get bytes(): number {
    return this.#memory.chars * 2;
  }

  /** Drops the texts that were shown: a caller who asks for changes since then gets the whole text. */
  forget(): void {
    this.#memory.forgetAll();
  }

  /** The last look of this reader at the whole page. */
  lastOf(reader: string): LastRead | undefined {
    return this.#readers.lastOf(reader);
  }

  /** Throws NODE_GONE when the part is not in the page as it was read. */
  show(build: Build, request: ViewRequest): SnapshotView {
    const { since } = request.options;
    const before = this.#before(request, since);
    const printed = this.#print(build, request);
    const view = since === undefined ? this.#marked(build, request, printed) : changes(request, printed, before, since);
    const last = request.part
      ? undefined
      : { options: request.options, revision: build.revision, refs: this.#shown(request, view) };
    if (request.reader !== undefined) this.#readers.saw(request.reader, build.document, last);
    return view;
  }

  /** All refs that the reader has; a delta adds its new ones to those from before. */
  #shown({ reader }: ViewRequest, { refs, delta }: SnapshotView): readonly string[] {
    const newer = refs.slice(-MOST_REFS).map(({ ref }) => ref);
    const before =
      delta !== undefined && delta.whole === undefined && reader !== undefined
        ? this.#readers.lastOf(reader)?.refs
        : undefined;
    return before ? [...before, ...newer].slice(-MOST_REFS) : newer;
  }

  /** The view with the boxes of the elements that it shows. */
  withBoxes(build: Build, request: ViewRequest, view: SnapshotView, boxes: ReadonlyMap<string, Box>): SnapshotView {
    if (request.options.view === 'aria')
      return {
        ...view,
        ...textAndRefs(
          build.printOnce(resolveFormat(request.options), request.part, { boxes, found: request.found }).view,
        ),
      };
    const withBox = (ref: SnapshotView['refs'][number]): SnapshotView['refs'][number] => {
      const box = boxes.get(canonicalRef(ref.ref) ?? '');
      return box ? { ...ref, box } : ref;
    };
    return { ...view, refs: view.refs.map(withBox) };
  }

  /** For a watcher who has the text of revision `since`: a patch for it, or the whole text. */
  follow(build: Build, request: ViewRequest, since: number): SnapshotPatch | SnapshotView {
    const before = request.options.view === 'aria' ? undefined : this.#before(request, since);
    const printed = this.#print(build, request);
    return (before === undefined ? undefined : patchSince(printed, before, since)) ?? printed.view;
  }

  /**
   * The text of this format at that revision. Call it before printing, which stores the current text under its own
   * revision.
   */
  #before(request: ViewRequest, since: number | undefined): string | undefined {
    return since === undefined ? undefined : this.#memory.textAt(formOf(request), since);
  }

  #print(build: Build, request: ViewRequest): PrintedView {
    const { format, tabs } = formatOf(request);
    const printed = build.print(format, request.part, { tabs }, request.found);
    this.#memory.keep(formOf(request), build.revision, printed.view.text);
    return printed;
  }

  /** The view with `new` on elements that came since the reader looked last; the same text when none did. */
  #marked(build: Build, request: ViewRequest, printed: PrintedView): SnapshotView {
    const newAfter =
      request.reader === undefined ? undefined : this.#readers.newAfter(request.reader, build.document.loaderId);
    if (newAfter === undefined || newAfter >= build.document.lastRef) return printed.view;
    const { format, tabs } = formatOf(request);
    return build.print(format, request.part, { tabs, newAfter }, request.found).view;
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

/** The key of a format and part: callers with the same key read the same lines. */
function formOf({ options, part }: ViewRequest): string {
  return JSON.stringify([resolveFormat(options), part ?? null]);
}

function keyOf(form: string, revision: number): string {
  return `${revision} ${form}`;
}
