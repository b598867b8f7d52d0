import type { Clock } from '@/lib/budget/clock';
import type { CdpSession } from '@/server/cdp/session';
import { Emitter } from '../emitter';
import { ConsoleWatch } from './console-watch';
import { RequestLog } from './request-log';

/** The rings of one tab: console, errors, requests (PS1). Everything in them is page content. */
export class TabWatch {
  /** Something was added to or changed in a ring. */
  readonly onChange = new Emitter<[]>();
  readonly requests: RequestLog;
  readonly #console: ConsoleWatch;

  constructor(clock: Clock) {
    const changed = (): void => this.onChange.emit();
    this.#console = new ConsoleWatch(clock, changed);
    this.requests = new RequestLog(clock, changed);
  }

  get console(): ConsoleWatch['lines'] {
    return this.#console.lines;
  }

  get errors(): ConsoleWatch['errors'] {
    return this.#console.errors;
  }

  /** Listens to one session of the bulk lane: the page's own, or a cross-origin frame's. Nobody waits for a page that hangs. */
  listen(session: CdpSession): void {
    this.requests.listen(session);
    void this.#console.listen(session);
  }
}
