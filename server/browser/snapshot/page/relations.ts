import type { DocumentWatch } from './watch';

/**
 * Finds elements elsewhere in the document that change together with the changed ones. Sent into pages as source text:
 * uses only its own members and the watch.
 */
export class DocumentRelations {
  readonly #watch: DocumentWatch;
  readonly #referrers = '[aria-labelledby],[aria-describedby]';

  constructor(watch: DocumentWatch) {
    this.#watch = watch;
  }

  /**
   * Touches elements that the changed ones name or describe, those that these name in turn, and labels with their
   * controls.
   */
  relate(): void {
    const { touched } = this.#watch;
    this.#relateLeft();
    let done = 0;
    for (let turn = 0; touched.size > done; turn += 1) {
      if (turn > 5) {
        this.#watch.lost = 'names hang together too far';
        return;
      }
      const news = [...touched].slice(done);
      done = touched.size;
      for (const [element, kind] of news) this.#relateLabels(element, kind);
      this.#relateReferrers(news.map(([element]) => element));
    }
  }

  /** Touches the elements that referred to elements which left the document. */
  #relateLeft(): void {
    const { leftIds, roots } = this.#watch;
    if (leftIds.size === 0) return;
    for (const root of roots) {
      for (const id of leftIds) this.#watch.touch(root.getElementById(id), 1);
      for (const referrer of root.querySelectorAll(this.#referrers))
        if (this.#idsOf(referrer).some((id) => leftIds.has(id))) this.#watch.touch(referrer, 1);
    }
    leftIds.clear();
  }

  #idsOf(referrer: Element): string[] {
    return `${referrer.getAttribute('aria-labelledby') ?? ''} ${referrer.getAttribute('aria-describedby') ?? ''}`
      .trim()
      .split(/\s+/);
  }

  #relateReferrers(changed: readonly Element[]): void {
    const near = (one: Element): boolean => changed.some((element) => one.contains(element) || element.contains(one));
    for (const root of this.#watch.roots) {
      for (const referrer of root.querySelectorAll(this.#referrers)) {
        const named = this.#idsOf(referrer)
          .slice(0, 20)
          .map((id) => (id === '' ? null : root.querySelector(`#${CSS.escape(id)}`)));
        if (named.some((one) => one !== null && near(one))) this.#watch.touch(referrer, 1);
      }
    }
  }

  #relateLabels(element: Element, kind: number): void {
    const labels = [
      ...this.#labelsAround(element),
      ...(kind === 2 ? Array.from(element.getElementsByTagName('label')) : []),
    ];
    for (const label of labels)
      if (label instanceof HTMLLabelElement && label.control) this.#watch.touch(label.control, 1);
    const own: unknown = Reflect.get(element, 'labels');
    if (own instanceof NodeList) for (const label of Array.from(own)) this.#watch.touch(label, 1);
  }

  /** All labels around an element: a label may be inside another one, whose text includes it. */
  #labelsAround(element: Element): Element[] {
    const around: Element[] = [];
    for (let label = element.closest('label'); label; label = label.parentElement?.closest('label') ?? null)
      around.push(label);
    return around;
  }
}
