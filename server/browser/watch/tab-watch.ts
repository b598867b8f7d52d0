import type { Budget } from '@/lib/budget/budget';
import type { Clock } from '@/lib/budget/clock';
import type { CdpSession } from '@/server/cdp/session';
import type { ChildTarget } from '../frames/child-targets';
import type { TabFrames } from '../frames/tab-frames';
import { Emitter } from '../emitter';
import type { RuleOf } from '../page-block';
import { redactView } from '@/lib/secrets/redact-view';
import type { KnownSecrets } from '../known-secrets';
import { ConsoleWatch } from './console-watch';
import { LogSources, type LogSource } from './log-source';
import { RequestLog } from './request-log';

/** The buffers of one tab: console, errors, requests (PS1). Everything in them is page content. */
export class TabWatch {
  /** An entry was added to a buffer or changed. */
  readonly onChange = new Emitter<[]>();
  readonly requests: RequestLog;
  readonly #console: ConsoleWatch;
  #drains: () => readonly CdpSession[] = () => [];

  constructor(clock: Clock, ruleOf?: RuleOf, secrets?: KnownSecrets) {
    const shown = secrets && asRead(secrets);
    const changed = (): void => this.onChange.emit();
    this.#console = new ConsoleWatch(clock, changed, shown);
    this.requests = new RequestLog(clock, changed, ruleOf, shown);
  }

  get console(): ConsoleWatch['lines'] {
    return this.#console.lines;
  }

  get errors(): ConsoleWatch['errors'] {
    return this.#console.errors;
  }

  /** While closed, nothing new is kept (CO8). */
  setClosed(closed: boolean): void {
    for (const ring of [this.console, this.errors, this.requests.ring]) ring.setClosed(closed);
  }

  /**
   * Settles when everything that has happened in the page until now has been reported: Chrome sends the page's events
   * before its answer to a later call.
   */
  async eventsReported(budget: Budget): Promise<void> {
    await budget.race(
      Promise.all(this.#drains().map((session) => session.sendMayFail('Runtime.evaluate', { expression: '0' }))),
    );
  }

  /**
   * Listens to the page's session on the events lane, on which `Activity` enables Network, and to each child target of
   * the tab from before its first script. Downloads come from `page`, a session with Page enabled.
   */
  start(session: CdpSession, frames: TabFrames, page: CdpSession): void {
    page.on('Page.downloadWillBegin', ({ url }) => this.requests.downloadBegun(url));
    const places = new LogSources(frames);
    const follow = (childTarget: ChildTarget): void => {
      this.#listen(childTarget.session, places.of(childTarget.session, childTarget));
      void childTarget.session.sendMayFail('Network.enable');
    };
    this.#listen(session, places.of(session));
    this.#drains = () => [session, ...frames.childTargets.list().map((childTarget) => childTarget.session)];
    for (const childTarget of frames.childTargets.list()) follow(childTarget);
    frames.childTargets.onTarget.on(follow);
  }

  /** Not awaited: a page that hangs answers late. */
  #listen(session: CdpSession, place: LogSource): void {
    this.requests.listen(session, place);
    void this.#console.listen(session, place);
  }
}

/** Masks entries by the secrets that are known when they are read. */
function asRead(secrets: KnownSecrets): <T extends object>(entry: T) => T {
  let known = secrets.redactor;
  let clean = new WeakSet<object>();
  return (entry) => {
    if (known !== secrets.redactor) [known, clean] = [secrets.redactor, new WeakSet()];
    if (clean.has(entry)) return entry;
    const shown = redactView(known, entry, false);
    if (shown === entry) clean.add(entry);
    return shown;
  };
}
