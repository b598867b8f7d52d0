import type { PageFacts } from './facts';
import type { PageForms } from './forms';

/** Restores a field: its value, its check mark, its selected options or its content. */
type RestoreValue = (element: Element) => void;

/** Remembers what fields hold and restores it. Runs inside the page, where the old values stay: some are secret. */
export class PageValueSnapshot {
  readonly #facts: PageFacts;
  readonly #forms: PageForms;
  #fields: { readonly element: Element; readonly restore: RestoreValue }[] = [];

  constructor(facts: PageFacts, forms: PageForms) {
    this.#facts = facts;
    this.#forms = forms;
  }

  /** Forgets all remembered fields. */
  begin(): number {
    this.#fields = [];
    return 0;
  }

  /**
   * Remembers one field; false for one that cannot be restored by setting it, such as a list that the page renders
   * itself.
   */
  keep(element: Element): boolean {
    const restore = this.#howToRestore(element);
    if (restore) this.#fields.push({ element, restore });
    return restore !== undefined;
  }

  /**
   * Restores the remembered fields, last first, with the events of a change. Returns how many of them are still in the
   * page.
   */
  restore(): number {
    const present = this.#fields.toReversed().filter(({ element }) => element.isConnected);
    for (const { element, restore } of present) restore(element);
    this.#fields = [];
    return present.length;
  }

  /** A radio button is restored by checking the one of its group that was checked before. */
  #radio(element: Element): RestoreValue {
    const name = element.getAttribute('name') ?? '';
    const all =
      name === ''
        ? [element]
        : Array.from(document.querySelectorAll(`input[type="radio"][name="${CSS.escape(name)}"]`));
    const form = 'form' in element ? element.form : null;
    const checked = all.find((other) => 'form' in other && other.form === form && this.#facts.checked(other) === true);
    return (radio) => this.#forms.setChecked(checked ?? radio, checked !== undefined);
  }

  #howToRestore(element: Element): RestoreValue | undefined {
    const options = this.#forms.options(element);
    if (options && 'selectedOptions' in element && element.selectedOptions instanceof HTMLCollection) {
      const indexes = Array.from(element.selectedOptions, (option) => ('index' in option ? Number(option.index) : -1));
      return (select) => void this.#forms.choose(select, indexes);
    }
    const facts = this.#facts.of(element);
    if (facts.tag === 'input' && facts.checkable === 'radio') return this.#radio(element);
    if (facts.tag === 'input' && facts.checkable !== 'no')
      return (box) => this.#forms.setChecked(box, facts.checked === true);
    if (element.localName === 'input' || element.localName === 'textarea') {
      const value = this.#forms.value(element);
      return (field) => this.#forms.put(field, value);
    }
    if (facts.editable !== 'text') return undefined;
    const content = Array.from(element.childNodes, (node) => node.cloneNode(true));
    return (area) => this.#forms.putContent(area, content);
  }
}
