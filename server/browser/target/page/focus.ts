/** Finds where keyboard input goes. Runs inside the page. */
export class PageFocus {
  /** The focused element, into open shadow roots and same-process frames; the body when nothing has the focus. */
  element(): Element {
    let element: Element = document.activeElement ?? document.body;
    for (;;) {
      const inner = this.#isFrame(element) ? element.contentDocument?.activeElement : element.shadowRoot?.activeElement;
      if (!inner) return element;
      element = inner;
    }
  }

  /** The frame of another process that has the focus; null when the focus is in this one. */
  foreignFrame(): Element | null {
    const element = this.element();
    return this.#isFrame(element) && !element.contentDocument ? element : null;
  }

  /** The frame, of whatever process, that has the focus of this document itself; null when something else has it. */
  frame(): Element | null {
    let element: Element = document.activeElement ?? document.body;
    for (let inner = element.shadowRoot?.activeElement; inner; inner = element.shadowRoot?.activeElement)
      element = inner;
    return this.#isFrame(element) ? element : null;
  }

  #isFrame(element: Element): element is HTMLIFrameElement {
    return element.localName === 'iframe' || element.localName === 'frame';
  }
}
