import { Timer } from '@/lib/async/timers';
import type { Clock } from '@/lib/budget/clock';
import type { ChildTargetView } from '@/lib/buffers/child-target';
import type { ConsoleEntry, PageError } from '@/lib/buffers/entries';
import { RingBuffer } from '@/lib/buffers/ring-buffer';
import { cleanLines, cleanText } from '@/lib/text/clean';
import { maskText, maskAddresses } from '@/lib/text/mask';
import type { CallFrame, ExceptionDetails } from '@/server/cdp/shapes/objects';
import type { EventParams } from '@/server/cdp/shapes/read';
import { isScriptName, withoutScriptNames } from '@/server/cdp/evaluate/script-names';
import { eventParams, type CdpSession } from '@/server/cdp/session';
import { LINE_CHARS, BUFFER_LIMITS, URL_CHARS } from './limits';
import type { LogSource } from './log-source';
import { consoleText, shown } from './remote-text';

type ConsoleLine = Omit<ConsoleEntry, 'id' | 'rev'>;
type Failure = Omit<PageError, 'id' | 'rev'>;

/** After this long without a new object, or after this many objects, Chrome's console objects are released. */
const FORGET_AFTER_MS = 1_000;
const FORGET_AFTER = 200;
/** The part of the event by which `console.clear()` is recognised, which adds no line. Chrome writes the type first. */
const CLEARS = '"params":{"type":"clear"';
const HEAD_BYTES = 100;
/** Pause after which a burst counts as over, and its newest lines are read. */
const REST_MS = 1_000;
/** Stack frames that Chrome records for each call; more would slow a page that logs much. */
const STACK_FRAMES = 5;

/**
 * The console lines and uncaught errors of a page (PS1).
 * Source: Runtime.consoleAPICalled, Runtime.exceptionThrown, Log.entryAdded.
 */
export class ConsoleWatch {
  readonly lines: RingBuffer<ConsoleLine>;
  readonly errors: RingBuffer<Failure>;

  readonly #resting: Timer;

  constructor(
    private readonly clock: Clock,
    private readonly changed: () => void,
    shown: <T extends object>(entry: T) => T = (entry) => entry,
  ) {
    this.#resting = new Timer(clock);
    this.lines = new RingBuffer(BUFFER_LIMITS.console, shown);
    this.errors = new RingBuffer(BUFFER_LIMITS.errors, shown);
  }

  /**
   * Listens to one session, of the page or of a child target of it. Settles when Chrome has turned the events on, which
   * a page that hangs delays, so do not await it. Never rejects.
   */
  async listen(session: CdpSession, place: LogSource): Promise<void> {
    const forget = this.#forgetter(session);
    session.on('Runtime.consoleAPICalled', (call) => {
      if (call.args.some((value) => value.objectId !== undefined)) forget();
      this.#called(call, place);
    });
    session.on('Runtime.exceptionThrown', (event) => {
      if (event.exceptionDetails.exception?.objectId !== undefined) forget();
      this.#thrown(event, place);
    });
    session.on('Log.entryAdded', ({ entry }) => {
      if (!place.isTwice(entry)) this.#logged(entry, place);
    });
    session.eventFilter = (method, data) => this.#holdBack(method, data, forget, place);
    session.onOversized((method) => this.#tooLong(method, place));
    session.onEnd(() => this.#resting.stop());
    await Promise.all([
      session.sendMayFail('Runtime.enable'),
      session.sendMayFail('Runtime.setMaxCallStackSizeToCapture', { size: STACK_FRAMES }),
      session.sendMayFail('Log.enable'),
    ]);
  }

  /**
   * Counts the events of a flood by their first bytes; only the newest are parsed, once the flood pauses. Releases the
   * objects that they keep alive in Chrome all the same. True when the event was only counted.
   */
  #holdBack(method: string, data: Buffer, forget: () => void, place: LogSource): boolean {
    if (!this.#held(method, data, place)) return false;
    if (data.includes('"objectId"')) forget();
    this.#resting.ensure(REST_MS, () => {
      this.lines.parseLazy();
      this.errors.parseLazy();
    });
    this.changed();
    return true;
  }

  #held(method: string, data: Buffer, place: LogSource): boolean {
    const now = this.clock.now();
    if (method === 'Runtime.exceptionThrown')
      return this.errors.addLazy(now, data.byteLength, () => failureOf(eventParams(method, data), place));
    if (method !== 'Runtime.consoleAPICalled' || data.subarray(0, HEAD_BYTES).includes(CLEARS)) return false;
    return this.lines.addLazy(now, data.byteLength, () => calledOf(eventParams(method, data), place));
  }

  #called(call: EventParams<'Runtime.consoleAPICalled'>, place: LogSource): void {
    if (call.type !== 'clear') this.#line(() => calledOf(call, place));
  }

  #logged(entry: EventParams<'Log.entryAdded'>['entry'], place: LogSource): void {
    const { source, level, text, timestamp, url, lineNumber = 0 } = entry;
    const where = url === undefined ? {} : whereOf({ url, lineNumber, columnNumber: 0 });
    this.#line(() => ({
      at: isoOf(timestamp),
      level: level === 'verbose' ? 'debug' : level,
      source,
      text: bounded(text),
      ...where,
      ...fromOf(place),
    }));
  }

  #tooLong(method: string, place: LogSource): void {
    if (method !== 'Runtime.consoleAPICalled') return;
    this.#line(() => ({
      at: isoOf(Date.now()),
      ...UNREAD,
      text: 'A line of several megabytes was written here; it was not kept.',
      ...fromOf(place),
    }));
  }

  #line(make: () => ConsoleLine): void {
    this.lines.add(this.clock.now(), make);
    this.changed();
  }

  #thrown(event: EventParams<'Runtime.exceptionThrown'>, place: LogSource): void {
    this.errors.add(this.clock.now(), () => failureOf(event, place));
    this.changed();
  }

  /**
   * Releases the objects that a page logs, which Chrome keeps alive for us and which are not read again. Source:
   * Runtime.releaseObjectGroup.
   */
  #forgetter(session: CdpSession): () => void {
    let kept = 0;
    const timer = new Timer(this.clock);
    const forget = (): void => {
      timer.stop();
      kept = 0;
      void session.sendMayFail('Runtime.releaseObjectGroup', { objectGroup: 'console' });
    };
    session.onEnd(() => timer.stop());
    return () => {
      kept += 1;
      if (kept >= FORGET_AFTER) forget();
      else timer.start(FORGET_AFTER_MS, forget);
    };
  }
}

/** Placeholder for an event that could not be read. */
const UNREAD = { level: 'warning', source: 'wheelhouse' } as const;

function calledOf(call: EventParams<'Runtime.consoleAPICalled'> | undefined, place: LogSource): ConsoleLine {
  if (!call)
    return {
      at: isoOf(Date.now()),
      ...UNREAD,
      text: 'A line was written here that could not be read.',
      ...fromOf(place),
    };
  const { type, args, timestamp, stackTrace } = call;
  return {
    at: isoOf(timestamp),
    level: levelOf(type),
    source: type,
    text: bounded(consoleText(args)),
    ...whereOf(stackTrace?.callFrames[0]),
    ...fromOf(place),
  };
}

function failureOf(event: EventParams<'Runtime.exceptionThrown'> | undefined, place: LogSource): Failure {
  if (!event)
    return {
      at: isoOf(Date.now()),
      text: 'An error was thrown here that could not be read.',
      rejection: false,
      ...fromOf(place),
    };
  const details = event.exceptionDetails;
  const [text = '', ...stack] = thrownText(details).split('\n');
  const { lineNumber, columnNumber } = details;
  return {
    at: isoOf(event.timestamp),
    text: maskText(cleanText(text, LINE_CHARS)),
    ...(stack.length > 0 ? { stack: bounded(stack.join('\n')) } : {}),
    rejection: details.text.includes('(in promise)'),
    ...whereOf({ url: details.url ?? details.stackTrace?.callFrames[0]?.url ?? '', lineNumber, columnNumber }),
    ...fromOf(place),
  };
}

/** ISO 8601 from milliseconds since 1970. */
function isoOf(timestamp: number): string {
  return new Date(timestamp).toISOString();
}

const LEVELS: Readonly<Record<string, ConsoleEntry['level']>> = {
  debug: 'debug',
  info: 'info',
  warning: 'warning',
  error: 'error',
  assert: 'error',
};

function levelOf(type: string): ConsoleEntry['level'] {
  return LEVELS[type] ?? 'log';
}

/**
 * The text of an uncaught error. For a script started by `Runtime.callFunctionOn` Chrome gives no error object: the
 * message is in `text`, the positions in the stack trace (Chromium 156).
 */
function thrownText({ exception, text, stackTrace }: ExceptionDetails): string {
  if (!exception)
    return [text.replace(/^Uncaught (\(in promise\) )?/, ''), ...(stackTrace?.callFrames ?? []).map(stackLine)].join(
      '\n',
    );
  return exception.subtype === 'error' ? shown(exception) : `${text} ${shown(exception)}`;
}

/** A stack frame as Chrome prints it; lines and columns from 1. */
function stackLine({ functionName, url, lineNumber, columnNumber }: CallFrame): string {
  return `    at ${functionName || '<anonymous>'} (${url || '<anonymous>'}:${lineNumber + 1}:${columnNumber + 1})`;
}

function fromOf({ view }: LogSource): { from?: ChildTargetView } {
  return view ? { from: view } : {};
}

/** Lines and columns count from 1, as in editors. */
function whereOf(frame: { url: string; lineNumber: number; columnNumber: number } | undefined): {
  where?: ConsoleEntry['where'];
} {
  if (!frame || frame.url === '' || isScriptName(frame.url)) return {};
  return {
    where: {
      url: maskAddresses(cleanText(frame.url, URL_CHARS)),
      line: frame.lineNumber + 1,
      column: frame.columnNumber + 1,
    },
  };
}

function bounded(text: string): string {
  return maskText(cleanLines(withoutScriptNames(text), LINE_CHARS));
}
