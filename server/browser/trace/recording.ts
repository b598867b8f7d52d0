import { WheelhouseError } from '@/lib/errors/error';
import type { Budget } from '@/lib/budget/budget';
import { TRACE_LIMITS } from '@/lib/trace/limits';
import { CdpError } from '@/server/cdp/protocol';
import type { CdpConnection } from '@/server/cdp/connection';
import type { CdpSession } from '@/server/cdp/session';
import { Emitter } from '../emitter';
import type { FencedSession } from '../write';

/** The categories that Chrome's own performance panel records (Chromium 156), without its own tasks. */
const CATEGORIES = [
  'blink.console',
  'blink.user_timing',
  'devtools.timeline',
  'disabled-by-default-devtools.timeline',
  'disabled-by-default-devtools.timeline.frame',
  'disabled-by-default-devtools.timeline.stack',
  'disabled-by-default-v8.compile',
  'disabled-by-default-v8.cpu_profiler',
  'latencyInfo',
  'loading',
  'v8.execute',
  'v8',
  'navigation,rail',
];
const PICTURES = 'disabled-by-default-devtools.screenshot';
/** How often Chrome reports the fill level of its buffer, milliseconds. */
const REPORT_MS = 250;

export interface RecordingOptions {
  readonly screenshots: boolean;
  /** Size of Chrome's buffer, kilobytes of its own compact form. */
  readonly bufferKb?: number;
}

/** A finished trace, which can be read more than once. */
export interface TraceStream {
  readonly session: CdpSession;
  readonly handle: string;
  /** Whether Chrome dropped events for lack of room. */
  readonly dataLoss: boolean;
}

/**
 * A running trace of one page (PS5), on a session of its own: when the session ends, Chrome ends the trace. On a page's
 * session Chrome records the renderers of that page only, including later ones, but its own processes with their work
 * for every page (docs/chrome-facts.md, Traces), so the result is filtered (`lib/trace/filter`). Source: Tracing.start,
 * Tracing.end.
 */
export class TraceRecording {
  /** Chrome's buffer is nearly full. */
  readonly onFull = new Emitter<[]>();
  /** The page or Chrome is gone, and the trace with it. */
  readonly onLost = new Emitter<[WheelhouseError]>();
  readonly #complete: Promise<TraceStream>;

  private constructor(
    private readonly lane: CdpConnection,
    private readonly session: CdpSession,
  ) {
    session.on('Tracing.bufferUsage', ({ percentFull = 0 }) => {
      if (percentFull >= TRACE_LIMITS.full) this.onFull.emit();
    });
    session.onEnd((error) => this.onLost.emit(error));
    this.#complete = new Promise((resolve, reject) => {
      session.on('Tracing.tracingComplete', ({ stream, dataLossOccurred }) => {
        if (stream === undefined) reject(new WheelhouseError('UNSUPPORTED', 'This Chrome gives no trace as a stream.'));
        else resolve({ session, handle: stream, dataLoss: dataLossOccurred });
      });
      session.onEnd(reject);
    });
    this.#complete.catch(() => undefined);
  }

  /** Throws CONFLICT while another page of the same Chrome is traced: Chrome has one trace at a time. */
  static async start(
    budget: Budget,
    lane: CdpConnection,
    targetId: string,
    write: FencedSession,
    { screenshots, bufferKb = TRACE_LIMITS.bufferKb }: RecordingOptions,
  ): Promise<TraceRecording> {
    const session = await budget.race(lane.attach(targetId));
    const recording = new TraceRecording(lane, session);
    const includedCategories = screenshots ? [...CATEGORIES, PICTURES] : CATEGORIES;
    try {
      await write.on(session)('Tracing.start', {
        transferMode: 'ReturnAsStream',
        streamFormat: 'json',
        bufferUsageReportingInterval: REPORT_MS,
        traceConfig: {
          recordMode: 'recordUntilFull',
          traceBufferSizeInKb: bufferKb,
          excludedCategories: ['*'],
          includedCategories,
        },
      });
      return recording;
    } catch (error) {
      recording.dispose();
      if (error instanceof CdpError && error.detail.includes('already been started')) {
        throw new WheelhouseError(
          'CONFLICT',
          'Another page of this Chrome is being traced; it has one trace at a time.',
          {
            hint: 'Try again later, or use a session with a Chrome of its own ("isolation": "browser").',
            cause: error,
          },
        );
      }
      throw error;
    }
  }

  /** Ends the trace, also while the page hangs. Rejects when page or Chrome are gone. */
  async end(budget: Budget): Promise<TraceStream> {
    await budget.during('the trace to end', () => this.session.send('Tracing.end'));
    return budget.during('the trace', () => this.#complete);
  }

  /** Detaches the session, which also frees the trace in Chrome. */
  dispose(): void {
    this.onFull.clear();
    this.onLost.clear();
    void this.lane.detach(this.session);
  }
}
