import { Timer } from '@/lib/async/timers';
import { LATE, within } from '@/lib/async/within';
import type { Clock } from '@/lib/budget/clock';
import type { HangTiming } from '@/server/config/timings';
import type { RendererMember } from './renderer-member';

/** The members of one renderer group. */
interface Sharing {
  readonly members: ReadonlySet<RendererMember>;
}

/**
 * Asks the renderers of a session for a sign of life, to find pages whose script never yields, also while no call waits
 * for them. Each beat asks one page or frame of each renderer group that somebody is interested in, in turn: they share
 * a main thread, and one that Chrome has moved to another renderer without our knowing is asked soon itself.
 */
export class Heartbeat {
  /** The pages that somebody is interested in, with their frames, and by how many. */
  readonly #wanted = new Map<RendererMember, number>();
  readonly #asking = new Set<RendererMember>();
  /** Those that are to run a task. One wait each, so that a page that never does costs one promise. */
  readonly #turning = new Set<RendererMember>();
  /** The beat in which each was asked last. */
  readonly #asked = new WeakMap<RendererMember, number>();
  #beats = 0;
  readonly #timer: Timer;

  constructor(
    private readonly clock: Clock,
    private readonly groupOf: ReadonlyMap<RendererMember, Sharing>,
    private readonly timing: HangTiming,
  ) {
    this.#timer = new Timer(clock);
  }

  /** Watches a page and its frames until the returned function is called, or the page is gone. */
  want(page: RendererMember): () => void {
    this.#wanted.set(page, (this.#wanted.get(page) ?? 0) + 1);
    this.#plan();
    let held = true;
    return () => {
      const count = this.#wanted.get(page);
      if (!held || count === undefined) return;
      held = false;
      if (count > 1) this.#wanted.set(page, count - 1);
      else this.forget(page);
    };
  }

  /** Asks this page now, wanted or not, because something took too long. */
  doubt(member: RendererMember): void {
    if (!this.#asking.has(member) && !member.excused()) void this.#ask(member);
  }

  forget(page: RendererMember): void {
    this.#wanted.delete(page);
    if (this.#wanted.size === 0) this.#timer.stop();
  }

  #plan(): void {
    this.#timer.ensure(this.timing.everyMs, () => {
      this.#beats += 1;
      for (const group of new Set(this.groupOf.values())) void this.#beat(group);
      for (const page of this.#wanted.keys()) if (!page.excused() && !page.hung()) page.look?.();
      this.#plan();
    });
  }

  async #beat({ members }: Sharing): Promise<void> {
    const asked = [...members].filter((one) => this.#wanted.has(one.inside ?? one) && !one.excused());
    const [first] = asked.toSorted((a, b) => (this.#asked.get(a) ?? 0) - (this.#asked.get(b) ?? 0));
    if (!first) return;
    if (!asked.some((one) => this.#asking.has(one))) await this.#ask(first);
    if (this.#turning.has(first) && !this.#asking.has(first) && !first.excused())
      for (const one of asked) one.still?.();
    else if (!this.#turning.has(first)) void this.#turn(first);
  }

  async #ask(member: RendererMember): Promise<void> {
    this.#asking.add(member);
    this.#asked.set(member, this.#beats);
    const over = (): void => this.#answered(member);
    const answered = member.sentinel.whenAnswers().then(over, over);
    const sharing = [...(this.groupOf.get(member)?.members ?? [member])];
    const patienceMs = sharing.some((one) => one.slowed()) ? this.timing.slowedMs : this.timing.patienceMs;
    if ((await within(this.clock, patienceMs, answered)) !== LATE || !this.#asking.has(member)) return;
    if (this.groupOf.has(member) && !member.excused()) member.silent();
  }

  #answered(member: RendererMember): void {
    this.#asking.delete(member);
    if (!this.#turning.has(member)) this.#alive(member);
  }

  async #turn(member: RendererMember): Promise<void> {
    this.#turning.add(member);
    await member.sentinel.whenTurns().catch(() => undefined);
    this.#turning.delete(member);
    this.#alive(member);
  }

  #alive(member: RendererMember): void {
    if (this.groupOf.has(member)) member.alive();
  }
}
