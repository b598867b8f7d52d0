import { BoundedMap } from '@/lib/async/bounded-map';
import { createHash } from 'node:crypto';
import type { DoneAction } from '@/lib/actions/done';
import { RECEIPT_LIMITS, type Receipt } from '@/lib/actions/receipt';
import type { ControlChange, ControlEffect } from '@/lib/control/lease';
import { driven, ownerOf } from '@/lib/control/rules';
import { cleanText } from '@/lib/text/clean';
import type { Downloads } from '@/server/browser/files/downloads';
import { readCookies } from '@/server/browser/state/cookies';
import { RESTARTED, type Leases } from '@/server/session/leases';
import type { PageAddress } from '@/server/session/visibility';
import type { SessionTab } from '@/server/session/session-tab';

/** By name, domain and path: a fingerprint of the value, never the value. */
type CookieMarks = ReadonlyMap<string, string>;

/** What a person does from when they take the wheel until they give it away, and how things stood when they took it. */
export interface Takeover {
  readonly takenAt: string;
  readonly tabs: Receipt['tabs'];
  /** For `Downloads.since`. */
  readonly downloads: number;
  /** Undefined where Chrome did not tell. */
  readonly cookies: Promise<CookieMarks | undefined>;
  readonly actions: DoneAction[];
  /** Done, and not in `actions`. */
  more: number;
  /** It began before this run of the server, which knows nothing of its beginning. */
  readonly resumed: boolean;
}

/** What a person does while they have a wheel. */
interface HolderTakeover extends Takeover {
  /** By agent: what they do since it was told last. */
  readonly since: Map<string, Takeover>;
}

/** What people do from when an agent loses the wheel, or was told last, until it has it again. */
interface AgentTakeover extends Takeover {
  /** Tabs that it lost and has not got back. */
  readonly lost: Set<string>;
}

/** What an agent is told of a stint, as it was when that was read. */
export interface ReportedTakeover {
  readonly takeover: Takeover | undefined;
  readonly actions: readonly DoneAction[];
  readonly more: number;
}

/** Agents that are waited for so; who went first is forgotten first. */
const MOST_AWAY = 50;

/** Changes by which somebody comes to the wheel; what else happens to a wheel leaves it with whoever has it. */
const COMES: ReadonlySet<ControlChange> = new Set<ControlChange>(['taken', 'given', 'handed-back']);

export interface TakeoverLogDeps {
  readonly leases: Leases;
  readonly downloads: Pick<Downloads, 'mark'>;
  placeOf: PageAddressOf;
  sessionTabs(): SessionTab[];
}

/** What people do while they have the wheel, for the agent that gets it next (CO5). */
export class TakeoverLog {
  readonly #open = new Map<string, HolderTakeover>();
  readonly #away = new BoundedMap<string, AgentTakeover>(MOST_AWAY);

  constructor(private readonly deps: TakeoverLogDeps) {}

  /**
   * Since this agent lost the wheel; for one that had none, since this person has it; in both cases since it was told
   * last.
   */
  of(person: string, agent: string): Takeover | undefined {
    const own = this.#open.get(person);
    return this.#away.get(agent) ?? own?.since.get(agent) ?? own;
  }

  /** The agent gets that with the wheel of this tab: the next time it is told what came after. */
  told(person: string, agent: string, tab: string, { takeover, actions, more }: ReportedTakeover): void {
    const known = new Set(actions);
    const after = {
      ...this.#begin(tab, false),
      actions: (takeover?.actions ?? []).filter((done) => !known.has(done)),
      more: Math.max(0, (takeover?.more ?? 0) - more),
    };
    const away = this.#away.get(agent);
    if (away) this.#away.set(agent, { ...after, lost: away.lost });
    // What is told of a time away is the work of everybody.
    for (const [id, own] of this.#open)
      if (id === person || takeover !== this.#ownOf(person, agent))
        own.since.set(agent, { ...after, actions: [...after.actions] });
  }

  did(person: string, done: DoneAction): void {
    for (const takeover of this.#of(person)) {
      takeover.actions.push(done);
      if (takeover.actions.length <= RECEIPT_LIMITS.actions) continue;
      takeover.actions.shift();
      takeover.more += 1;
    }
  }

  missed(person: string): void {
    for (const takeover of this.#of(person)) takeover.more += 1;
  }

  /**
   * A person's begins when they get the wheel of their first tab, and ends when they have none; an agent's while it is
   * away from where it had it.
   */
  wheelMoved(effect: ControlEffect): void {
    if (effect.type !== 'changed') return;
    const { tab, change, lease } = effect;
    const mine = driven(lease);
    const resumed = change === 'parked' && lease.reason === RESTARTED;
    if (mine?.holder.kind === 'human') {
      if (!this.#open.has(mine.holder.id))
        this.#open.set(mine.holder.id, { ...this.#begin(tab, resumed), since: new Map() });
      if (mine.takenFrom && (resumed || COMES.has(change))) this.#leaves(mine.takenFrom.id, tab, resumed);
    } else if (mine) this.#returns(mine.holder.id, tab);
    const leases = [...this.deps.leases.leases.values()];
    const busy = new Set(
      leases.flatMap((one) => [ownerOf(one)?.id, one.state === 'draining' ? one.from.id : undefined]),
    );
    for (const person of this.#open.keys()) if (!busy.has(person)) this.#open.delete(person);
  }

  #ownOf(person: string, agent: string): Takeover | undefined {
    const own = this.#open.get(person);
    return own?.since.get(agent) ?? own;
  }

  #of(person: string): Takeover[] {
    const own = this.#open.get(person);
    return [...(own ? [own, ...own.since.values()] : []), ...this.#away.values()];
  }

  #leaves(agent: string, tab: string, resumed: boolean): void {
    const before = this.#away.get(agent);
    if (before) {
      before.lost.add(tab);
      return;
    }
    this.#away.set(agent, { ...this.#begin(tab, resumed), lost: new Set([tab]) });
  }

  #returns(agent: string, tab: string): void {
    const lost = this.#away.get(agent)?.lost;
    if (!lost) return;
    for (const id of lost) if (id === tab || !this.deps.leases.lease(id)) lost.delete(id);
    if (lost.size === 0) this.#away.delete(agent);
  }

  #begin(tab: string, resumed: boolean): Takeover {
    const sessionTabs = this.deps.sessionTabs();
    const cookies = cookieMarks(sessionTabs.find((sessionTab) => sessionTab.tab.id === tab));
    return {
      takenAt: new Date().toISOString(),
      tabs: tabsOf(sessionTabs, this.deps.placeOf),
      downloads: this.deps.downloads.mark(),
      cookies,
      actions: [],
      more: 0,
      resumed,
    };
  }
}

/** What there is to tell now. It is told again unless `told` says that the agent got it. */
export function reportTakeover(takeover: Takeover | undefined): ReportedTakeover {
  return { takeover, actions: [...(takeover?.actions ?? [])], more: takeover?.more ?? 0 };
}

/** How a tab is called to who may not look at it; undefined where it is called as it is. */
export type PageAddressOf = (tab: string) => PageAddress | undefined;

/** As others may see them: what somebody holds privately has no title and address (CO8). */
export function tabsOf(sessionTabs: readonly SessionTab[], placeOf: PageAddressOf): Receipt['tabs'] {
  return sessionTabs.map(({ tab: { id, url, title } }) => ({ ...{ id, url, title }, ...placeOf(id) }));
}

/** Of all sites of the session. Never rejects. Source: Network.getAllCookies. */
export async function cookieMarks(sessionTab: SessionTab | undefined): Promise<CookieMarks | undefined> {
  if (!sessionTab) return undefined;
  try {
    const cookies = await readCookies(sessionTab.tab.sessions.commands, undefined);
    return new Map(
      cookies.map(({ name, domain, path, value }) => [
        JSON.stringify([name, domain, path]),
        createHash('sha256').update(value).digest('base64'),
      ]),
    );
  } catch {
    // The tab went away, or its Chrome.
    return undefined;
  }
}

const MOST_NAMES = 60;
const MAX_NAME = 120;

/** Names of the cookies that came, went, or have another value. */
export function changedCookies(before: CookieMarks, now: CookieMarks): NonNullable<Receipt['cookies']> {
  const names = (keys: string[]): string[] =>
    [...new Set(keys.map((key) => cleanText(nameIn(key), MAX_NAME)))].slice(0, MOST_NAMES);
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
