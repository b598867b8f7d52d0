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

/** By name, domain and path: a hash of the cookie's value, never the value. */
type CookieMarks = ReadonlyMap<string, string>;

/**
 * What a person did from when they took the lease until they give it away, and the state of the session when they took
 * it.
 */
export interface Takeover {
  readonly takenAt: string;
  readonly tabs: Receipt['tabs'];
  /** For `Downloads.since`. */
  readonly downloads: number;
  /** Undefined where Chrome did not return the cookies. */
  readonly cookies: Promise<CookieMarks | undefined>;
  readonly actions: DoneAction[];
  /** Number of actions that were done and are not in `actions`. */
  more: number;
  /** It began before this run of the server, so its start is unknown. */
  readonly resumed: boolean;
}

/** What a person did since they have had any lease. */
interface HolderTakeover extends Takeover {
  /** By agent: what the person did since that agent's last receipt. */
  readonly since: Map<string, Takeover>;
}

/** What people did since an agent lost its lease, or since its last receipt, until the agent has its lease again. */
interface AgentTakeover extends Takeover {
  /** Tabs whose lease the agent lost and does not have again. */
  readonly lost: Set<string>;
}

/** A takeover as one receipt reports it: copies, because the takeover may go on. */
export interface ReportedTakeover {
  readonly takeover: Takeover | undefined;
  readonly actions: readonly DoneAction[];
  readonly more: number;
}

/** Most agents whose absence is recorded; the one that has been away longest is dropped first. */
const MOST_AWAY = 50;

/** Changes that give the lease to another participant; other changes leave it with its holder. */
const COMES: ReadonlySet<ControlChange> = new Set<ControlChange>(['taken', 'given', 'handed-back']);

export interface TakeoverLogDeps {
  readonly leases: Leases;
  readonly downloads: Pick<Downloads, 'mark'>;
  placeOf: PageAddressOf;
  sessionTabs(): SessionTab[];
}

/** Records what people do while they have a lease, for the receipt of the agent that gets it next (CO5). */
export class TakeoverLog {
  readonly #open = new Map<string, HolderTakeover>();
  readonly #away = new BoundedMap<string, AgentTakeover>(MOST_AWAY);

  constructor(private readonly deps: TakeoverLogDeps) {}

  /**
   * The takeover to report to this agent: since it lost its lease, or, if it had none, since this person has one; in
   * both cases only what came after its last receipt.
   */
  of(person: string, agent: string): Takeover | undefined {
    const own = this.#open.get(person);
    return this.#away.get(agent) ?? own?.since.get(agent) ?? own;
  }

  /**
   * Notes that the agent received this report with the lease of the tab; its next receipt holds only what came after.
   */
  delivered(person: string, agent: string, tab: string, { takeover, actions, more }: ReportedTakeover): void {
    const known = new Set(actions);
    const after = {
      ...this.#begin(tab, false),
      actions: (takeover?.actions ?? []).filter((done) => !known.has(done)),
      more: Math.max(0, (takeover?.more ?? 0) - more),
    };
    const away = this.#away.get(agent);
    if (away) this.#away.set(agent, { ...after, lost: away.lost });
    // A report of an agent's absence contains the work of every person, so all their takeovers restart for it.
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
   * A person's takeover begins when they get their first lease and ends when they have none. An agent's absence begins
   * when a person takes its lease, and ends when it holds those tabs again or nobody holds them.
   */
  leaseMoved(effect: ControlEffect): void {
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

/** Copies what there is to report now. It is reported again unless `delivered` notes that the agent received it. */
export function reportTakeover(takeover: Takeover | undefined): ReportedTakeover {
  return { takeover, actions: [...(takeover?.actions ?? [])], more: takeover?.more ?? 0 };
}

/**
 * The address and title to show instead of a tab's own to participants who may not see it; undefined to show its own.
 */
export type PageAddressOf = (tab: string) => PageAddress | undefined;

/** The tabs as other participants may see them: without title and address under a private hold (CO8). */
export function tabsOf(sessionTabs: readonly SessionTab[], placeOf: PageAddressOf): Receipt['tabs'] {
  return sessionTabs.map(({ tab: { id, url, title } }) => ({ ...{ id, url, title }, ...placeOf(id) }));
}

/** Hashes the cookies of all sites of the session. Never rejects. Source: Network.getAllCookies. */
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
    // The tab or its Chrome is gone.
    return undefined;
  }
}

const MOST_NAMES = 60;
const MAX_NAME = 120;

/** Names of cookies that were added, changed or removed. */
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
