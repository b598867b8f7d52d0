import type { PageCovers } from './covered';
import type { DocumentStyles } from './styles';
import type { DocumentParts } from './parts';
import type { DocumentPlaces } from './places';
import type { DocumentRelations } from './relations';
import type { DocumentSheets } from './sheets';
import type { DocumentWatch } from './watch';

export interface CheckArgs {
  /** Most changed elements that are reported; for more a full reading is faster. */
  readonly maxRows: number;
  /** Elements known at the last full reading, by number, whose box is not inside their parent's. */
  readonly outOfFlow?: readonly number[] | undefined;
  /** Whether styles may have changed anywhere. */
  readonly restyled: boolean;
  /** Limits for finding covered elements, number and milliseconds; absent where that is not wanted. */
  readonly covers?: readonly [most: number, maxMs: number] | undefined;
}

/** The parts of the watch that a check uses. */
export interface CheckTools {
  readonly watch: DocumentWatch;
  readonly places: DocumentPlaces;
  readonly looks: DocumentStyles;
  readonly sheets: DocumentSheets;
  readonly relations: DocumentRelations;
  readonly parts: DocumentParts;
  /** Present once the page was read. */
  readonly covers: () => PageCovers | undefined;
}

/**
 * Finds out what a snapshot has to read again. Sent into pages as source text: uses only its own members and its
 * arguments.
 */
export class DocumentCheck {
  readonly #tools: CheckTools;
  readonly #watch: DocumentWatch;
  /** Elements that mutations and fields reported as changed, without the custom elements that `#suspect` adds. */
  #changed: readonly Element[] = [];
  /** Whether there are shadow roots. */
  #rooted = false;
  /** Number of custom elements that may have changed their `ElementInternals` and are not read again. */
  #unasked = 0;

  constructor(tools: CheckTools) {
    this.#tools = tools;
    this.#watch = tools.watch;
  }

  /**
   * The changes since the last run: a JSON text, then the elements that the server does not know yet. `lost` says why
   * the page has to be read whole.
   */
  run(args: CheckArgs): unknown[] {
    const { places, parts, relations } = this.#tools;
    const watch = this.#watch;
    watch.flush();
    if (args.restyled) watch.restyled = true;
    if (args.outOfFlow) this.#remember(args.outOfFlow);
    const gone = this.#forget();
    const state = watch.lost === '' ? this.#compare() : 'unknown';
    if (watch.lost === '') relations.relate();
    const found = watch.lost === '' ? parts.list(args.maxRows) : [];
    if (watch.lost !== '') return [JSON.stringify({ lost: watch.lost, outdated: watch.outdated })];
    watch.touched.clear();
    watch.restyled = false;
    const here = places.now();
    const covered = this.#covered(args, state !== 'compared');
    return [
      JSON.stringify({
        compared: state !== 'unknown',
        tidied: watch.wasTidied(),
        rooted: this.#rooted || watch.custom.size > 0,
        parts: found,
        gone,
        covered,
        unasked: this.#unasked,
        ...here,
      }),
      ...parts.travellers,
    ];
  }

  /** The numbers of covered elements. `alike`: only texts and places have changed since the last time. */
  #covered({ covers: limits }: CheckArgs, alike: boolean): number[] | undefined {
    const { covers, places } = this.#tools;
    const finder = covers();
    if (!limits || !finder) return undefined;
    const moved = alike ? places.moved() : undefined;
    if (moved) for (const element of this.#changed) moved.push(this.#withOverflow(element));
    return finder
      .again(limits[0], limits[1], (element) => places.isNear(element), moved)
      .flatMap((element) => this.#watch.keys.get(element) ?? []);
  }

  /** The element's box extended by its overflow, since text may stand out of the box. */
  #withOverflow(element: Element): DOMRect {
    const { left, top, width, height } = element.getBoundingClientRect();
    return new DOMRect(left, top, Math.max(width, element.scrollWidth), Math.max(height, element.scrollHeight));
  }

  #remember(outOfFlow: readonly number[]): void {
    this.#tools.places.outOfFlow.clear();
    for (const key of outOfFlow) {
      const element = this.#watch.elements.get(key);
      if (element) this.#tools.places.outOfFlow.add(element);
    }
  }

  /** Forgets elements that left the document, and returns their numbers. */
  #forget(): number[] {
    const { gone, touched } = this.#watch;
    const left: number[] = [];
    for (const root of gone) {
      if (this.#isHere(root)) continue;
      this.#watch.inOrder(root, (element) => {
        const key = this.#watch.keys.get(element);
        if (key === undefined || this.#isHere(element)) return;
        left.push(key);
        this.#watch.leave(element);
        this.#drop(element, key);
      });
    }
    gone.clear();
    for (const element of touched.keys()) if (!this.#isHere(element)) touched.delete(element);
    return left;
  }

  #drop(element: Element, key: number): void {
    this.#watch.elements.delete(key);
    this.#watch.keys.delete(element);
    this.#watch.fields.delete(element);
    this.#watch.custom.delete(element);
    this.#tools.looks.forget(element);
    this.#tools.places.outOfFlow.delete(element);
  }

  #isHere(element: Element): boolean {
    return element.isConnected && element.ownerDocument === document;
  }

  /**
   * Finds changes that no mutation reports. `compared`: the styles of all elements were compared; `calm`: no style can
   * have changed; `unknown`: there was no reason to compare them.
   */
  #compare(): 'compared' | 'calm' | 'unknown' {
    const watch = this.#watch;
    this.#compareFields();
    this.#compareFocus();
    this.#findShadows();
    this.#changed = [...watch.touched.keys()];
    this.#suspect();
    if (watch.sheetsNow() !== watch.sheets) watch.lost = 'style sheets or modal dialogs changed';
    if (document.getAnimations().length > 0) watch.restyled = true;
    if (watch.lost !== '' || (this.#changed.length === 0 && !watch.restyled)) return 'unknown';
    if (!watch.restyled && this.#tools.sheets.isCalm()) return 'calm';
    this.#compareLooks();
    this.#tools.sheets.note();
    return 'compared';
  }

  #compareFields(): void {
    const { fields } = this.#watch;
    for (const [field, before] of fields) {
      const now = this.#watch.heldBy(field);
      if (now === before) continue;
      fields.set(field, now);
      this.#watch.restyled = true;
      this.#watch.touch(field, 2);
    }
  }

  #compareFocus(): void {
    const watch = this.#watch;
    const active = watch.activeIn(document);
    const focused = document.hasFocus();
    if (active === watch.active && focused === watch.focused) return;
    for (const element of [watch.active, active]) if (element?.isConnected === true) watch.touch(element, 1);
    watch.active = active;
    watch.focused = focused;
    watch.restyled = true;
  }

  /** Finds new shadow roots, which no event reports. */
  #findShadows(): void {
    this.#rooted = false;
    for (const element of this.#watch.keys.keys()) {
      if (element.shadowRoot === null) continue;
      this.#rooted = true;
      const shadow = this.#watch.openRoot(element);
      if (!shadow || this.#watch.roots.has(shadow)) continue;
      this.#watch.touch(element, 2);
      this.#watch.restyled = true;
    }
  }

  /**
   * Marks custom elements as changed: they can change their `ElementInternals` without an event. When there are more
   * than 30, only those that are form controls.
   */
  #suspect(): void {
    const { custom } = this.#watch;
    const defined = [...custom].filter((element) => element.matches(':defined'));
    const suspects =
      defined.length <= 30 ? defined : defined.filter((element) => element.matches(':enabled, :disabled'));
    this.#unasked = defined.length - suspects.length;
    if (suspects.length > 30) this.#watch.lost = 'there are too many controls of its own making';
    else for (const element of suspects) this.#watch.touch(element, 1);
  }

  /** Finds elements whose style changed, for whatever reason. */
  #compareLooks(): void {
    const changed = this.#tools.looks.changed(600);
    if (!changed) this.#watch.lost = 'too much looks different';
    for (const element of changed ?? []) {
      this.#watch.touch(element, 2);
      this.#watch.touch(element.parentNode, 1);
      // The button that opens a popover is elsewhere in the document, and its state changes too.
      if (element.hasAttribute('popover')) this.#watch.lost = 'something opened or closed';
    }
  }
}
