import { Timer } from '@/lib/async/timers';
import { withBudget, type Budget } from '@/lib/budget/budget';
import type { Clock } from '@/lib/budget/clock';
import { formatMessage } from '@/lib/messages/format';
import type { CaptureState, Picture } from '@/lib/stream/picture';
import type { FrameSink } from '@/server/browser/frame-sink';
import type { SecretsShown } from '@/server/browser/target/secrets-shown';

export interface SecretCoverInit {
  readonly clock: Clock;
  /** Looks for secrets on the page. Throws when a frame does not answer. */
  readonly look: (budget: Budget, holder: number) => Promise<SecretsShown>;
  /** Settles when the page has painted what changed before. */
  readonly painted: (budget: Budget) => Promise<void>;
  /** Asks for a new picture of the page. */
  readonly refresh: () => void;
}

/** The longest wait for an answer of the page. Milliseconds. */
const LOOK_MS = 2_000;
/** The shortest time from one look to the next: pictures of guests come no faster. Milliseconds. */
const PACE_MS = 40;
/** A look takes at most this part of the page's time. */
const SHARE = 1 / 4;
/** Pictures that were on their way when a secret left the page have come by then. Milliseconds. */
const UNDER_WAY_MS = 300;
/** The pause before a page with a secret, or one that did not answer, is looked at again. Milliseconds. */
const AGAIN_MS = 300;
/** After so long without an answer viewers are told why there is no picture. Milliseconds. */
const TOLD_MS = 1_000;

/** What the last look found. `clear`: pictures that were taken after `from` may be shown. Monotonic milliseconds. */
type Sight =
  | { readonly state: 'unknown'; readonly since: number }
  | { readonly state: 'secret' }
  | { readonly state: 'clear'; readonly from: number };

/** The guest who holds the wheel sees what they fill in themselves. */
const AUDIENCES = ['others', 'holder'] as const;
type Audience = (typeof AUDIENCES)[number];

/**
 * Keeps pictures with secrets from guests of share links (AU4). A picture waits until a look at the page that began
 * after it has found no secret; looks run only while pictures wait, and one look serves all guests. When a secret has
 * left, or a document of the page was replaced, pictures count from when the page has painted that. A page that does
 * not answer counts as one with a secret.
 */
export class SecretCover {
  readonly #viewers = new Set<CoveredViewer>();
  readonly #sights: Record<Audience, Sight>;
  readonly #next: Timer;
  readonly #fresh: Timer;
  #holder: string | undefined;
  /** Changes with the holder. */
  #holders = 0;
  /** Changes with the documents of the page. */
  #documents = 0;
  #looking = false;
  #again = false;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #tookMs = 0;
  #over = false;

  constructor(private readonly init: SecretCoverInit) {
    const { clock } = init;
    this.#next = new Timer(clock);
    this.#fresh = new Timer(clock);
    this.#sights = { others: unknown(clock.now()), holder: unknown(clock.now()) };
  }

  /** Puts the cover between a capture and this guest's viewer. */
  over(participant: string | undefined, viewer: FrameSink & { refresh(): void }): CoveredViewer {
    // Nobody has looked since the last guest left.
    if (this.#viewers.size === 0) for (const audience of AUDIENCES) this.#forget(audience);
    const covered = new CoveredViewer(viewer, {
      waits: () => this.#want(),
      shows: ({ takenAt }) => this.#shows(this.#audience(participant), takenAt),
      reason: () => this.reason(participant),
      isClear: () => this.isClear(participant),
      ended: () => this.#viewers.delete(covered),
    });
    this.#viewers.add(covered);
    this.#want();
    return covered;
  }

  /** Why this guest sees no picture, for people; undefined when they may see one. */
  reason(participant: string | undefined): string | undefined {
    const sight = this.#sights[this.#audience(participant)];
    const silent = sight.state === 'unknown' && this.init.clock.now() - sight.since >= TOLD_MS;
    return sight.state === 'secret' || silent ? formatMessage({ code: 'secretShown' }).text : undefined;
  }

  /** Whether the page as it is now has no secret for this guest, as far as the last look found. */
  isClear(participant: string | undefined): boolean {
    return this.#shows(this.#audience(participant), this.init.clock.now());
  }

  /** @param holder participant id of who holds the wheel */
  setHolder(holder: string | undefined): void {
    if (this.#holder === holder) return;
    this.#holder = holder;
    this.#holders += 1;
    this.#forget('holder');
    this.#tell();
    this.#want();
  }

  /**
   * A document of the page was replaced or is gone: a look at the page as it is now tells nothing of older pictures.
   */
  documentChanged(): void {
    this.#documents += 1;
    for (const audience of AUDIENCES) if (this.#sights[audience].state === 'clear') this.#forget(audience);
    for (const viewer of this.#viewers) viewer.discard();
    this.#tell();
    this.#want();
  }

  dispose(): void {
    this.#over = true;
    this.#next.stop();
    this.#fresh.stop();
  }

  #tell(): void {
    for (const viewer of this.#viewers) viewer.tell();
  }

  #audience(participant: string | undefined): Audience {
    return participant !== undefined && participant === this.#holder ? 'holder' : 'others';
  }

  #forget(audience: Audience): void {
    this.#sights[audience] = unknown(this.init.clock.now());
  }

  #shows(audience: Audience, takenAt: number): boolean {
    const sight = this.#sights[audience];
    return sight.state === 'clear' && takenAt >= sight.from;
  }

  /** A look must begin from now on. */
  #want(): void {
    if (this.#over || this.#viewers.size === 0) return;
    this.#again = true;
    if (this.#looking) return;
    const pause = Math.max(PACE_MS, this.#tookMs / SHARE);
    this.#next.start(Math.max(0, this.#lookedAt + pause - this.init.clock.now()), () => void this.#look());
  }

  async #look(): Promise<void> {
    const { clock } = this.init;
    this.#looking = true;
    this.#again = false;
    const begun = clock.now();
    this.#lookedAt = begun;
    const [holders, documents] = [this.#holders, this.#documents];
    for (const viewer of this.#viewers) viewer.lookBegins();
    try {
      await withBudget({ timeoutMs: LOOK_MS, clock }, async (budget) => {
        const found = await this.init.look(budget, holders);
        this.#tookMs = clock.now() - begun;
        await this.#judge(budget, found, { holders, documents });
      });
    } catch {
      for (const audience of AUDIENCES) if (this.#sights[audience].state === 'clear') this.#forget(audience);
    }
    this.#looking = false;
    if (this.#over) return;
    for (const viewer of this.#viewers) viewer.looked();
    if (this.#again) this.#want();
    else if (this.#isCovered()) this.#next.start(AGAIN_MS, () => void this.#look());
  }

  /** `begun`: what held when the look began. */
  async #judge(
    budget: Budget,
    found: SecretsShown,
    begun: { readonly holders: number; readonly documents: number },
  ): Promise<void> {
    const { others, holder } = this.#sights;
    if (found.toOthers) this.#sights.others = { state: 'secret' };
    if (found.toHolder) this.#sights.holder = { state: 'secret' };
    const leaves = (!found.toOthers && others.state !== 'clear') || (!found.toHolder && holder.state !== 'clear');
    if (leaves) await this.init.painted(budget);
    // A page that has painted was perhaps the one before.
    if (begun.documents !== this.#documents) return;
    const from = this.init.clock.now() + UNDER_WAY_MS;
    if (!found.toOthers) this.#sights.others = clear(this.#sights.others, from);
    if (!found.toHolder && begun.holders === this.#holders) this.#sights.holder = clear(this.#sights.holder, from);
    if (leaves) this.#fresh.start(UNDER_WAY_MS, () => this.#arrived());
  }

  /** Pictures that are taken from now on count. */
  #arrived(): void {
    this.#tell();
    this.init.refresh();
  }

  /** Whether some guest may see no picture at this moment. */
  #isCovered(): boolean {
    return this.#viewers.size > 0 && Object.values(this.#sights).some(({ state }) => state !== 'clear');
  }
}

interface Cover {
  /** A picture waits. */
  waits(): void;
  /** Whether a picture that came before the last look may be shown. */
  shows(picture: Picture): boolean;
  reason(): string | undefined;
  isClear(): boolean;
  ended(): void;
}

interface WaitingPicture {
  readonly picture: Picture;
  readonly kept: boolean;
}

/** The sink of one guest: holds the newest picture until a look that began after its arrival has ended. */
class CoveredViewer implements FrameSink {
  /** The newest picture. */
  #waiting: WaitingPicture | undefined;
  /** The newest before the present look. */
  #lookedAt: WaitingPicture | undefined;
  #reason: string | undefined;
  #isClear = false;

  constructor(
    private readonly viewer: FrameSink & { refresh(): void },
    private readonly cover: Cover,
  ) {}

  get fps(): number {
    return this.viewer.fps;
  }

  take(picture: Picture, kept: boolean): void {
    this.#waiting = { picture, kept };
    this.cover.waits();
  }

  wantsAt(now: number): number | undefined {
    return this.viewer.wantsAt(now);
  }

  captureChanged(state: CaptureState): void {
    this.viewer.captureChanged(state);
  }

  lookBegins(): void {
    this.#lookedAt = this.#waiting;
    this.#waiting = undefined;
  }

  /** What is known of the page may have changed. Shows no picture: a look may still be under way. */
  tell(): void {
    const [reason, isClear] = [this.cover.reason(), this.cover.isClear()];
    const told = reason !== this.#reason || isClear !== this.#isClear;
    this.#reason = reason;
    this.#isClear = isClear;
    if (told) this.viewer.refresh();
  }

  /** A look has ended. */
  looked(): void {
    this.tell();
    const shown = this.#lookedAt;
    this.#lookedAt = undefined;
    if (shown && this.cover.shows(shown.picture)) this.viewer.take(shown.picture, shown.kept);
  }

  discard(): void {
    this.#waiting = undefined;
    this.#lookedAt = undefined;
  }

  end(): void {
    this.discard();
    this.cover.ended();
  }
}

function unknown(since: number): Sight {
  return { state: 'unknown', since };
}

function clear(before: Sight, from: number): Sight {
  return before.state === 'clear' ? before : { state: 'clear', from };
}
