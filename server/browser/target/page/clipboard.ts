import type { PageFocus } from './focus';
import type { PageHidden } from './hidden';

export interface Copied {
  readonly text: string;
  /** The page did it by its own handler; nothing is left to delete for a cut. */
  readonly handled: boolean;
  /** What was selected stands in something editable. */
  readonly editable: boolean;
}

/**
 * Copies and pastes without Chrome's clipboard, which all contexts share (SE6): the page gets the same events, with our data in them.
 * Runs inside the page.
 */
export class PageClipboard {
  readonly #focus: PageFocus;
  readonly #hidden: PageHidden;

  constructor(focus: PageFocus, hidden: PageHidden) {
    this.#focus = focus;
    this.#hidden = hidden;
  }

  /** What a person's copy or cut would take. Fields with a password give nothing, as in Chrome, nor does what was typed privately (CO8). */
  copy(cut: boolean): Copied {
    const element = this.#focus.element();
    const data = new DataTransfer();
    const event = new ClipboardEvent(cut ? 'cut' : 'copy', { clipboardData: data, bubbles: true, cancelable: true, composed: true });
    if (!element.dispatchEvent(event)) return { text: data.getData('text/plain'), handled: true, editable: false };
    return { text: this.#selected(element), handled: false, editable: this.#isEditable(element) };
  }

  /** Offers text to the page's own paste handlers; true when it is left to us to insert it. */
  paste(text: string): boolean {
    const element = this.#focus.element();
    const data = new DataTransfer();
    data.setData('text/plain', text);
    const event = new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true, composed: true });
    return element.dispatchEvent(event) && this.#isEditable(element);
  }

  #selected(element: Element): string {
    if (this.#hidden.covers(element)) return '';
    if (!this.#isField(element)) return this.#marked(element.ownerDocument.getSelection());
    if (element.type === 'password') return '';
    return element.value.slice(element.selectionStart ?? 0, element.selectionEnd ?? 0);
  }

  #marked(selection: Selection | null): string {
    const hidden = selection !== null && selection.rangeCount > 0 && this.#hidden.meets(selection.getRangeAt(0));
    return hidden ? '' : String(selection ?? '');
  }

  #isEditable(element: Element): boolean {
    if (this.#isField(element)) return !element.readOnly && !element.disabled;
    return 'isContentEditable' in element && element.isContentEditable === true;
  }

  #isField(element: Element): element is HTMLInputElement | HTMLTextAreaElement {
    return element.localName === 'textarea' || (element.localName === 'input' && 'selectionStart' in element && element.selectionStart !== null);
  }
}
