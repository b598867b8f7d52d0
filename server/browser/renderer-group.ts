import { LATE, sleep, within } from '@/lib/async/within';
import type { Clock } from '@/lib/budget/clock';
import { WheelhouseError } from '@/lib/errors/error';
import type { Message } from '@/lib/messages/message';
import { TIMINGS, type HangTiming } from '@/server/config/timings';
import { Heartbeat } from './heartbeat';
import type { RendererMember } from './renderer-member';

/** Milliseconds. */
const TIMES = {
  /** When one member does not answer, another that hangs with it does not answer within this time either. */
  silenceMs: 300,
  /** The pause between two readings of script time, which grows where the script runs. */
  measureMs: 100,
  /**
   * The longest wait for script time, which Chrome reports even during a loop, within 60 ms on a quiet machine
   * (docs/chrome-facts.md, Renderers).
   */
  metricsMs: 500,
  /** The number of measurements before giving up; a busy machine answers late. */
  tries: 5,
  /** How long a takeover waits to identify the running script (CO3); then it interrupts all hung pages. */
  holderMs: 250,
  /** The timeout of a last check before a hang is shown. */
  lastMs: 30,
} as const;

/** One member's script or dialog that blocks the others. */
interface Hang {
  readonly culprit: RendererMember;
  readonly victims: ReadonlySet<RendererMember>;
}

/**
 * The pages and frames of one renderer, mostly a page and its popups. They share one main thread, so when one hangs,
 * all hang (AC6).
 */
class RendererGroup {
  readonly members = new Set<RendererMember>();
  #hang: Hang | undefined;

  /** @param isolate Chrome's id of their JavaScript engine; undefined until the document has answered */
  constructor(readonly isolate: string | undefined) {}

  others(member: RendererMember): RendererMember[] {
    return [...this.members].filter((one) => one !== member);
  }

  /** Records that the culprit blocks the victims, including hung pages that may be members but cannot answer. */
  holds(culprit: RendererMember, victims: readonly RendererMember[]): void {
    this.#hang = { culprit, victims: new Set(victims) };
    for (const victim of victims) victim.hangs(becauseOf(culprit));
  }

  /** Removes a member. When its script still blocks others, their sentinels end it. */
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
 * Knows which pages and frames of one session share a renderer. Asks Chrome for every document (Runtime.getIsolateId)
 * and measures which member blocks the others. Waits for no page.
 */
export class RendererGroups {
  readonly #groupOf = new Map<RendererMember, RendererGroup>();
  readonly heartbeat: Heartbeat;

  constructor(
    private readonly clock: Clock,
    timing: HangTiming = TIMINGS.hang,
  ) {
    this.heartbeat = new Heartbeat(clock, this.#groupOf, timing);
  }

  join(member: RendererMember): void {
    this.#put(member, undefined);
    member.sentinel.measureScripts();
  }

  leave(member: RendererMember): void {
    this.heartbeat.forget(member);
    this.#groupOf.get(member)?.leave(member);
    this.#groupOf.delete(member);
  }

  /** Call when the member shows another document, which may run in another renderer. */
  async moved(member: RendererMember): Promise<void> {
    this.#put(member, undefined);
    const isolate = await member.sentinel.isolate();
    if (isolate !== undefined && this.#groupOf.has(member)) this.#put(member, isolate);
  }

  /** DIALOG_OPEN for the dialog of another tab that blocks this member. */
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

  /** The other members that hang together with a member that does not answer. */
  async silentWith(member: RendererMember, withinMs: number): Promise<RendererMember[]> {
    return this.#silent([...this.#sharing(member), ...this.#suspects(member)], withinMs);
  }

  /**
   * Finds whose scripts block those members that do not answer within `withinMs` milliseconds. Each inner list is one
   * renderer with one running script: its culprit, or all hung members when the culprit is unknown in time.
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
   * Handles a member that does not answer: finds the members that hang with it and shows whose script or dialog causes
   * it. `ending`: terminates that script, because the member's own sentinel was attached too late.
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

  /** The members that certainly share its renderer. */
  #sharing(member: RendererMember): RendererMember[] {
    return this.#groupOf.get(member)?.others(member) ?? [];
  }

  /** The members that may share its renderer: of a page and its popup, one may hang before it reports its isolate. */
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
   * The member that has a dialog; else whose script time grows; else the only one that runs a script of ours; else the
   * only one that cannot be measured. Undefined when unknown.
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
  return culprit.inside
    ? { code: 'frameBeside', tab: culprit.id, url: culprit.name() }
    : { code: 'scriptBeside', tab: culprit.id, title: culprit.name() };
}

function only<T>(list: readonly T[]): T | undefined {
  return list.length === 1 ? list[0] : undefined;
}
