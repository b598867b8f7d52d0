/** The size of a page, counted before anything large is asked of Chrome (SN10). Counting stops at the limits. */
export interface PageWeight {
  /** Infinity when it could not be counted. */
  readonly elements: number;
  /** Elements and texts. */
  readonly nodes: number;
  /** Characters of texts and attributes. */
  readonly chars: number;
  /** Nodes that a script cannot count, in closed shadow roots; Infinity when they could not be counted. */
  readonly hidden: number;
}

/**
 * Above these only what is in view is read: a full tree of 100 000 rows is one message of 101 MB and takes 32 s
 * (docs/chrome-facts.md, Accessibility and DOM).
 */
export const WEIGHT_LIMITS = {
  elements: 20_000,
  /** Elements and texts; counting stops there too. */
  nodes: 100_000,
  chars: 8_000_000,
  hidden: 200_000,
} as const;

/**
 * Upper estimate of the time that a full accessibility tree takes for each element, milliseconds; measured: 0.08 at 2
 * 800 elements, 0.22 at 28 000.
 */
const FULL_MS_PER_ELEMENT = 0.2;

export type ReadMode = { readonly kind: 'full' } | { readonly kind: 'in-view'; readonly reason: string };

/** Decides how a page is read. `patienceMs`: the shortest time that any waiting caller has left. */
export function readMode(weight: PageWeight, patienceMs: number): ReadMode {
  const { elements, nodes, chars, hidden } = WEIGHT_LIMITS;
  if (!Number.isFinite(weight.elements)) return inView('its elements could not be counted');
  if (weight.elements > elements) return inView(`it has more than ${elements} elements`);
  if (weight.nodes > nodes) return inView(`it has more than ${nodes} nodes`);
  if (weight.chars > chars) return inView(`it holds more than ${chars} characters`);
  if (!Number.isFinite(weight.hidden)) return inView('its nodes could not be counted');
  if (weight.hidden > hidden) return inView(`it hides more than ${hidden} nodes`);
  if (weight.elements * FULL_MS_PER_ELEMENT > patienceMs / 2)
    return inView(`${Math.round(patienceMs)} ms are too short for its ${weight.elements} elements`);
  return { kind: 'full' };
}

function inView(reason: string): ReadMode {
  return { kind: 'in-view', reason };
}
