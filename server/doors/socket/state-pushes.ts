import { Timer } from '@/lib/async/timers';
import type { Principal } from '@/server/access/principal';
import type { Session } from '@/server/session/session';
import type { WheelhouseSocket } from './socket-types';

/** The shortest interval between two pushes of state, milliseconds; one push carries all changes since the last. */
const PUSH_EVERY_MS = 50;

/** A connection that follows a session. */
export interface StateFollower {
  readonly socket: WheelhouseSocket;
  readonly viewer: Principal;
  /** Asked before every push, because the caller may lose the right at any time (AU3). */
  mayWatch(): boolean;
  /** The state was pushed: sends what belongs to it. */
  pushed(): void;
}

const ALL = new WeakMap<Session, StatePushes>();

/** Pushes the state of one session: one view, written once, to all of its followers who see the same. */
export class StatePushes {
  readonly #followers = new Set<StateFollower>();
  readonly #due = new Set<StateFollower>();
  readonly #timer: Timer;
  #off: (() => void) | undefined;

  private constructor(private readonly session: Session) {
    this.#timer = new Timer(session.services.clock);
  }

  static of(session: Session): StatePushes {
    const known = ALL.get(session) ?? new StatePushes(session);
    ALL.set(session, known);
    return known;
  }

  /** Pushes the present state and each change. Returns a function that ends it. */
  follow(follower: StateFollower): () => void {
    this.#followers.add(follower);
    this.#off ??= this.session.onChange.on(() => this.#plan(this.#followers));
    this.plan(follower);
    return () => {
      this.#followers.delete(follower);
      this.#due.delete(follower);
      if (this.#followers.size > 0) return;
      this.#off?.();
      this.#off = undefined;
      this.#timer.stop();
    };
  }

  /** There is something for this one alone. */
  plan(follower: StateFollower): void {
    this.#plan([follower]);
  }

  #plan(followers: Iterable<StateFollower>): void {
    for (const one of followers) this.#due.add(one);
    this.#timer.ensure(PUSH_EVERY_MS, () => this.#push());
  }

  #push(): void {
    const groups = new Map<string, [StateFollower, ...StateFollower[]]>();
    for (const one of this.#due) {
      if (!one.mayWatch()) continue;
      const key = this.session.viewKey(one.viewer);
      const group = groups.get(key);
      if (group) group.push(one);
      else groups.set(key, [one]);
    }
    this.#due.clear();
    for (const group of groups.values()) this.#pushTo(group);
  }

  #pushTo(group: readonly [StateFollower, ...StateFollower[]]): void {
    const [{ socket, viewer }] = group;
    const view = this.session.view(viewer);
    // A message to rooms is serialised once; each socket is in a room of its own id.
    if (group.length === 1) socket.emit('session.state', view);
    else socket.nsp.to(group.map((one) => one.socket.id)).emit('session.state', view);
    for (const one of group) one.pushed();
  }
}
