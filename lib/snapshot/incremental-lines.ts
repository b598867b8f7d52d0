import { BoundedMap } from '@/lib/async/bounded-map';
import type { OpenLine } from './offscreen';

/** Number of forms whose lines are kept; the oldest form is dropped first. */
const MOST_FORMS = 6;

/**
 * Printed lines of nodes that stay part of the tree when it is built again, by form and node. A node that is rebuilt
 * gets new lines.
 */
export class IncrementalLines {
  readonly #forms = new BoundedMap<string, WeakMap<object, OpenLine>>(MOST_FORMS);

  /** `form`: everything that a line depends on besides its node and its own offscreen mark. */
  of(form: string): WeakMap<object, OpenLine> {
    const known = this.#forms.get(form);
    if (known) return known;
    const made = new WeakMap<object, OpenLine>();
    this.#forms.set(form, made);
    return made;
  }
}
