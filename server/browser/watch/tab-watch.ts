import type { Clock } from '@/lib/budget/clock';
import type { CdpSession } from '@/server/cdp/session';
import type { TabFrames } from '../frames/tab-frames';
import { Emitter } from '../emitter';
import { ConsoleWatch } from './console-watch';
import { RequestLog } from './request-log';

/** The rings of one tab: console, errors, requests (PS1). Everything in them is page content. */
export class TabWatch {
  /** Something was added to or changed in a ring. */
  readonly onChange = new Emitter<[]>();
  readonly requests: RequestLog;
  readonly #console: ConsoleWatch;
  readonly #heard = new WeakSet<CdpSession>();

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

  /** Listens to the page's session of the bulk lane, on which `Activity` enables Network, and to those of frames in other processes as they come. */
  start(session: CdpSession, frames: TabFrames): void {
    this.#listen(session);
    frames.onChange.on(() => this.#follow(frames));
  }

  #follow(frames: TabFrames): void {
    for (const { sessions } of frames.targets()) {
      if (this.#heard.has(sessions.bulk)) continue;
      this.#listen(sessions.bulk);
      void sessions.bulk.sendMayFail('Network.enable');
    }
  }

  /** Nobody waits here: a page that hangs answers late. */
  #listen(session: CdpSession): void {
    this.#heard.add(session);
    this.requests.listen(session);
    void this.#console.listen(session);
  }
}
