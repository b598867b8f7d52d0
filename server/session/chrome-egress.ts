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
 * What a context is made with, so that its only way out is the proxy at this port; undefined: a Chrome that is not
 * ours, which goes its own way.
 */
export function proxied(egressPort: number | undefined): ContextOptions {
  return egressPort === undefined ? {} : { proxyServer: `http://127.0.0.1:${egressPort}` };
}

/**
 * Whether a Chrome of ours that runs can reach a network but by the proxy: started by a version without one, or
 * otherwise than we start them.
 */
export function isOpen({ origin, pid, floorPort }: BrowserRecord): boolean {
  if (origin === 'attached') return false;
  const command = pid === null ? '' : commandOf(pid);
  // It has just ended: what is left of it says nothing.
  if (command === '') return false;
  return floorPort === null || !floorArgs(floorPort).every((arg) => command.includes(arg));
}

/** Returns the function that opens it again. */
function closeDebugPort(egress: Egress, addresses: readonly (string | null)[]): () => void {
  const urls = addresses.flatMap((address) => (address !== null && URL.canParse(address) ? [new URL(address)] : []));
  const ends = urls.map(({ hostname, port, protocol }) =>
    egress.debugPort(hostname, port === '' ? (protocol === 'https:' || protocol === 'wss:' ? 443 : 80) : Number(port)),
  );
  return () => {
    for (const end of ends) end();
  };
}

/** What the egress proxy knows of each Chrome: its floor, and the debugging port that is closed to all pages. */
export class ChromeEgress {
  /** Chromes of the last run that were ended because they had no proxy. */
  readonly outdated = new Set<string>();
  /** Sessions of the last run whose port another program has, with that port. */
  readonly closed = new Map<string, number>();
  readonly #guards = new Map<string, () => void>();

  constructor(
    private readonly egress: Egress,
    private readonly logger: Logger,
  ) {}

  /** Keeps pages from a Chrome by each address that we know it under, as they are now. */
  guard(id: string, addresses: readonly (string | null)[]): void {
    const before = this.#guards.get(id);
    this.#guards.set(id, closeDebugPort(this.egress, addresses));
    before?.();
  }

  /** Closes the debugging ports of the last run's Chromes that still run, whatever becomes of them. */
  guardKnown(records: readonly BrowserRecord[]): void {
    for (const record of records) if (runs(record)) this.guard(record.id, [record.cdpUrl]);
  }

  /**
   * From before the first look at a Chrome, and for as long as this server runs: an attached one may be there long
   * after we have let it go.
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

  /**
   * Of a version without the proxy, or started otherwise than by us: it is ended, and its sessions go on in one that
   * has it.
   */
  outdate({ id }: BrowserRecord): void {
    this.logger.warn({ browser: id }, 'a Chrome that was started without the egress proxy is ended');
    this.outdated.add(id);
  }

  /** Opens a session's listener, and closes it again where what was to use it fails; not one that it had before. */
  async opened<T>(budget: Budget, session: string, use: (port: number) => Promise<T>): Promise<T> {
    const had = this.egress.portOf(session) !== undefined;
    try {
      return await use(await budget.race(this.egress.open(session)));
    } catch (error) {
      if (!had) await this.egress.close(session);
      throw error;
    }
  }

  /** Of a session that has ended. */
  close(session: string): Promise<void> {
    return this.egress.close(session);
  }

  /** Its process has ended. */
  async unguard(id: string): Promise<void> {
    this.#guards.get(id)?.();
    this.#guards.delete(id);
    await this.egress.close(id);
  }

  /** After a restart: a session's listener at the port that its context knows. */
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

  /** Where another program has its port, what has no session reaches that one, and no network by us. */
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
