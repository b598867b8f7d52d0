/** The state of a viewer's picture, as reported to the viewer (FR5). */
export type ViewState =
  | { readonly state: 'live' | 'still' }
  | { readonly state: 'behind'; readonly behindMs: number }
  | { readonly state: 'paused' | 'lost'; readonly reason: string };

/** The facts that decide it. Times in milliseconds of one monotonic clock. */
export interface ViewFacts {
  /** Why there are no pictures, when there are none. */
  readonly stop: { readonly state: 'paused' | 'lost'; readonly reason: string } | undefined;
  /** When the last two pictures in motion arrived, older first. */
  readonly motions: readonly number[];
  /** Motion goes on for this long after a picture. */
  readonly motionMs: number;
  /**
   * From when on the viewer counts as behind, because the oldest picture on its way to it is not painted; undefined
   * when none is on its way.
   */
  readonly waitingSince: number | undefined;
  /** How old the last painted picture was when it was painted. */
  readonly lastLagMs: number;
}

export interface ViewJudgement {
  readonly view: ViewState;
  /** The page moves, even when the viewer does not see it. */
  readonly moving: boolean;
  /** After this long the state can change without any event, milliseconds. */
  readonly recheckInMs: number | undefined;
}

const BEHIND_FROM_MS = 500;
const BEHIND_UNTIL_MS = 250;

/** Uses hysteresis: one picture alone is not motion yet, and a viewer that was behind must get well below the limit. */
export function judgeView(previous: ViewJudgement | undefined, facts: ViewFacts, now: number): ViewJudgement {
  const moving = isMoving(previous?.moving ?? true, facts, now);
  if (facts.stop) return { view: facts.stop, moving, recheckInMs: undefined };
  const lag = lagOf(facts, moving, now);
  const behindFrom = previous?.view.state === 'behind' ? BEHIND_UNTIL_MS : BEHIND_FROM_MS;
  const rests = untilStill(facts, moving, now);
  const waits = facts.waitingSince !== undefined;
  if (lag >= behindFrom)
    return {
      view: behind(previous?.view, lag),
      moving,
      recheckInMs: soonest(rests, waits ? nextStep(lag) : undefined),
    };
  return {
    view: { state: moving ? 'live' : 'still' },
    moving,
    recheckInMs: soonest(rests, waits ? behindFrom - lag : undefined),
  };
}

/** Whether both states are the same to the viewer. */
export function sameView(a: ViewState | undefined, b: ViewState): boolean {
  if (a?.state !== b.state) return false;
  if (a.state === 'behind' && b.state === 'behind') return a.behindMs === b.behindMs;
  return !('reason' in a && 'reason' in b) || a.reason === b.reason;
}

function isMoving(before: boolean, { motions, motionMs }: ViewFacts, now: number): boolean {
  return motions.filter((at) => now - at < motionMs).length >= (before ? 1 : 2);
}

/** A painted picture of a page at rest is never behind, however long it took. */
function lagOf({ waitingSince, lastLagMs }: ViewFacts, moving: boolean, now: number): number {
  if (waitingSince === undefined) return moving ? lastLagMs : 0;
  return Math.max(now - waitingSince, moving ? lastLagMs : 0);
}

/** Reported in doubling steps (half a second, one, two, four …), and again only when the step changes. */
function behind(previous: ViewState | undefined, lag: number): ViewState {
  const step = stepOf(lag);
  if (previous?.state === 'behind' && stepOf(previous.behindMs) === step) return previous;
  return { state: 'behind', behindMs: Math.round(lag) };
}

function stepOf(lag: number): number {
  return Math.max(0, Math.floor(Math.log2(lag / BEHIND_FROM_MS)));
}

function nextStep(lag: number): number {
  return BEHIND_FROM_MS * 2 ** (stepOf(lag) + 1) - lag;
}

function untilStill({ motions, motionMs }: ViewFacts, moving: boolean, now: number): number | undefined {
  const last = motions.at(-1);
  return moving && last !== undefined ? last + motionMs - now : undefined;
}

function soonest(a: number | undefined, b: number | undefined): number | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return Math.min(a, b);
}
