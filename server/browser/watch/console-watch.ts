import type { Clock } from '@/lib/budget/clock';
import type { BranchView } from '@/lib/rings/branch';
import type { ConsoleEntry, PageError } from '@/lib/rings/entries';
import { Ring } from '@/lib/rings/ring';
import { cleanLines, cleanText } from '@/lib/text/clean';
import { maskText, maskUrl } from '@/lib/text/mask';
import type { Protocol } from '@/server/cdp/protocol';
import type { CdpSession } from '@/server/cdp/session';
import { CAUGHT_PER_SECOND, LINE_CHARS, RING_SIZES, URL_CHARS } from './limits';
import type { Place } from './place';
import { consoleText, shown } from './remote-text';

type Line = Omit<ConsoleEntry, 'id' | 'rev'>;
type Failure = Omit<PageError, 'id' | 'rev'>;

/** After this long without a new object, or this many objects, Chrome may forget those it kept for us. */
const FORGET_AFTER_MS = 1_000;
const FORGET_AFTER = 200;
/** How `console.clear()` is told: it is no line. Chrome writes the type first. */
const CLEARS = '"params":{"type":"clear"';
const HEAD_BYTES = 100;
/** Frames of a stack that Chrome records for each call; more would slow a page that logs much. */
const STACK_FRAMES = 5;

/**
 * What the page writes to its console and what it throws and does not catch (PS1).
 * Source: Runtime.consoleAPICalled, Runtime.exceptionThrown, Log.entryAdded.
 */
export class ConsoleWatch {
  readonly lines = new Ring<Line>({ keep: RING_SIZES.console, perSecond: CAUGHT_PER_SECOND });
  readonly errors = new Ring<Failure>({ keep: RING_SIZES.errors, perSecond: CAUGHT_PER_SECOND });

  constructor(
    private readonly clock: Clock,
    private readonly changed: () => void,
  ) {}

  /** Listens to one session, of the page or of a branch of it; settles when Chrome has turned the events on, which a page that hangs delays: do not wait for it. Never rejects. */
  async listen(session: CdpSession, place: Place): Promise<void> {
    const forget = this.#forgetter(session);
    session.on('Runtime.consoleAPICalled', (call) => {
      if (call.args.some((value) => value.objectId !== undefined)) forget();
      this.#called(call, place);
    });
    session.on('Runtime.exceptionThrown', ({ timestamp, exceptionDetails }) => {
      if (exceptionDetails.exception?.objectId !== undefined) forget();
      this.#thrown(timestamp, exceptionDetails, place);
    });
    session.on('Log.entryAdded', ({ entry }) => {
      if (!place.isTwice(entry)) this.#logged(entry, place);
    });
    session.screen = (method, data) => this.#passOver(method, data, forget);
    session.onOversized((method) => this.#tooLong(method, place));
    await Promise.all([
      session.sendMayFail('Runtime.enable'),
      session.sendMayFail('Runtime.setMaxCallStackSizeToCapture', { size: STACK_FRAMES }),
      session.sendMayFail('Log.enable'),
    ]);
  }

  /** In a flood events are counted by their first bytes. What they hold alive in Chrome is let go of all the same. */
  #passOver(method: string, data: Buffer, forget: () => void): boolean {
    const ring = method === 'Runtime.consoleAPICalled' ? this.lines : method === 'Runtime.exceptionThrown' ? this.errors : undefined;
    if (!ring || data.subarray(0, HEAD_BYTES).includes(CLEARS) || !ring.passOver(this.clock.now())) return false;
    if (data.includes('"objectId"')) forget();
    this.changed();
    return true;
  }

  #called({ type, args, timestamp, stackTrace }: Protocol.Runtime.ConsoleAPICalledEvent, place: Place): void {
    if (type === 'clear') return;
    this.#line(timestamp, place, () => ({ level: levelOf(type), source: type, text: bounded(consoleText(args)), ...whereOf(stackTrace?.callFrames[0]) }));
  }

  #logged({ source, level, text, timestamp, url, lineNumber = 0 }: Protocol.Log.LogEntry, place: Place): void {
    const where = url === undefined ? {} : whereOf({ url, lineNumber, columnNumber: 0 });
    this.#line(timestamp, place, () => ({ level: level === 'verbose' ? 'debug' : level, source, text: bounded(text), ...where }));
  }

  #tooLong(method: string, place: Place): void {
    if (method !== 'Runtime.consoleAPICalled') return;
    this.#line(Date.now(), place, () => ({ level: 'warning', source: 'wheelhouse', text: 'A line of several megabytes was written here; it was not kept.' }));
  }

  #line(timestamp: number, place: Place, make: () => Omit<Line, 'at'>): void {
    this.lines.add(this.clock.now(), () => ({ at: new Date(timestamp).toISOString(), ...make(), ...fromOf(place) }));
    this.changed();
  }

  #thrown(timestamp: number, details: Protocol.Runtime.ExceptionDetails, place: Place): void {
    this.errors.add(this.clock.now(), () => {
      const [text = '', ...stack] = thrownText(details).split('\n');
      const { lineNumber, columnNumber } = details;
      return {
        at: new Date(timestamp).toISOString(),
        text: maskText(cleanText(text, LINE_CHARS)),
        ...(stack.length > 0 ? { stack: bounded(stack.join('\n')) } : {}),
        rejection: details.text.includes('(in promise)'),
        ...whereOf({ url: details.url ?? details.stackTrace?.callFrames[0]?.url ?? '', lineNumber, columnNumber }),
        ...fromOf(place),
      };
    });
    this.changed();
  }

  /** Chrome keeps every object that a page logs alive for us; nobody here looks at them again, so they are let go of. Source: Runtime.releaseObjectGroup. */
  #forgetter(session: CdpSession): () => void {
    let kept = 0;
    let cancel = (): void => undefined;
    const forget = (): void => {
      cancel();
      kept = 0;
      void session.sendMayFail('Runtime.releaseObjectGroup', { objectGroup: 'console' });
    };
    session.onEnd(() => cancel());
    return () => {
      kept += 1;
      cancel();
      if (kept >= FORGET_AFTER) forget();
      else cancel = this.clock.after(FORGET_AFTER_MS, forget);
    };
  }
}

const LEVELS: Readonly<Record<string, ConsoleEntry['level']>> = { debug: 'debug', info: 'info', warning: 'warning', error: 'error', assert: 'error' };

function levelOf(type: string): ConsoleEntry['level'] {
  return LEVELS[type] ?? 'log';
}

/** What a script of `Runtime.callFunctionOn` starts and does not catch comes without the error itself: its words are in the text, its places in the trace (Chromium 156). */
function thrownText({ exception, text, stackTrace }: Protocol.Runtime.ExceptionDetails): string {
  if (!exception) return [text.replace(/^Uncaught (\(in promise\) )?/, ''), ...(stackTrace?.callFrames ?? []).map(stackLine)].join('\n');
  return exception.subtype === 'error' ? shown(exception) : `${text} ${shown(exception)}`;
}

/** As Chrome prints one; lines and columns from 1. */
function stackLine({ functionName, url, lineNumber, columnNumber }: Protocol.Runtime.CallFrame): string {
  return `    at ${functionName || '<anonymous>'} (${url || '<anonymous>'}:${lineNumber + 1}:${columnNumber + 1})`;
}

function fromOf({ view }: Place): { from?: BranchView } {
  return view ? { from: view } : {};
}

/** Lines and columns count from 1, as editors show them. */
function whereOf(frame: { url: string; lineNumber: number; columnNumber: number } | undefined): { where?: ConsoleEntry['where'] } {
  if (!frame || frame.url === '') return {};
  return { where: { url: maskUrl(cleanText(frame.url, URL_CHARS)), line: frame.lineNumber + 1, column: frame.columnNumber + 1 } };
}

function bounded(text: string): string {
  return maskText(cleanLines(text, LINE_CHARS));
}
