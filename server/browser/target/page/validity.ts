/**
 * Whether the browser would keep a form from being sent, since a field of it is not valid; runs inside the page, and
 * changes nothing in it.
 */
export class PageValidity {
  /**
   * What the browser says of the first such field, in its own words, when pressing this would send its form; else null.
   */
  objection(element: Element): string | null {
    const field = this.field(element);
    return field !== null && 'validationMessage' in field && typeof field.validationMessage === 'string'
      ? field.validationMessage
      : null;
  }

  /** The first field that keeps the form of this back. */
  field(element: Element): Element | null {
    const form = this.#sends(element);
    return form === null
      ? null
      : (Array.from(form.elements).find(
          (field) => field.matches(':invalid') && 'willValidate' in field && field.willValidate === true,
        ) ?? null);
  }

  /** The form that a press on this, or Enter in it, sends after a look at its fields. */
  #sends(element: Element): HTMLFormElement | null {
    const control = element.closest('button, input');
    const button = control !== null && this.#isSubmit(control) ? control : this.#defaultButton(control);
    const form = button === null || button.disabled || button.formNoValidate ? null : button.form;
    return form === null || form.noValidate ? null : form;
  }

  /** What Enter in a field presses. */
  #defaultButton(field: Element | null): HTMLButtonElement | HTMLInputElement | null {
    if (field === null || !this.#isInput(field) || field.form === null) return null;
    const controls = Array.from(field.form.elements);
    return controls.find((control) => this.#isSubmit(control)) ?? null;
  }

  #isSubmit(element: Element): element is HTMLButtonElement | HTMLInputElement {
    return (
      (element.localName === 'button' || element.localName === 'input') &&
      'type' in element &&
      (element.type === 'submit' || element.type === 'image')
    );
  }

  #isInput(element: Element): element is HTMLInputElement {
    return element.localName === 'input';
  }
}
