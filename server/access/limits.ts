import { BurstyRateLimiter, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Budget } from '@/lib/budget/budget';
import { WheelhouseError } from '@/lib/errors/error';
import { NORMAL_LIMITS, type Limits } from '@/server/config/limits';
import { addressKey } from './address-key';
import { Slots } from './slots';
import { credentialName, type Principal } from './principal';
import { quotaError, type QuotaName } from './quota';

/** Counts open connections by participant, by credential (all its agent names together) and in all (BR7). */
class SocketPlaces {
  readonly #ofName: Slots;
  readonly #ofKey: Slots;
  readonly #ofServer: Slots;

  constructor(caps: Limits) {
    this.#ofName = new Slots(caps['sockets-name']);
    this.#ofKey = new Slots(caps.sockets);
    this.#ofServer = new Slots(caps['sockets-server']);
  }

  /** Throws QUOTA when no place is free. */
  check(principal: Pick<Principal, 'id' | 'credential'>): void {
    for (const [setting, slots, key] of this.#countedBy(principal)) {
      if (slots.inUse(key) >= slots.max) throw quotaError(setting, slots.inUse(key), slots.max);
    }
  }

  /** Takes a place. The returned function releases it and may be called twice. Throws QUOTA. */
  take(principal: Pick<Principal, 'id' | 'credential'>): () => void {
    this.check(principal);
    const gives = this.#countedBy(principal).map(([, slots, key]) => slots.take(key));
    return () => gives.forEach((give) => give?.());
  }

  #countedBy({ id, credential }: Pick<Principal, 'id' | 'credential'>): [QuotaName, Slots, string][] {
    return [
      ['sockets-name', this.#ofName, id],
      ['sockets', this.#ofKey, credentialName(credential)],
      ['sockets-server', this.#ofServer, ''],
    ];
  }
}

/**
 * The fixed caps; the operator's caps are in `server/config/limits`, those of one script's result in
 * the evaluator. Rates are `[points, per seconds]`. A burst adds its points to one window; they refill over the burst's
 * own, longer window.
 */
export const CAPS = {
  /** Counts requests without a valid cookie or key. */
  handshakesPerAddress: { rate: [10, 1], burst: [20, 10] },
  handshakesPerCredential: { rate: [10, 1], burst: [20, 10] },
  unauthenticatedSockets: 200,
  unauthenticatedSocketMs: 5_000,
  pointerMoves: { rate: [60, 1] },
  /** Raw input with moves, wheels and key repeats. High, because a refused key release would leave the key pressed. */
  rawInput: { rate: [300, 1] },
  /** Pointers for others to see; those above are dropped. */
  cursors: { rate: [20, 1] },
  /** Each raised or lowered hand goes to everybody in the session. */
  hands: { rate: [1, 1], burst: [5, 10] },
  events: { rate: [30, 1], burst: [30, 10] },
  commandsPerLease: { rate: [20, 1] },
  /** Actions of an agent without the lease: the twentieth in ten seconds is refused (F23). */
  refusals: { rate: [19, 10] },
  /** For viewers. The burst lets a newcomer look through all tabs. */
  snapshotsPerViewer: { rate: [2, 1], burst: [10, 10] },
  /**
   * One less than the session's limit, so that a tab whose scripts never settle leaves a place for the others (AC6).
   */
  evaluatesPerTab: 4,
  evaluatesPerSession: 5,
  messageBytes: 1_048_576,
  messageDepth: 12,
  /** Open picture streams of one connection: the wall and the open session. */
  streamsPerSocket: 48,
  keysPerPerson: 20,
  invitationsPerWorkspace: 100,
  linksPerSession: 50,
  /** Those that have ended; the older ones are forgotten when another is made. */
  endedLinksPerSession: 100,
  guestsPerLink: 500,
  socketsPerLink: 100,
  /** All guests of a link together, as many browsers as open it; their calls count as those of one key. */
  handshakesPerLink: { rate: [20, 1], burst: [100, 60] },
  rawInputPerLink: { rate: [1_000, 1] },
  cursorsPerLink: { rate: [200, 1] },
  snapshotsPerLink: { rate: [10, 1], burst: [50, 10] },
  /** Timeline rows that say who came and went. */
  visitRowsPerLink: { rate: [2, 1], burst: [200, 60] },
  /** By session and author: a person, a guest, or all agents of a key. */
  commentsPerAuthor: { rate: [1, 1], burst: [10, 10] },
  commentsPerLink: { rate: [2, 1], burst: [20, 10] },
  /** Answers of up to 500 comments. */
  commentReads: { rate: [5, 1], burst: [20, 10] },
  commentReadsPerLink: { rate: [10, 1], burst: [100, 10] },
  /** Counts wrong secrets only, so that they hold up no guest with the right one. */
  wrongSecretsPerLink: { rate: [30, 60] },
  passcodesPerLink: { rate: [10, 900] },
  /** From all addresses; four characters must not be found by trying. */
  wrongPasscodesPerLink: { rate: [100, 3_600] },
  /** Calls of routes that need no sign-in. */
  publicCallsPerAddress: { rate: [20, 1], burst: [100, 10] },
  /** Links to choose a new password: by who asks, and to one address. */
  forgottenPerAddress: { rate: [10, 900] },
  forgottenPerAccount: { rate: [3, 3_600] },
  signInPerAddress: { rate: [30, 900] },
  passwordsPerAddress: { rate: [30, 900] },
  passwordsPerAccount: { rate: [10, 900] },
  passwordsPerKnownBrowser: { rate: [10, 900] },
  proofsPerPerson: { rate: [10, 900] },
  codesPerPerson: { rate: [10, 900] },
  hashesPerPerson: { rate: [60, 900] },
  newPasswordsPerAddress: { rate: [30, 900] },
  codesPerAddress: { rate: [30, 900] },
  passkeysPerAddress: { rate: [30, 900] },
  passkeyChallengesPerAddress: { rate: [100, 900] },
  passkeysPerPerson: 20,
  wrongKeysPerAddress: { rate: [30, 900] },
} as const;

/** The window in which popups are counted, seconds. */
export const POPUP_SECONDS = 10;

interface Rate {
  readonly rate: readonly [points: number, seconds: number];
  /** Extra points for a short peak, refilled over their own, longer window. */
  readonly burst?: readonly [points: number, seconds: number];
}

/** One rate limit, kept in memory, because one server owns the data directory. */
export class RateLimit {
  readonly #what: string;
  readonly #steady: RateLimiterMemory;
  readonly #limiter: Pick<RateLimiterMemory, 'consume'>;
  readonly #keyOf: (key: string) => string;

  /** @param what completes the message "Too many …" */
  constructor(what: string, { rate, burst }: Rate, keyOf: (key: string) => string = (key) => key) {
    this.#what = what;
    this.#keyOf = keyOf;
    this.#steady = new RateLimiterMemory({ points: rate[0], duration: rate[1] });
    this.#limiter = burst
      ? new BurstyRateLimiter(
          this.#steady,
          new RateLimiterMemory({ points: burst[0], duration: burst[1], keyPrefix: 'burst' }),
        )
      : this.#steady;
  }

  /** Counts one. Returns 0 within the limit, else the milliseconds to wait. */
  async take(key: string): Promise<number> {
    try {
      await this.#limiter.consume(this.#keyOf(key));
      return 0;
    } catch (thrown) {
      if (thrown instanceof RateLimiterRes) return Math.max(1, Math.ceil(thrown.msBeforeNext));
      throw thrown;
    }
  }

  /** Milliseconds until an exceeded limit lets calls through again, without counting; 0 when it is not exceeded. */
  async waits(key: string): Promise<number> {
    const counted = await this.#steady.get(this.#keyOf(key));
    return counted && counted.consumedPoints > this.#steady.points ? Math.max(1, Math.ceil(counted.msBeforeNext)) : 0;
  }

  /** Counts one. Throws RATE_LIMITED with `retryInMs` in its details above the limit. */
  async demand(key: string): Promise<void> {
    const retryInMs = await this.take(key);
    if (retryInMs > 0)
      throw new WheelhouseError(
        'RATE_LIMITED',
        `Too many ${this.#what}. Try again in ${Math.ceil(retryInMs / 1_000)} s.`,
        { details: { retryInMs } },
      );
  }

  /** Gives one back that was counted. For limits without a burst. */
  async refund(key: string): Promise<void> {
    await this.#steady.reward(this.#keyOf(key));
  }

  /** Forgets what was counted. For limits without a burst. */
  async reset(key: string): Promise<void> {
    await this.#steady.delete(this.#keyOf(key));
  }

  /** Counts one after waiting at most once. Throws RATE_LIMITED when other callers took the points meanwhile. */
  async pace(budget: Budget, key: string): Promise<void> {
    const waitMs = await this.take(key);
    if (waitMs === 0) return;
    await budget.pause(waitMs);
    await this.demand(key);
  }
}

/** The limits that doors and access share. One instance per server. */
export interface AccessLimits {
  readonly handshakesPerAddress: RateLimit;
  readonly handshakesPerCredential: RateLimit;
  readonly publicCallsPerAddress: RateLimit;
  readonly forgottenPerAddress: RateLimit;
  /** By e-mail address. */
  readonly forgottenPerAccount: RateLimit;
  /** Counts wrong links only. */
  readonly signInPerAddress: RateLimit;
  /** Counts tries of browsers that are not known. */
  readonly passwordsPerAddress: RateLimit;
  /** The same by the e-mail address, whether or not it has an account. */
  readonly passwordsPerAccount: RateLimit;
  /** By the hash of a known browser's cookie, so that guesses of others do not keep its person out. */
  readonly passwordsPerKnownBrowser: RateLimit;
  /** Passwords that signed-in people give once more. */
  readonly proofsPerPerson: RateLimit;
  /** First codes by which a signed-in person turns codes on; a right one starts the count anew. */
  readonly codesPerPerson: RateLimit;
  /** Hashes for somebody who is signed in or whose browser is known; right passwords count, too. */
  readonly hashesPerPerson: RateLimit;
  /** Passwords that people choose by an invitation or a link; all count. */
  readonly newPasswordsPerAddress: RateLimit;
  /** Wrong codes of second factors. */
  readonly codesPerAddress: RateLimit;
  /** Challenges that strangers ask for, to sign in by a passkey. */
  readonly passkeyChallengesPerAddress: RateLimit;
  /** Passkeys that did not sign in. */
  readonly passkeysPerAddress: RateLimit;
  /**
   * Counts wrong keys only, apart from sign-ins: an agent with an old key must not lock out the owner on the same
   * computer.
   */
  readonly wrongKeysPerAddress: RateLimit;
  /** By session and author. */
  readonly comments: RateLimit;
  /** By credential id. */
  readonly commentReads: RateLimit;
  /** By the id in the request. */
  readonly wrongSecretsPerLink: RateLimit;
  /** By link and address. */
  readonly passcodesPerLink: RateLimit;
  readonly wrongPasscodesPerLink: RateLimit;
  /** The caps that the operator may set, as in force. */
  readonly caps: Limits;
  /** By principal id; all names of a key together count as `requests`. */
  readonly events: RateLimit;
  /** By principal id. */
  readonly pointerMoves: RateLimit;
  /** HTTP calls and events by credential id, whatever names its agents give themselves, and by link id. */
  readonly requests: RateLimit;
  /** By credential id, as `cursors`. */
  readonly rawInput: RateLimit;
  readonly cursors: RateLimit;
  /** By principal id, beside `events`. */
  readonly hands: RateLimit;
  /** By link id, as all `…PerLink`. */
  readonly rawInputPerLink: RateLimit;
  readonly cursorsPerLink: RateLimit;
  readonly handshakesPerLink: RateLimit;
  readonly snapshotsPerLink: RateLimit;
  readonly visitRowsPerLink: RateLimit;
  readonly commentsPerLink: RateLimit;
  readonly commentReadsPerLink: RateLimit;
  /** By session, tab and participant. */
  readonly commandsPerLease: RateLimit;
  /** By participant. */
  readonly refusals: RateLimit;
  /** By principal id. */
  readonly snapshotsPerViewer: RateLimit;
  /** By session id. */
  readonly popups: RateLimit;
  readonly sockets: SocketPlaces;
  readonly evaluatesPerTab: Slots;
  readonly evaluatesPerSession: Slots;
}

/** Who calls. What guests do counts by their link, too, because one link opens in any number of browsers (AU4). */
export interface Counted {
  readonly id: string;
  readonly link?: { readonly id: string };
}

/** Counts an HTTP call, or an event that is no raw input. Throws RATE_LIMITED. */
export async function countCall(
  { requests }: Pick<AccessLimits, 'requests'>,
  { credential, link }: Counted & Pick<Principal, 'credential'>,
): Promise<void> {
  await requests.demand(credential.id);
  if (link) await requests.demand(link.id);
}

type LinkLimit = Extract<keyof AccessLimits, `${string}PerLink`>;

function linkLimits(): Pick<AccessLimits, LinkLimit> {
  return {
    wrongSecretsPerLink: new RateLimit('wrong addresses of this link', CAPS.wrongSecretsPerLink),
    passcodesPerLink: new RateLimit('passcodes from this address', CAPS.passcodesPerLink),
    wrongPasscodesPerLink: new RateLimit('wrong passcodes of this link', CAPS.wrongPasscodesPerLink),
    rawInputPerLink: new RateLimit('input events by this link', CAPS.rawInputPerLink),
    cursorsPerLink: new RateLimit('pointers by this link', CAPS.cursorsPerLink),
    handshakesPerLink: new RateLimit('connections by this link', CAPS.handshakesPerLink),
    snapshotsPerLink: new RateLimit('snapshots by this link', CAPS.snapshotsPerLink),
    visitRowsPerLink: new RateLimit('visits by this link', CAPS.visitRowsPerLink),
    commentsPerLink: new RateLimit('comments by this link', CAPS.commentsPerLink),
    commentReadsPerLink: new RateLimit('reads of comments by this link', CAPS.commentReadsPerLink),
  };
}

/** Of what participants do beside the page. */
function togetherLimits(): Pick<AccessLimits, 'comments' | 'commentReads' | 'cursors' | 'hands'> {
  return {
    cursors: new RateLimit('pointers', CAPS.cursors),
    hands: new RateLimit('raised hands', CAPS.hands),
    comments: new RateLimit('comments', CAPS.commentsPerAuthor),
    commentReads: new RateLimit('reads of comments', CAPS.commentReads),
  };
}

export function createLimits(caps: Limits = NORMAL_LIMITS): AccessLimits {
  return {
    caps,
    handshakesPerAddress: new RateLimit('connections from this address', CAPS.handshakesPerAddress, addressKey),
    handshakesPerCredential: new RateLimit('connections with this key or sign-in', CAPS.handshakesPerCredential),
    publicCallsPerAddress: new RateLimit('calls from this address', CAPS.publicCallsPerAddress, addressKey),
    forgottenPerAddress: new RateLimit('forgotten passwords from this address', CAPS.forgottenPerAddress, addressKey),
    forgottenPerAccount: new RateLimit('links for this account', CAPS.forgottenPerAccount),
    signInPerAddress: new RateLimit('wrong sign-in links from this address', CAPS.signInPerAddress, addressKey),
    passwordsPerAddress: new RateLimit('sign-ins from this address', CAPS.passwordsPerAddress, addressKey),
    passwordsPerAccount: new RateLimit('sign-ins to this account', CAPS.passwordsPerAccount),
    passwordsPerKnownBrowser: new RateLimit('sign-ins from this browser', CAPS.passwordsPerKnownBrowser),
    proofsPerPerson: new RateLimit('wrong passwords', CAPS.proofsPerPerson),
    codesPerPerson: new RateLimit('wrong codes', CAPS.codesPerPerson),
    hashesPerPerson: new RateLimit('passwords of this account', CAPS.hashesPerPerson),
    newPasswordsPerAddress: new RateLimit('new passwords from this address', CAPS.newPasswordsPerAddress, addressKey),
    passkeyChallengesPerAddress: new RateLimit(
      'passkeys from this address',
      CAPS.passkeyChallengesPerAddress,
      addressKey,
    ),
    passkeysPerAddress: new RateLimit('passkeys from this address', CAPS.passkeysPerAddress, addressKey),
    codesPerAddress: new RateLimit('codes from this address', CAPS.codesPerAddress, addressKey),
    wrongKeysPerAddress: new RateLimit('wrong keys from this address', CAPS.wrongKeysPerAddress, addressKey),
    ...linkLimits(),
    ...togetherLimits(),
    events: new RateLimit('messages', CAPS.events),
    pointerMoves: new RateLimit('pointer moves', CAPS.pointerMoves),
    requests: new RateLimit('requests', { rate: [caps.requests, 1], burst: [caps.requests * 2, 10] }),
    rawInput: new RateLimit('input events', CAPS.rawInput),
    commandsPerLease: new RateLimit('actions', CAPS.commandsPerLease),
    refusals: new RateLimit('actions without the wheel', CAPS.refusals),
    snapshotsPerViewer: new RateLimit('snapshots', CAPS.snapshotsPerViewer),
    popups: new RateLimit('popups', { rate: [caps.popups, POPUP_SECONDS] }),
    sockets: new SocketPlaces(caps),
    evaluatesPerTab: new Slots(CAPS.evaluatesPerTab),
    evaluatesPerSession: new Slots(CAPS.evaluatesPerSession),
  };
}
