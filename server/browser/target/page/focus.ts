/** Finds where keyboard input goes. Runs inside the page. */
export class PageFocus {
  /**
   * The focused element, into open shadow roots and same-process frames; the body when nothing has the focus. Null
   * while the document has no root element, as right after a crash.
   */
  element(): Element | null {
    let element = document.activeElement;
    for (;;) {
      const inner =
        element && this.#isFrame(element) ? element.contentDocument?.activeElement : element?.shadowRoot?.activeElement;
      if (!inner) return element;
      element = inner;
    }
  }

  /** The frame of another process that has the focus; null when the focus is in this one. */
  foreignFrame(): Element | null {
    const element = this.element();
    return element && this.#isFrame(element) && !element.contentDocument ? element : null;
  }

  /** The frame, of whatever process, that has the focus of this document itself; null when something else has it. */
  frame(): Element | null {
    const element = this.own();
    return element && this.#isFrame(element) ? element : null;
  }

  /** The focused element of this document itself, into open shadow roots; null as in `element`. */
  own(): Element | null {
    let element = document.activeElement;
    for (let inner = element?.shadowRoot?.activeElement; inner; inner = inner.shadowRoot?.activeElement)
      element = inner;
    return element;
  }

  #isFrame(element: Element): element is HTMLIFrameElement {
    return element.localName === 'iframe' || element.localName === 'frame';
  }
}
