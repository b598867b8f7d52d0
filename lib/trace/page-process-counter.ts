import { z } from 'zod';
import { eventIn, type TraceEvent } from './event';

/** The processes of a trace that belong to the page that was traced. */
export interface PageProcesses {
  /** Chrome's own process; -1 when the trace does not say. */
  readonly browser: number;
  readonly gpu: ReadonlySet<number>;
  readonly renderers: ReadonlySet<number>;
}

/**
 * Category in which Chrome itself reports which frames of which process are traced. A page cannot write in it: its own
 * marks are in `blink.user_timing`.
 */
export const CHROME_SAYS = 'disabled-by-default-devtools.timeline';

/** Events of Chrome's process that are only about the frames of the traced page. */
export const FRAME_EVENTS: ReadonlySet<string> = new Set([
  'TracingStartedInBrowser',
  'FrameCommittedInBrowser',
  'ProcessReadyInBrowser',
  'FrameDeletedInBrowser',
  'TracingSessionIdForWorker',
]);

const processSchema = z.object({ processId: z.number().optional().catch(undefined) });
const startedSchema = z.object({ data: z.object({ frames: z.array(processSchema).catch([]) }) });
const committedSchema = z.object({ data: processSchema });
const namedSchema = z.object({ name: z.string() });

/** Finds the page's processes in a first pass over the trace, because the events are unordered. */
export class PageProcessCounter {
  readonly #names = new Map<number, string>();
  readonly #announced: { readonly by: number; readonly renderers: readonly number[] }[] = [];
  #startedBy = -1;

  see(text: string): void {
    if (!text.includes('InBrowser"') && !text.includes('"process_name"')) return;
    const event = eventIn(text);
    if (event?.ph === 'M' && event.name === 'process_name') this.#named(event);
    else if (event?.cat === CHROME_SAYS) this.#frames(event);
  }

  /** Before Chrome has reported what it traces, no process counts as the page's. */
  result(): PageProcesses {
    const browser = this.#names.get(this.#startedBy) === 'Renderer' ? -1 : this.#startedBy;
    const renderers = this.#announced.flatMap(({ by, renderers: pids }) => (by === browser ? pids : []));
    const gpu = [...this.#names].flatMap(([pid, name]) => (name === 'GPU Process' ? [pid] : []));
    return {
      browser,
      gpu: new Set(gpu),
      renderers: new Set(renderers.filter((pid) => pid !== browser && !gpu.includes(pid))),
    };
  }

  #named({ pid, args }: TraceEvent): void {
    const named = namedSchema.safeParse(args);
    if (named.success) this.#names.set(pid, named.data.name);
  }

  #frames({ name, pid, args }: TraceEvent): void {
    if (name === 'TracingStartedInBrowser') {
      const started = startedSchema.safeParse(args);
      this.#startedBy = pid;
      this.#announce(pid, started.success ? started.data.data.frames : []);
    } else if (FRAME_EVENTS.has(name)) {
      const committed = committedSchema.safeParse(args);
      this.#announce(pid, committed.success ? [committed.data.data] : []);
    }
  }

  #announce(by: number, processes: readonly z.infer<typeof processSchema>[]): void {
    this.#announced.push({
      by,
      renderers: processes.flatMap(({ processId }) => (processId === undefined ? [] : [processId])),
    });
  }
}
