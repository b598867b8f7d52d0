import type { RingBuffer } from '@/lib/buffers/ring-buffer';
import { shownUrl, type Request } from './request-facts';

const ABORTED = 'net::ERR_ABORTED';
/** Most downloads whose request has not been seen to end. */
const MOST = 20;

/**
 * Tells documents that became downloads from those that failed: Chrome reports both as aborted (Chromium 156:
 * responseReceived, loadingFailed with net::ERR_ABORTED, Page.downloadWillBegin). The two events come on different
 * lanes, in any order.
 */
export class BecameDownloads {
  #begun: readonly string[] = [];

  constructor(private readonly ring: RingBuffer<Request>) {}

  /** Source: Page.downloadWillBegin. */
  begun(url: string): void {
    const shown = shownUrl(url);
    const ended = this.ring.newest((entry) => entry.url === shown && isAborted(entry));
    if (ended) this.ring.change(ended.id, { state: 'done', failure: undefined, download: true });
    else this.#begun = [...this.#begun, shown].slice(-MOST);
  }

  /** The end of a request as it is to be kept: one that became a download is done, not failed. */
  endOf(entry: Request | undefined, end: Partial<Request>): Partial<Request> {
    const at = entry && isAborted({ ...entry, ...end }) ? this.#begun.indexOf(entry.url) : -1;
    if (at < 0) return end;
    this.#begun = this.#begun.toSpliced(at, 1);
    return { ...end, state: 'done', failure: undefined, download: true };
  }
}

/** Whether a request looks aborted; only one that was answered can be a download. */
function isAborted({ type, state, status, failure }: Request): boolean {
  return type === 'document' && state === 'failed' && status !== undefined && failure === ABORTED;
}
