import type { PageForms } from './forms';
import type { PageReach } from './reach';

/**
 * Lets files fall on a place of the page. The events are ours, not Chrome's: a real drop on a place that does not take
 * files opens them as a page of the session (Chromium 156, measured), which no address may do (GU1).
 */
export class PageDrops {
  readonly #reach: PageReach;
  readonly #forms: PageForms;

  constructor(reach: PageReach, forms: PageForms) {
    this.#reach = reach;
    this.#forms = forms;
  }

  /** What files would fall on at a point of the document's viewport. */
  at(point: { readonly x: number; readonly y: number }): Element | null {
    return this.#reach.deepest(document, point) ?? null;
  }

  /** A file field that belongs to nobody, to carry files into the page. */
  carrier(): Element {
    const field = document.createElement('input');
    field.type = 'file';
    field.multiple = true;
    return field;
  }

  /** The file field under the place, or that its label stands for; null when there is none. */
  fieldOf(element: Element): Element | null {
    const label = element.closest('label');
    return label || element.localName === 'input' ? this.#forms.fileField(label ?? element) : null;
  }

  /** Drops what the carrier holds; false where the page does not take files. */
  drop(element: Element, carrier: Element, { x, y }: { readonly x: number; readonly y: number }): boolean {
    const dataTransfer = new DataTransfer();
    if ('files' in carrier && carrier.files instanceof FileList)
      for (const file of carrier.files) dataTransfer.items.add(file);
    dataTransfer.effectAllowed = 'copy';
    const tell = (type: string): boolean =>
      element.dispatchEvent(
        new DragEvent(type, {
          bubbles: true,
          cancelable: true,
          composed: true,
          view: window,
          clientX: x,
          clientY: y,
          dataTransfer,
        }),
      );
    tell('dragenter');
    const taken = !tell('dragover');
    if (taken) tell('drop');
    else tell('dragleave');
    return taken;
  }
}
