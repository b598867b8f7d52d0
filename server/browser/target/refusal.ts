import type { Budget } from '@/lib/budget/budget';
import { WheelhouseError } from '@/lib/errors/error';
import type { RefEntry } from '../refs';
import { identify } from './describe';
import type { PageElement } from './element';
import type { ProbedElement } from './element-look';
import type { ProbeState } from './page/probe';
import type { TargetTab } from './ports';
import { injectedCall } from './world';

/** Most time for naming the covering element, milliseconds. */
const NAMING_MS = 500;

const CODES = {
  ready: 'INTERNAL',
  gone: 'NODE_GONE',
  hidden: 'NOT_VISIBLE',
  disabled: 'DISABLED',
  readonly: 'DISABLED',
  wrong: 'WRONG_ELEMENT',
  moving: 'NOT_VISIBLE',
  offscreen: 'OFFSCREEN',
  covered: 'COVERED',
} as const satisfies Record<ProbeState, string>;

/**
 * Finds the ref of the element that covers another. Begins as soon as the cover is seen: when the wait is over, a busy
 * machine leaves no time to ask (AC3).
 */
export class CoverLookup {
  #found: { readonly why: string; readonly known: RefEntry } | undefined;
  /** The words of the cover that was asked for last. */
  #asked: string | undefined;

  constructor(
    private readonly budget: Budget,
    private readonly tab: TargetTab,
  ) {}

  /** Call with each look: starts to ask for a cover that was not asked for yet. */
  begin(element: PageElement, seen: ProbedElement): void {
    if (seen.state !== 'covered' || seen.why === this.#asked) return;
    this.#asked = seen.why;
    this.#ask(this.budget, element, seen).catch(() => undefined);
  }

  /** Asks again when the cover was not found, or had no ref when it was first seen. */
  async known(element: PageElement, seen: ProbedElement): Promise<RefEntry | undefined> {
    if (this.#found?.why !== seen.why) await inTime(this.budget, (inner) => this.#ask(inner, element, seen));
    return this.#found?.why === seen.why ? this.#found.known : undefined;
  }

  async #ask(budget: Budget, element: PageElement, { why, asked = element }: ProbedElement): Promise<void> {
    const known = await nearestKnown(budget, this.tab, asked);
    if (known) this.#found = { why, known };
  }
}

/** The error for an element that cannot be acted on, made from the last look at it (AC3). */
export async function refusalOf(
  budget: Budget,
  covers: CoverLookup,
  element: PageElement,
  seen: ProbedElement,
): Promise<WheelhouseError> {
  if (seen.state === 'covered') return coverOf(budget, await covers.known(element, seen), element, seen.why);
  const details = { target: { ...element.about }, log: [...budget.log], ...(seen.facts ? { is: seen.facts } : {}) };
  const hint = seen.state === 'moving' ? 'Wait until it stands still, or use force.' : undefined;
  return new WheelhouseError(CODES[seen.state], `${element.title} cannot be used: ${seen.why}.`, {
    details,
    ...(hint === undefined ? {} : { hint }),
  });
}

/**
 * The error COVERED. Names the covering element by its ref, role and name when it or an ancestor of it has a ref, else
 * by tag, id and class.
 */
function coverOf(
  budget: Budget,
  known: RefEntry | undefined,
  element: PageElement,
  described: string,
): WheelhouseError {
  const by = known
    ? { ref: known.ref, role: known.role, name: known.name, element: described }
    : { element: described };
  const words = known
    ? `[${known.ref}] ${known.role}${known.name === '' ? '' : ` ${JSON.stringify(known.name)}`}`
    : described;
  const details = { by, target: { ...element.about }, log: [...budget.log] };
  return new WheelhouseError('COVERED', `${element.title} is covered by ${words}.`, { details });
}

/** Runs `work` within a small part of the remaining time; the refusal must not wait for a name. */
async function inTime(budget: Budget, work: (inner: Budget) => Promise<void>): Promise<void> {
  try {
    await budget.within(NAMING_MS, work, { reserveMs: 30 });
  } catch (error) {
    if (budget.over && budget.reason().code !== 'TIMEOUT') throw error;
  }
}

/** The first of a cover and its ancestors that has a ref. */
async function nearestKnown(
  budget: Budget,
  tab: TargetTab,
  { world, objectId }: NonNullable<ProbedElement['asked']>,
): Promise<RefEntry | undefined> {
  const chainId = await world.pick(budget, injectedCall('probe', 'blockers', { objectId }));
  if (chainId === undefined) return undefined;
  const { result } = await budget.race(
    world.session.send('Runtime.getProperties', { objectId: chainId, ownProperties: true }),
  );
  const ids = result.flatMap(({ value }) => (value?.subtype === 'node' ? (value.objectId ?? []) : []));
  const nodes = await Promise.all(ids.map((id) => identify(budget, world, tab.refs, id)));
  for (const id of [chainId, ...ids]) world.release(id);
  return nodes.find(({ known }) => known)?.known;
}
