import { createHash } from 'node:crypto';
import type { Done } from '@/lib/actions/done';
import { RECEIPT_LIMITS, type Receipt } from '@/lib/actions/receipt';
import type { ControlEffect } from '@/lib/control/lease';
import { driven, ownerOf } from '@/lib/control/rules';
import { cleanText } from '@/lib/text/clean';
import type { Downloads } from '@/server/browser/files/downloads';
import { readCookies } from '@/server/browser/state/cookies';
import type { ControlDesk } from '../control-desk';
import type { Place } from '../privacy';
import type { TabSeat } from '../tab-seat';

/** By name, domain and path: a fingerprint of the value, never the value. */
type CookieMarks = ReadonlyMap<string, string>;

/** What a person does from when they take the wheel until they give it away, and how things stood when they took it. */
export interface Stint {
  readonly takenAt: string;
  readonly tabs: Receipt['tabs'];
  /** For `Downloads.since`. */
  readonly downloads: number;
  /** Undefined where Chrome did not tell. */
  readonly cookies: Promise<CookieMarks | undefined>;
  readonly actions: Done[];
  /** Done, and not in `actions`. */
  more: number;
  /** It began before this run of the server, which knows nothing of its beginning. */
  readonly resumed: boolean;
}

/** What people do from when an agent loses the wheel until it has it again. */
interface Away extends Stint {
  /** Where the agent lost it first. */
  readonly tab: string;
}

/** Agents that are waited for so; who went first is forgotten first. */
const MOST_AWAY = 50;

export interface StintsDeps {
  readonly desk: ControlDesk;
  readonly downloads: Downloads;
  placeOf: PlaceOf;
  seats(): TabSeat[];
}

/** What people do while they have the wheel, for the agent that gets it next (CO5). */
export class Stints {
  readonly #open = new Map<string, Stint>();
  readonly #away = new Map<string, Away>();

  constructor(private readonly deps: StintsDeps) {}

  /** Since this agent lost the wheel; for one that had none, since this person has it. */
  of(person: string, agent: string): Stint | undefined {
    return this.#away.get(agent) ?? this.#open.get(person);
  }

  did(person: string, done: Done): void {
    for (const stint of this.#of(person)) {
      stint.actions.push(done);
      if (stint.actions.length <= RECEIPT_LIMITS.actions) continue;
      stint.actions.shift();
      stint.more += 1;
    }
  }

  missed(person: string): void {
    for (const stint of this.#of(person)) stint.more += 1;
  }

  /** A person's begins when they get the wheel of their first tab, and ends when they have none; an agent's while it is away from where it had it. */
  wheelMoved(effect: ControlEffect): void {
    if (effect.type !== 'changed') return;
    const holder = driven(effect.lease)?.holder;
    const resumed = effect.change === 'parked';
    if (holder?.kind === 'human' && !this.#open.has(holder.id)) this.#open.set(holder.id, this.#begin(effect.tab, resumed));
    if (holder?.kind === 'human') this.#leaves(driven(effect.lease)?.takenFrom?.id, effect.tab, resumed);
    else if (holder) this.#returns(holder.id, effect.tab);
    const leases = [...this.deps.desk.leases.values()];
    const busy = new Set(leases.flatMap((lease) => [ownerOf(lease)?.id, lease.state === 'draining' ? lease.from.id : undefined]));
    for (const person of this.#open.keys()) if (!busy.has(person)) this.#open.delete(person);
  }

  #of(person: string): Stint[] {
    const own = this.#open.get(person);
    return own ? [own, ...this.#away.values()] : [...this.#away.values()];
  }

  #leaves(agent: string | undefined, tab: string, resumed: boolean): void {
    if (agent === undefined || this.#away.has(agent)) return;
    this.#away.set(agent, { ...this.#begin(tab, resumed), tab });
    const [first] = this.#away.keys();
    if (first !== undefined && this.#away.size > MOST_AWAY) this.#away.delete(first);
  }

  #returns(agent: string, tab: string): void {
    const lost = this.#away.get(agent)?.tab;
    if (lost === tab || (lost !== undefined && !this.deps.desk.lease(lost))) this.#away.delete(agent);
  }

  #begin(tab: string, resumed: boolean): Stint {
    const seats = this.deps.seats();
    const cookies = cookieMarks(seats.find((seat) => seat.tab.id === tab));
    return { takenAt: new Date().toISOString(), tabs: tabsOf(seats, this.deps.placeOf), downloads: this.deps.downloads.mark(), cookies, actions: [], more: 0, resumed };
  }
}

/** How a tab is called to who may not look at it; undefined where it is called as it is. */
export type PlaceOf = (tab: string) => Place | undefined;

/** As others may see them: what somebody holds privately looks as it did before (CO8). */
export function tabsOf(seats: readonly TabSeat[], placeOf: PlaceOf): Receipt['tabs'] {
  return seats.map(({ tab: { id, url, title } }) => ({ ...{ id, url, title }, ...placeOf(id) }));
}

/** Of all sites of the session. Never rejects. Source: Network.getAllCookies. */
export async function cookieMarks(seat: TabSeat | undefined): Promise<CookieMarks | undefined> {
  if (!seat) return undefined;
  try {
    const cookies = await readCookies(seat.tab.sessions.commands, undefined);
    return new Map(cookies.map(({ name, domain, path, value }) => [JSON.stringify([name, domain, path]), createHash('sha256').update(value).digest('base64')]));
  } catch {
    // The tab went away, or its Chrome.
    return undefined;
  }
}

const MOST_NAMES = 60;
const MAX_NAME = 120;

/** Names of the cookies that came, went, or have another value. */
export function changedCookies(before: CookieMarks, now: CookieMarks): NonNullable<Receipt['cookies']> {
  const names = (keys: string[]): string[] => [...new Set(keys.map((key) => cleanText(nameIn(key), MAX_NAME)))].slice(0, MOST_NAMES);
  return {
    added: names([...now.keys()].filter((key) => !before.has(key))),
    changed: names([...now].filter(([key, mark]) => before.has(key) && before.get(key) !== mark).map(([key]) => key)),
    removed: names([...before.keys()].filter((key) => !now.has(key))),
  };
}

function nameIn(key: string): string {
  const parts: unknown = JSON.parse(key);
  return Array.isArray(parts) ? String(parts[0]) : '';
}
