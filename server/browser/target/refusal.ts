import type { Budget } from '@/lib/budget/budget';
import { WheelhouseError } from '@/lib/errors/error';
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

/** The error for an element that cannot be acted on, made from the last look at it (AC3). */
export async function refusalOf(
  budget: Budget,
  tab: TargetTab,
  element: PageElement,
  seen: ProbedElement,
): Promise<WheelhouseError> {
  if (seen.state === 'covered') return coverOf(budget, tab, element, seen);
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
async function coverOf(
  budget: Budget,
  tab: TargetTab,
  element: PageElement,
  { why: described, asked = element }: ProbedElement,
): Promise<WheelhouseError> {
  const known = await inTime(budget, (inner) => nearestKnown(inner, tab, asked));
  const by = known
    ? { ref: known.ref, role: known.role, name: known.name, element: described }
    : { element: described };
  const words = known
    ? `[${known.ref}] ${known.role}${known.name === '' ? '' : ` ${JSON.stringify(known.name)}`}`
    : described;
  const details = { by, target: { ...element.about }, log: [...budget.log] };
  return new WheelhouseError('COVERED', `${element.title} is covered by ${words}.`, { details });
}

/**
 * Runs `work` within a small part of the remaining time; undefined when it takes longer, since the refusal must not
 * wait for a name.
 */
async function inTime<T>(budget: Budget, work: (inner: Budget) => Promise<T>): Promise<T | undefined> {
  try {
    return await budget.within(NAMING_MS, work, { reserveMs: 30 });
  } catch (error) {
    if (budget.over && budget.reason().code !== 'TIMEOUT') throw error;
    return undefined;
  }
}

async function nearestKnown(budget: Budget, tab: TargetTab, { world, objectId }: NonNullable<ProbedElement['asked']>) {
  const chainId = await world.pick(budget, injectedCall('probe', 'blockers', { objectId }));
  if (chainId === undefined) return undefined;
  const { result } = await budget.race(
    world.session.send('Runtime.getProperties', { objectId: chainId, ownProperties: true }),
  );
  for (const { value } of result) {
    if (value?.subtype !== 'node' || value.objectId === undefined) continue;
    const { known } = await identify(budget, world, tab.refs, value.objectId);
    if (known) return known;
  }
  return undefined;
}
