import { z } from 'zod';
import { BUDGET_LIMITS } from '@/lib/budget/limits';

/** Parts shared by many kinds. */

const REF_PATTERN = /^(?:@|ref=)?(?:(f\d{1,6})?e)?(\d{1,9})$/;

/**
 * Brings every accepted spelling of a ref (`e12`, `f1e2`, `@e12`, `ref=e12`, `12`) to the one used inside: `e12` (SN4).
 */
export function canonicalRef(text: string): string | undefined {
  const digits = REF_PATTERN.exec(text.trim())?.[2];
  return digits === undefined ? undefined : `e${Number(digits)}`;
}

/** The same spelling, with the label of the frame if the caller wrote one, `f1e2`: for errors. */
export function shownRef(text: string): string | undefined {
  const ref = canonicalRef(text);
  return ref === undefined ? undefined : `${REF_PATTERN.exec(text.trim())?.[1] ?? ''}${ref}`;
}

export const refSchema = z
  .union([z.string().max(40), z.int().nonnegative()], {
    error: 'is not a ref: write it as the snapshot shows it, for example "e12"',
  })
  .transform((value, context) => {
    const ref = shownRef(String(value));
    if (ref !== undefined) return ref;
    context.addIssue({ code: 'custom', message: 'is not a ref: write it as the snapshot shows it, for example "e12"' });
    return z.NEVER;
  });

export const pointSchema = z.strictObject({
  x: z.number().min(-10_000).max(100_000),
  y: z.number().min(-10_000).max(100_000),
});
export type Point = z.infer<typeof pointSchema>;

export const nodeTargetSchema = z.strictObject({
  loaderId: z.string().min(1).max(100).optional(),
  backendNodeId: z.int().positive(),
  target: z.string().min(1).max(100).optional(),
});
export type NodeTarget = z.infer<typeof nodeTargetSchema>;

/** The flat target fields; exactly one way of naming the element may be used (AC2). */
export const targetFields = {
  ref: refSchema.optional(),
  role: z.string().min(1).max(80).optional(),
  name: z.string().max(1_000).optional(),
  nth: z.int().min(0).max(10_000).optional(),
  selector: z.string().min(1).max(2_000).optional(),
  at: pointSchema.optional(),
  /**
   * The subframe in which a role or a selector is looked for: its label (`f1`), a part of its address, or a selector of
   * its frame element.
   */
  frame: z.string().min(1).max(2_000).optional(),
  /**
   * One node by Chrome's ids, as a snapshot with `refs=1` returns them. `target`: the CDP target of a frame in another
   * process. Without `loaderId` the node is looked up in each document of the tab.
   */
  node: nodeTargetSchema.optional(),
} as const;

export interface TargetFields {
  readonly ref?: string | undefined;
  readonly role?: string | undefined;
  readonly name?: string | undefined;
  readonly nth?: number | undefined;
  readonly selector?: string | undefined;
  readonly at?: Point | undefined;
  readonly frame?: string | undefined;
  readonly node?: NodeTarget | undefined;
}

/** The element an action means, after the flat fields were read. */
export type Target =
  | { readonly by: 'ref'; readonly ref: string }
  | {
      readonly by: 'role';
      readonly role: string;
      readonly name: string | undefined;
      readonly nth: number | undefined;
      readonly frame: string | undefined;
    }
  | {
      readonly by: 'selector';
      readonly selector: string;
      readonly nth: number | undefined;
      readonly frame: string | undefined;
    }
  | { readonly by: 'node'; readonly node: NodeTarget }
  | { readonly by: 'point'; readonly at: Point };

/** Reads the flat fields; undefined when none is given. Call after validation, which refuses more than one. */
export function targetOf(fields: TargetFields): Target | undefined {
  const { ref, role, name, nth, selector, at, frame, node } = fields;
  if (ref !== undefined) return { by: 'ref', ref };
  if (role !== undefined) return { by: 'role', role, name, nth, frame };
  if (selector !== undefined) return { by: 'selector', selector, nth, frame };
  if (node !== undefined) return { by: 'node', node };
  if (at !== undefined) return { by: 'point', at };
  return undefined;
}

export type TargetRule = 'required' | 'optional' | 'element' | 'optional-element';

/**
 * Refinement for AC2: allows one way of naming the element, and requires it if the kind needs an element. `element`
 * refuses a point. `of-action`: the kind has a `frame` of its own, which may stand alone.
 */
export function checkTarget(rule: TargetRule, frameIs: 'of-target' | 'of-action' = 'of-target') {
  return (context: z.core.ParsePayload<TargetFields>): void => {
    const problem =
      targetProblem(context.value, rule) ?? (frameIs === 'of-target' ? frameProblem(context.value) : undefined);
    if (problem)
      context.issues.push({ code: 'custom', input: context.value, path: [problem.field], message: problem.message });
  };
}

function targetProblem(fields: TargetFields, rule: TargetRule): { field: string; message: string } | undefined {
  const ways = (['ref', 'role', 'selector', 'at', 'node'] as const).filter((key) => fields[key] !== undefined);
  const [first, second] = ways;
  if (first !== undefined && second !== undefined)
    return { field: second, message: `names a second target beside "${first}"; give exactly one` };
  if (first === undefined && (rule === 'required' || rule === 'element'))
    return { field: 'ref', message: 'is missing: name the element by ref, by role and name, or by selector' };
  if (first === 'at' && (rule === 'element' || rule === 'optional-element'))
    return { field: 'at', message: 'is for pointer actions; name an element here' };
  if (fields.name !== undefined && first !== 'role') return { field: 'name', message: 'goes with "role"' };
  if (fields.nth !== undefined && first !== 'role' && first !== 'selector')
    return { field: 'nth', message: 'goes with "role" or "selector"' };
  return undefined;
}

function frameProblem({ frame, role, selector }: TargetFields): { field: string; message: string } | undefined {
  return frame === undefined || (role ?? selector) !== undefined
    ? undefined
    : { field: 'frame', message: 'goes with "role" or "selector"' };
}

/** A target as a field of its own, such as the two ends of a drag. */
export const targetSchema = z.strictObject(targetFields).check(checkTarget('required'));

export const urlSchema = z.string().min(1).max(2_048);

const MOST_GLOB = 500;

/** A glob that is matched against many addresses, so it may have at most `MOST_GLOB` characters if it has wildcards. */
export const globSchema = urlSchema.refine((glob) => glob.length <= MOST_GLOB || !/[*?]/.test(glob), {
  error: `is a pattern of more than ${MOST_GLOB} characters: put ** in place of a part of it`,
});

/** Name of a file in the session's own folder. */
export const fileNameSchema = z.string().min(1).max(200);

export const modifierSchema = z.enum(['Alt', 'Control', 'ControlOrMeta', 'Meta', 'Shift']);
export type Modifier = z.infer<typeof modifierSchema>;

/** Delays inside an action, milliseconds. */
export const delaySchema = z.int().min(0).max(5_000);

const MOST_NESTING = 40;

/** A JSON value. Its depth is checked first, because zod's recursive validator could overflow the stack. */
export const jsonSchema = z
  .unknown()
  .refine((value) => isShallow(value), { message: `is nested more than ${MOST_NESTING} deep` })
  .pipe(z.json());

function isShallow(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; depth <= MOST_NESTING; depth += 1) {
    level = level.flatMap((item): unknown[] => (typeof item === 'object' && item !== null ? Object.values(item) : []));
    if (level.length === 0) return true;
  }
  return false;
}

const elementState = z.enum(['attached', 'detached', 'visible', 'hidden', 'enabled', 'disabled']);
const expectedTarget = z
  .strictObject({
    ref: refSchema.optional(),
    role: targetFields.role,
    name: targetFields.name,
    nth: targetFields.nth,
    selector: targetFields.selector,
    state: elementState.optional(),
  })
  .check(checkTarget('element'));

/**
 * Conditions that must all become true after the action, within the same budget. `url` is a glob; `changed`: whether a
 * snapshot shows any change, ignoring focus and scrolling.
 */
export const expectSchema = z
  .strictObject({
    url: urlSchema.optional(),
    text: z.string().min(1).max(1_000).optional(),
    textGone: z.string().min(1).max(1_000).optional(),
    target: expectedTarget.optional(),
    changed: z.boolean().optional(),
  })
  .refine((expect) => Object.values(expect).some((part) => part !== undefined), {
    message: 'needs at least one of url, text, textGone, target, changed',
  });
export type Expect = z.infer<typeof expectSchema>;

/** Fields that every action may have beside its own. */
export const envelopeFields = {
  /** Idempotency key, unique per participant for 10 minutes (CO10). */
  id: z.string().min(1).max(100).optional(),
  /** The lease epoch that the caller expects; absent: the epoch when the call comes in (CO10). */
  epoch: z.int().nonnegative().optional(),
  /** Tab id, label, target id, unique prefix, or `active` (SE2). */
  tab: z.string().min(1).max(200).optional(),
  /** Milliseconds for the whole call (BU5). */
  timeoutMs: z.int().min(BUDGET_LIMITS.minMs).max(BUDGET_LIMITS.maxMs).optional(),
  /** The agent's goal in its own words; shown beside the picture. */
  note: z.string().max(500).optional(),
  expect: expectSchema.optional(),
  /** Sends a snapshot with the reply: in full, or as a delta to the caller's last one. */
  snapshot: z.enum(['none', 'delta', 'full']).optional(),
} as const;
