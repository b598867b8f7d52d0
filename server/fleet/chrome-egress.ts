import type { Budget } from '@/lib/budget/budget';
import { messageOf } from '@/lib/errors/error';
import type { Egress } from '@/server/access/egress/egress';
import type { ContextOptions } from '@/server/browser/chrome-browser';
import { floorArgs } from '@/server/browser/launch';
import { commandOf } from '@/server/browser/process-id';
import type { BrowserRecord } from '@/server/store/browsers';
import type { SessionRecord } from '@/server/store/sessions';
import type { Logger } from '@/server/telemetry/logger';
import { runs } from './browser-records';

/**
 * Options that make the proxy at this port the context's only network path; with undefined, for an attached Chrome, no
 * proxy is set.
 */
export function proxied(egressPort: number | undefined): ContextOptions {
  return egressPort === undefined ? {} : { proxyServer: `http://127.0.0.1:${egressPort}` };
}

/**
 * Whether a running launched Chrome can bypass the proxy: an older version started it without one, or its arguments
 * differ.
 */
export function isOpen({ origin, pid, floorPort }: BrowserRecord): boolean {
  if (origin === 'attached') return false;
  const command = pid === null ? '' : commandOf(pid);
  // The process has just ended, so its arguments are unknown.
  if (command === '') return false;
  return floorPort === null || !floorArgs(floorPort).every((arg) => command.includes(arg));
}

/** Blocks pages from these addresses; the returned function unblocks them. */
function closeDebugPort(egress: Egress, addresses: readonly (string | null)[]): () => void {
  const urls = addresses.flatMap((address) => (address !== null && URL.canParse(address) ? [new URL(address)] : []));
  const ends = urls.map(({ hostname, port, protocol }) =>
    egress.debugPort(hostname, port === '' ? (protocol === 'https:' || protocol === 'wss:' ? 443 : 80) : Number(port)),
  );
  return () => {
    for (const end of ends) end();
  };
}

/** Manages the egress proxy for each Chrome: its floor, and its debugging port, which no page may reach. */
export class ChromeEgress {
  /** Chromes of the last run that were ended because they bypassed the proxy. */
  readonly outdated = new Set<string>();
  /** Sessions of the last run whose proxy port is taken by another program, with that port. */
  readonly closed = new Map<string, number>();
  readonly #guards = new Map<string, () => void>();

  constructor(
    private readonly egress: Egress,
    private readonly logger: Logger,
  ) {}

  /** Blocks pages from a Chrome's present debugging addresses; replaces its earlier blocks. */
  guard(id: string, addresses: readonly (string | null)[]): void {
    const before = this.#guards.get(id);
    this.#guards.set(id, closeDebugPort(this.egress, addresses));
    before?.();
  }

  /** Blocks pages from the debugging ports of the last run's Chromes that still run. */
  guardKnown(records: readonly BrowserRecord[]): void {
    for (const record of records) if (runs(record)) this.guard(record.id, [record.cdpUrl]);
  }

  /**
   * Blocks pages from a Chrome's addresses before connecting, and unblocks only if that fails: an attached Chrome may
   * run long after the server detached from it.
   */
  async guarding<T>(id: string, addresses: readonly string[], reach: () => Promise<T>): Promise<T> {
    this.guard(id, addresses);
    try {
      return await reach();
    } catch (error) {
      await this.unguard(id);
      throw error;
    }
  }

  /** Marks a Chrome that can bypass the proxy: it is ended, and its sessions continue in a new one. */
  outdate({ id }: BrowserRecord): void {
    this.logger.warn({ browser: id }, 'a Chrome that was started without the egress proxy is ended');
    this.outdated.add(id);
  }

  /** Opens a session's proxy listener; if `use` fails, closes it again unless it was open before. */
  async opened<T>(budget: Budget, session: string, use: (port: number) => Promise<T>): Promise<T> {
    const had = this.egress.portOf(session) !== undefined;
    try {
      return await use(await budget.race(this.egress.open(session)));
    } catch (error) {
      if (!had) await this.egress.close(session);
      throw error;
    }
  }

  /** Closes the proxy listener of a session. */
  close(session: string): Promise<void> {
    return this.egress.close(session);
  }

  /** Unblocks a Chrome's debugging port and closes its floor, after its process has ended. */
  async unguard(id: string): Promise<void> {
    this.#guards.get(id)?.();
    this.#guards.delete(id);
    await this.egress.close(id);
  }

  /**
   * After a restart, reopens a session's listener at the port its context uses. Records the port in `closed` when it is
   * taken.
   */
  async reopen({ id, egressPort }: SessionRecord): Promise<void> {
    if (egressPort === null) return;
    try {
      await this.egress.open(id, egressPort);
    } catch (error) {
      this.closed.set(id, egressPort);
      this.logger.warn(
        { session: id, port: egressPort, reason: messageOf(error) },
        'the port by which a session reaches the network is taken',
      );
    }
  }

  /**
   * After a restart, reopens a Chrome's floor. If another program has the port, traffic outside of sessions reaches
   * that program, and no network through this server.
   */
  async reopenFloor({ id, floorPort }: BrowserRecord): Promise<void> {
    if (floorPort === null) return;
    try {
      await this.egress.openFloor(id, floorPort);
    } catch (error) {
      this.logger.warn(
        { browser: id, port: floorPort, reason: messageOf(error) },
        'the port of the egress floor is taken',
      );
    }
  }
}
