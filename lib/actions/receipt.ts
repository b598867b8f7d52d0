import { z } from 'zod';
import { doneSchema } from './done';

const tabSchema = z.object({ id: z.string(), url: z.string(), title: z.string() });

/** What changed on the page since the agent last saw it. */
const pageSchema = z.object({
  tab: z.string(),
  /** The revision that the agent saw last. */
  since: z.int().optional(),
  revision: z.int().optional(),
  /** The changes, in the form of a snapshot with `since`. */
  text: z.string().optional(),
  /** Why there is no diff: the agent had no earlier snapshot, too much changed, or the page did not answer. */
  why: z.string().optional(),
});

/** What happened to the refs that the agent has of that page. */
const refsSchema = z.object({
  tab: z.string(),
  /** Number of refs that still name the same element. */
  kept: z.int(),
  /** The element has a new ref now; the old one still works. */
  rebound: z.array(z.object({ ref: z.string(), now: z.string() })),
  /** Refs whose element is gone. */
  invalid: z.array(z.string()),
});
export type RefFates = z.infer<typeof refsSchema>;

/**
 * The report that an agent gets at a hand-back (CO5). Receipts of older servers end at `tabs`. Every part is bounded;
 * `cut` says what was left out.
 */
export const receiptSchema = z.object({
  by: z.string(),
  note: z.string().optional(),
  takenAt: z.string(),
  returnedAt: z.string(),
  url: z.string(),
  tabs: z.array(tabSchema),
  /** Name of the agent. */
  to: z.string().optional(),
  /** The address of the handed-back tab at the time the person took it. */
  urlBefore: z.string().optional(),
  tabsOpened: z.array(tabSchema).optional(),
  tabsClosed: z.array(tabSchema).optional(),
  /** What the person did, in order, in the vocabulary of actions and as steps; secrets are hidden. */
  actions: z.array(doneSchema).optional(),
  downloads: z.array(z.object({ name: z.string(), state: z.enum(['running', 'done', 'failed']) })).optional(),
  /** Cookie names only, no values. */
  cookies: z
    .object({ added: z.array(z.string()), changed: z.array(z.string()), removed: z.array(z.string()) })
    .optional(),
  page: pageSchema.optional(),
  refs: refsSchema.optional(),
  cut: z.array(z.string()).optional(),
});
export type Receipt = z.infer<typeof receiptSchema>;

/** Most actions of a receipt, most characters of all their steps, and most characters of the page's changes. */
export const RECEIPT_LIMITS = { actions: 60, steps: 12_000, page: 6_000 } as const;

/** The newest actions that fit, and the number of those left out. */
export function fittingActions<T extends { readonly step: string }>(
  all: readonly T[],
): { readonly actions: T[]; readonly left: number } {
  let room: number = RECEIPT_LIMITS.steps;
  const actions = all
    .slice(-RECEIPT_LIMITS.actions)
    .toReversed()
    .filter(({ step }) => {
      room -= step.length;
      return room >= 0;
    });
  return { actions: actions.toReversed(), left: all.length - actions.length };
}

/** Joins two receipts that the agent has not acknowledged yet. */
export function joinReceipts(older: Receipt, newer: Receipt): Receipt {
  const { actions, left } = fittingActions([...(older.actions ?? []), ...(newer.actions ?? [])]);
  const notes = [older.note, newer.note].filter((note) => note !== undefined);
  const cut = [...(older.cut ?? []), ...(newer.cut ?? []), ...(left > 0 ? [cutActions(left)] : [])];
  return {
    ...newer,
    takenAt: older.takenAt,
    ...(notes.length > 0 && { note: notes.join('\n') }),
    ...(older.urlBefore !== undefined && { urlBefore: older.urlBefore }),
    actions,
    tabsOpened: [...(older.tabsOpened ?? []), ...(newer.tabsOpened ?? [])],
    tabsClosed: [...(older.tabsClosed ?? []), ...(newer.tabsClosed ?? [])],
    downloads: [...(older.downloads ?? []), ...(newer.downloads ?? [])].slice(-20),
    cookies: {
      added: both(older.cookies?.added, newer.cookies?.added),
      changed: both(older.cookies?.changed, newer.cookies?.changed),
      removed: both(older.cookies?.removed, newer.cookies?.removed),
    },
    ...(cut.length > 0 && { cut: [...new Set(cut)].slice(-8) }),
  };
}

export function cutActions(count: number): string {
  return `${count} earlier actions`;
}

function both(older: readonly string[] = [], newer: readonly string[] = []): string[] {
  return [...new Set([...older, ...newer])].slice(0, 60);
}
