import { PageBoxes } from './boxes';
import { PageClipboard } from './clipboard';
import { SECRET_PATTERNS } from '@/lib/snapshot/secret';
import { PageExtract } from './extract';
import { INPUT_TYPES, PageFacts } from './facts';
import { PageFocus } from './focus';
import { PageForms } from './forms';
import { PageFrames } from './frames';
import { PageHidden } from './hidden';
import { PageValueSnapshot } from './value-snapshot';
import { PageLists } from './lists';
import { PagePasswords } from './passwords';
import { PagePopups } from './popups';
import { PageProbe } from './probe';
import { PageQuiet } from './quiet';
import { PageReach } from './reach';
import { PageScroller } from './scroller';
import { PageSecrets } from './secrets';
import { PageSearch } from './search';
import { PageLabelProxies } from './label-proxies';
import { PageWaits } from './waits';
import { PageEventTarget, EVENT_TARGET_LIMITS } from './event-target';
import { PageTextSearch } from './text-search';

/**
 * Tells whether the browser would refuse to submit a form because a field is not valid. Runs inside the page, and
 * changes nothing in it.
 */
class PageValidity {
  /**
   * The browser's own message for the first invalid field, when a press on this element would submit its form; else
   * null.
   */
  objection(element: Element): string | null {
    const field = this.field(element);
    return field !== null && 'validationMessage' in field && typeof field.validationMessage === 'string'
      ? field.validationMessage
      : null;
  }

  /** The first field that keeps this element's form from being submitted. */
  field(element: Element): Element | null {
    const form = this.#sends(element);
    return form === null
      ? null
      : (Array.from(form.elements).find(
          (field) => field.matches(':invalid') && 'willValidate' in field && field.willValidate === true,
        ) ?? null);
  }

  /** The form that a press on this element, or Enter in it, submits after validation. */
  #sends(element: Element): HTMLFormElement | null {
    const control = element.closest('button, input');
    const button = control !== null && this.#isSubmit(control) ? control : this.#defaultButton(control);
    const form = button === null || button.disabled || button.formNoValidate ? null : button.form;
    return form === null || form.noValidate ? null : form;
  }

  /** The button that Enter in a field presses. */
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

/**
 * Drops files on a place of the page. Dispatches our own events instead of Chrome's: a real drop on a place that takes
 * no files opens them as a page of the session (docs/chrome-facts.md, Input), which the guard does not allow for any
 * address (GU1).
 */
class PageDrops {
  readonly #reach: PageReach;
  readonly #forms: PageForms;

  constructor(reach: PageReach, forms: PageForms) {
    this.#reach = reach;
    this.#forms = forms;
  }

  /** The element that a drop at a point of the document's viewport would hit. */
  at(point: { readonly x: number; readonly y: number }): Element | null {
    return this.#reach.deepest(document, point) ?? null;
  }

  /** A detached file field that brings files into the page. */
  carrier(): Element {
    const field = document.createElement('input');
    field.type = 'file';
    field.multiple = true;
    return field;
  }

  /** The file field at this place, or the one that its label belongs to; null when there is none. */
  fieldOf(element: Element): Element | null {
    const label = element.closest('label');
    return label || element.localName === 'input' ? this.#forms.fileField(label ?? element) : null;
  }

  /** Drops the carrier's files; false where the page does not take files. */
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

/**
 * The helpers that are put into each document's isolated world, where the page's scripts can neither see nor change
 * them.
 */
export interface InjectedScript {
  readonly boxes: PageBoxes;
  readonly clipboard: PageClipboard;
  readonly drops: PageDrops;
  readonly extract: PageExtract;
  readonly facts: PageFacts;
  readonly focus: PageFocus;
  readonly forms: PageForms;
  readonly hidden: PageHidden;
  readonly valueSnapshot: PageValueSnapshot;
  readonly lists: PageLists;
  readonly popups: PagePopups;
  readonly probe: PageProbe;
  readonly quiet: PageQuiet;
  readonly reach: PageReach;
  readonly scroller: PageScroller;
  readonly search: PageSearch;
  readonly secrets: PageSecrets;
  readonly validity: PageValidity;
  readonly waits: PageWaits;
  readonly eventTargets: PageEventTarget;
}

/**
 * An expression that makes the injected script. The classes are sent as their own source text; each may use only its
 * members and its constructor's arguments. Some TypeScript compilers wrap functions in `__name`, so it is defined here.
 */
export const INJECTED_SOURCE = `(() => {
  const __name = (value) => value;
  const frames = new (${PageFrames.toString()})();
  const focus = new (${PageFocus.toString()})();
  const labelProxies = new (${PageLabelProxies.toString()})();
  const passwords = new (${PagePasswords.toString()})();
  const hidden = new (${PageHidden.toString()})();
  const boxes = new (${PageBoxes.toString()})(labelProxies);
  const facts = new (${PageFacts.toString()})(boxes, hidden, ${JSON.stringify(INPUT_TYPES.untyped)}, ${JSON.stringify(INPUT_TYPES.whole)});
  const reach = new (${PageReach.toString()})(boxes);
  const forms = new (${PageForms.toString()})(boxes, facts, frames);
  const search = new (${PageSearch.toString()})(frames);
  const eventTargets = new (${PageEventTarget.toString()})(facts, focus, passwords, ${JSON.stringify(SECRET_PATTERNS.token)}, ${JSON.stringify(SECRET_PATTERNS.name)}, ${JSON.stringify(EVENT_TARGET_LIMITS)});
  return {
    boxes,
    facts,
    focus,
    reach,
    popups: new (${PagePopups.toString()})(reach),
    probe: new (${PageProbe.toString()})(boxes, facts, reach, frames),
    forms,
    hidden,
    drops: new (${PageDrops.toString()})(reach, forms),
    extract: new (${PageExtract.toString()})(boxes, hidden, passwords, ${JSON.stringify(SECRET_PATTERNS.token)}, ${JSON.stringify(SECRET_PATTERNS.name)}),
    valueSnapshot: new (${PageValueSnapshot.toString()})(facts, forms),
    lists: new (${PageLists.toString()})(boxes, frames),
    scroller: new (${PageScroller.toString()})(boxes, frames, reach),
    search,
    validity: new (${PageValidity.toString()})(),
    waits: new (${PageWaits.toString()})(boxes, facts, search, new (${PageTextSearch.toString()})(boxes, hidden)),
    clipboard: new (${PageClipboard.toString()})(focus, hidden),
    eventTargets,
    secrets: new (${PageSecrets.toString()})(eventTargets, facts, focus, hidden, passwords, ${JSON.stringify(SECRET_PATTERNS.label)}),
    quiet: new (${PageQuiet.toString()})(frames),
  };
})()`;
