import type { PageFocus } from './focus';
import type { PageHidden } from './hidden';

export interface Copied {
  readonly text: string;
}

/**
 * Copies and pastes without Chrome's clipboard, which all contexts share (SE6): dispatches the same events to the page,
 * with our data in them. Runs inside the page.
 */
export class PageClipboard {
  readonly #focus: PageFocus;
  readonly #hidden: PageHidden;
  /** Most documents of one process that are listened to for one key. */
  readonly #mostWindows = 50;
  #key: KeyboardEvent | undefined;
  #stop: (() => void) | undefined;

  constructor(focus: PageFocus, hidden: PageHidden) {
    this.#focus = focus;
    this.#hidden = hidden;
  }

  /** Records the next key that goes down, wherever in this process the page moves the focus meanwhile. */
  listen(): null {
    this.#stop?.();
    this.#key = undefined;
    const heard = (event: KeyboardEvent): void => {
      if (event.isTrusted) this.#key = event;
    };
    const windows = this.#windows(window);
    for (const each of windows) each.addEventListener('keydown', heard, true);
    this.#stop = () => {
      for (const each of windows) each.removeEventListener('keydown', heard, true);
    };
    return null;
  }

  /**
   * Whether the page left that key to the browser. A key whose event never reached us counts as handled by the page.
   */
  wasLeft(): boolean {
    const key = this.#key;
    this.#stop?.();
    this.#key = undefined;
    return key !== undefined && !key.defaultPrevented;
  }

  /**
   * Returns what a person's copy or cut takes; a cut deletes it. Password fields give nothing, as in Chrome, and
   * neither does privately typed text (CO8).
   */
  copy(cut: boolean): Copied {
    const element = this.#focus.element();
    if (!element) return { text: '' };
    const data = new DataTransfer();
    const event = new ClipboardEvent(cut ? 'cut' : 'copy', {
      clipboardData: data,
      bubbles: true,
      cancelable: true,
      composed: true,
    });
    if (!element.dispatchEvent(event)) return { text: data.getData('text/plain') };
    const text = this.#selected(element);
    if (cut && text !== '' && this.#isEditable(element)) element.ownerDocument.execCommand('delete');
    return { text };
  }

  /** Offers text to the page's own paste handlers; true when the page leaves it to us to insert the text. */
  paste(text: string): boolean {
    const element = this.#focus.element();
    const data = new DataTransfer();
    data.setData('text/plain', text);
    const event = new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true, composed: true });
    return element?.dispatchEvent(event) === true && this.#isEditable(element);
  }

  #windows(top: Window): Window[] {
    const found = [top];
    for (let at = 0; at < found.length && found.length < this.#mostWindows; at += 1) {
      const { frames } = found[at] ?? top;
      for (let index = 0; index < frames.length && found.length < this.#mostWindows; index += 1) {
        const inner = frames[index];
        if (inner && this.#isNear(inner)) found.push(inner);
      }
    }
    return found;
  }

  /** Whether a frame is in this process; frames of other processes cannot be asked. */
  #isNear(frame: Window): boolean {
    try {
      return frame.document !== null;
    } catch {
      return false;
    }
  }

  #selected(element: Element): string {
    if (this.#hidden.leaves(element)) return '';
    if (!this.#isField(element)) return String(element.ownerDocument.getSelection() ?? '');
    if (element.type === 'password') return '';
    return element.value.slice(element.selectionStart ?? 0, element.selectionEnd ?? 0);
  }

  #isEditable(element: Element): boolean {
    if (this.#isField(element)) return !element.readOnly && !element.disabled;
    return 'isContentEditable' in element && element.isContentEditable === true;
  }

  #isField(element: Element): element is HTMLInputElement | HTMLTextAreaElement {
    return (
      element.localName === 'textarea' ||
      (element.localName === 'input' && 'selectionStart' in element && element.selectionStart !== null)
    );
  }
}
