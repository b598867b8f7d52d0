import { LATE, sleep, within } from '@/lib/async/within';
import type { DialogView } from '@/lib/actions/reply';
import type { Clock } from '@/lib/budget/clock';
import { WheelhouseError } from '@/lib/errors/error';
import type { Message } from '@/lib/messages/message';
import type { Sentinel } from '@/server/cdp/sentinel';

/** A page, or a frame of it in another process, as those that share its renderer know it. */
export interface RendererMember {
  /** Of the tab. */
  readonly id: string;
  /** It is a frame. */
  readonly frame?: true;
  /** Short id of the tab that opened it. */
  readonly opener: string | undefined;
  readonly sentinel: Sentinel;
  name(): string;
  dialog(): DialogView | undefined;
  /** A script that we sent runs in it. */
  runs(): boolean;
  /** Shown until it answers again. */
  hangs(said: Message): void;
  /** Shown so now. */
  hung(): boolean;
}

/** Milliseconds. */
const TIMES = {
  /** One of a pair is known not to answer; the other then does not answer either within this. */
  silenceMs: 300,
  /** Script time is read twice, so long apart: it grows where the script runs. */
  measureMs: 100,
  /** Chrome tells script time while a loop runs, within 60 on a quiet machine (docs/chrome-facts.md, Renderers). */
  metricsMs: 500,
  /** Number of measurements before giving up: a busy machine answers late. */
  tries: 5,
  /** How long a takeover waits to learn whose script runs (CO3); then all pages that hang are interrupted. */
  holderMs: 250,
  /** Asked once more before anything is shown. */
  lastMs: 30,
} as const;

/** The script or dialog of one member keeps the others from answering. */
interface Hang {
  readonly culprit: RendererMember;
  readonly victims: ReadonlySet<RendererMember>;
}

/**
 * The pages and frames that one renderer serves, mostly a page and the popups it opened: they have one main thread, so
 * when one hangs, all do (AC6).
 */
class RendererGroup {
  readonly members = new Set<RendererMember>();
  #hang: Hang | undefined;

  /** @param isolate the JavaScript engine that runs them, by Chrome's name; undefined while a document has not said */
  constructor(readonly isolate: string | undefined) {}

  others(member: RendererMember): RendererMember[] {
    return [...this.members].filter((one) => one !== member);
  }

  /** A member holds up the others, and those that may be members but hang and cannot say so. */
  holds(culprit: RendererMember, victims: readonly RendererMember[]): void {
    this.#hang = { culprit, victims: new Set(victims) };
    for (const victim of victims) victim.hangs(becauseOf(culprit));
  }

  /**
   * A member is gone. A script of it that still holds up others has lost its page, and is ended by them.
   */
  leave(member: RendererMember): void {
    this.members.delete(member);
    if (this.#hang?.culprit !== member) return;
    const { victims } = this.#hang;
    this.#hang = undefined;
    for (const victim of victims) {
      if (!victim.hung()) continue;
      victim.hangs({ code: 'scriptRuns' });
      void victim.sentinel.terminate(0);
    }
  }
}

/**
 * Which pages and frames of one session share a renderer: the only place that knows. Asked of Chrome
 * (Runtime.getIsolateId) for every document; who holds up the others is measured. No page is waited for.
 */
export class RendererGroups {
  readonly #groupOf = new Map<RendererMember, RendererGroup>();

  constructor(private readonly clock: Clock) {}

  join(member: RendererMember): void {
    this.#put(member, undefined);
    member.sentinel.measureScripts();
  }

  leave(member: RendererMember): void {
    this.#groupOf.get(member)?.leave(member);
    this.#groupOf.delete(member);
  }

  /** The member shows another document, and may have another renderer. */
  async moved(member: RendererMember): Promise<void> {
    this.#put(member, undefined);
    const isolate = await member.sentinel.isolate();
    if (isolate !== undefined && this.#groupOf.has(member)) this.#put(member, isolate);
  }

  /** The dialog of another tab that holds up this one, as DIALOG_OPEN. */
  dialogBeside(member: RendererMember): WheelhouseError | undefined {
    const other = this.#sharing(member).find((one) => one.dialog());
    const dialog = other?.dialog();
    if (!other || !dialog) return undefined;
    const hint = `Answer it there: {"kind":"dialog","do":"answer","accept":true,"tab":"${other.id}"}.`;
    return new WheelhouseError(
      'DIALOG_OPEN',
      { code: 'dialogBeside', tab: other.id, title: other.name() },
      { hint, details: { dialog, tab: other.id } },
    );
  }

  /** Those that hang with the member, which does not answer itself. */
  async silentWith(member: RendererMember, withinMs: number): Promise<RendererMember[]> {
    return this.#silent([...this.#sharing(member), ...this.#suspects(member)], withinMs);
  }

  /**
   * Whose scripts hold up those of these members that do not answer within `withinMs`. Each list is one renderer, in
   * which one script runs: its culprit, or, where nobody can tell in time, all that hang in it.
   */
  async holders(members: readonly RendererMember[], withinMs: number): Promise<RendererMember[][]> {
    const silent = await this.#silent(members, withinMs);
    const found = await Promise.all(silent.map((member) => this.#holdersOf(member, withinMs)));
    const known = new Set<RendererMember>();
    return found.flat().filter((renderer) => {
      const isNew = renderer.some((one) => !known.has(one));
      for (const one of renderer) known.add(one);
      return isNew;
    });
  }

  async #holdersOf(member: RendererMember, withinMs: number): Promise<RendererMember[][]> {
    const all = [member, ...(await this.silentWith(member, withinMs))];
    if (all.length === 1) return [all];
    const culprit = await within(this.clock, TIMES.holderMs, this.#culprit(all));
    if (culprit && culprit !== LATE) return [[culprit]];
    const sharing = new Set([member, ...this.#sharing(member)]);
    return all.every((one) => sharing.has(one)) ? [all] : all.map((one) => [one]);
  }

  /**
   * The member does not answer: finds those that hang with it, and names the one whose script or dialog it is.
   * `ending`: that script is to be ended, and the member's own sentinel came too late for it.
   */
  async stuck(member: RendererMember, ending = false): Promise<void> {
    let all = [member, ...(await this.silentWith(member, TIMES.silenceMs))];
    let culprit: RendererMember | undefined;
    for (let tries = 0; tries < TIMES.tries && !culprit && all.length > 1; tries += 1) {
      culprit = await this.#culprit(all);
      all = await this.#silent(all, TIMES.lastMs);
    }
    if (all.some((one) => one !== member)) this.#tell(member, all, culprit);
    if (ending && culprit?.dialog() === undefined)
      for (const one of all) if (one !== member) void one.sentinel.terminate(0);
  }

  #tell(noticed: RendererMember, all: readonly RendererMember[], culprit: RendererMember | undefined): void {
    const group = culprit && this.#groupOf.get(culprit);
    const others = all.filter((one) => one !== noticed && !one.dialog());
    if (!culprit || !group) {
      for (const one of others) one.hangs({ code: 'scriptRuns' });
      return;
    }
    if (others.includes(culprit)) culprit.hangs({ code: 'scriptRuns' });
    group.holds(
      culprit,
      all.filter((one) => one !== culprit),
    );
  }

  #put(member: RendererMember, isolate: string | undefined): void {
    const before = this.#groupOf.get(member);
    const known =
      isolate === undefined ? undefined : [...this.#groupOf.values()].find((group) => group.isolate === isolate);
    const group = known ?? new RendererGroup(isolate);
    group.members.add(member);
    this.#groupOf.set(member, group);
    if (before !== group) before?.members.delete(member);
  }

  /** Those with the same renderer, for certain. */
  #sharing(member: RendererMember): RendererMember[] {
    return this.#groupOf.get(member)?.others(member) ?? [];
  }

  /** Those that may have the same: of a page and its popup one may hang before it can say. */
  #suspects(member: RendererMember): RendererMember[] {
    const own = this.#groupOf.get(member);
    return [...this.#groupOf]
      .filter(
        ([one, group]) =>
          group !== own &&
          (group.isolate === undefined || own?.isolate === undefined) &&
          (one.opener === member.id || member.opener === one.id),
      )
      .map(([one]) => one);
  }

  async #silent(members: readonly RendererMember[], withinMs: number): Promise<RendererMember[]> {
    const answers = await Promise.all(members.map((one) => one.sentinel.answers(withinMs)));
    return members.filter((one, index) => answers[index] === false && this.#groupOf.has(one));
  }

  /**
   * Measured where Chrome can tell; else the member that is known to be busy, or the only one that cannot be measured.
   * Undefined when unknown.
   */
  async #culprit(members: readonly RendererMember[]): Promise<RendererMember | undefined> {
    const asking = members.find((one) => one.dialog());
    if (asking) return asking;
    const before = await scriptTimes(members);
    await sleep(this.clock, TIMES.measureMs);
    const after = await scriptTimes(members);
    const grown = members.filter((_, index) => (after[index] ?? 0) > (before[index] ?? Number.POSITIVE_INFINITY));
    return (
      only(grown) ??
      only(members.filter((one) => one.runs())) ??
      only(members.filter((_, index) => after[index] === undefined))
    );
  }
}

function scriptTimes(members: readonly RendererMember[]): Promise<(number | undefined)[]> {
  return Promise.all(members.map((one) => one.sentinel.scriptTime(TIMES.metricsMs)));
}

function becauseOf(culprit: RendererMember): Message {
  if (culprit.dialog()) return { code: 'dialogBeside', tab: culprit.id, title: culprit.name() };
  return culprit.frame
    ? { code: 'frameBeside', tab: culprit.id, url: culprit.name() }
    : { code: 'scriptBeside', tab: culprit.id, title: culprit.name() };
}

function only<T>(list: readonly T[]): T | undefined {
  return list.length === 1 ? list[0] : undefined;
}
