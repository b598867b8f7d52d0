import type { Budget } from '@/lib/budget/budget';
import type { SessionView } from '@/lib/protocol/views';
import { credentialName, type Credential } from '@/server/access/principal';
import { quotaError } from '@/server/access/quota';
import type { ChromeBrowser } from '@/server/browser/chrome-browser';
import type { Limits } from '@/server/config/limits';

/** The parts of a session that quotas count. */
interface CountedSession {
  readonly init: {
    readonly maker?: Credential | undefined;
    readonly contextRef: { readonly isolation: SessionView['isolation']; readonly present: ChromeBrowser | undefined };
  };
  readonly registry: { readonly size: number };
}

export interface QuotasDeps {
  readonly caps: Limits;
  readonly sessions: () => Iterable<CountedSession>;
  /** Memory of each launched Chrome in bytes; undefined where the system does not report it. */
  readonly memory: () => Promise<ReadonlyMap<ChromeBrowser, number> | undefined>;
}

const MB = 1024 * 1024;

/** A session that is being made. */
interface PendingSession {
  readonly maker: string;
  readonly dedicated: boolean;
}

/**
 * Checks whether there is room for another session or tab, per key or sign-in and on the server (BR7). Refuses new ones
 * only; existing ones stay.
 */
export class Quotas {
  readonly #making = new Set<PendingSession>();

  constructor(private readonly deps: QuotasDeps) {}

  /**
   * Reserves a place for a new session; call the returned function once the session exists or has failed. Throws QUOTA.
   */
  session(credential: Credential, isolation: SessionView['isolation']): () => void {
    const { caps } = this.deps;
    const maker = credentialName(credential);
    const dedicated = isolation === 'browser';
    const all = [
      ...[...this.deps.sessions()].map(({ init }) => ({
        maker: init.maker && credentialName(init.maker),
        dedicated: init.contextRef.isolation === 'browser',
      })),
      ...this.#making,
    ];
    const own = all.filter((one) => one.maker === maker);
    demandRoom('sessions', own.length, caps);
    demandRoom('sessions-server', all.length, caps);
    if (dedicated) demandRoom('chromes', own.filter((one) => one.dedicated).length, caps);
    const making = { maker, dedicated };
    this.#making.add(making);
    return () => void this.#making.delete(making);
  }

  /** Throws QUOTA when the server has no room for another tab. */
  tab(): void {
    demandRoom('tabs-server', this.#tabs(), this.deps.caps);
  }

  /** Whether the server has room for a window that a page opens. */
  get hasRoomForTab(): boolean {
    return this.#tabs() < this.deps.caps['tabs-server'];
  }

  /** Throws QUOTA when the server's Chromes use too much memory, or this one more than its sessions may. */
  async memory(budget: Budget, browser: ChromeBrowser | undefined): Promise<void> {
    const { caps } = this.deps;
    const taken = await budget.race(this.deps.memory());
    if (!taken) return;
    const all = [...taken.values()].reduce((sum, bytes) => sum + bytes, 0);
    if (all >= caps['memory-server'] * MB)
      throw quotaError('memory-server', Math.round(all / MB), caps['memory-server']);
    const own = browser && taken.get(browser);
    if (own === undefined) return;
    const inIt = [...this.deps.sessions()].filter(({ init }) => init.contextRef.present === browser).length;
    const limit = caps['memory-session'] * Math.max(1, inIt);
    if (own >= limit * MB) throw quotaError('memory-session', Math.round(own / MB), limit);
  }

  #tabs(): number {
    return [...this.deps.sessions()].reduce((sum, { registry }) => sum + registry.size, 0);
  }
}

function demandRoom(
  setting: 'sessions' | 'sessions-server' | 'chromes' | 'tabs-server',
  used: number,
  caps: Limits,
): void {
  if (used >= caps[setting]) throw quotaError(setting, used, caps[setting]);
}
