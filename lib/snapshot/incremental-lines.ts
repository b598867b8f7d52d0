import { BoundedMap } from '@/lib/async/bounded-map';
import type { OpenLine } from './offscreen';

/** Forms whose lines are kept; the one that came first is let go first. */
const MOST_FORMS = 6;

/**
 * Lines of nodes that stay part of the tree when it is built again, by form and node. A node that is made anew has new
 * ones.
 */
export class IncrementalLines {
  readonly #forms = new BoundedMap<string, WeakMap<object, OpenLine>>(MOST_FORMS);

  /** `form`: all that a line depends on beside its node and what the line says of itself. */
  of(form: string): WeakMap<object, OpenLine> {
    const known = this.#forms.get(form);
    if (known) return known;
    const made = new WeakMap<object, OpenLine>();
    this.#forms.set(form, made);
    return made;
  }
}
