import { z } from 'zod';
import { maskHeader, maskText } from '@/lib/text/mask';
import { CHROME_SAYS, FRAME_EVENTS, type PageProcesses } from './page-process-counter';
import { eventIn, type TraceEvent } from './event';

/** Metadata events that a trace may contain. Others contain titles of pages and details of the machine. */
const NAMES: ReadonlySet<string> = new Set(['process_name', 'thread_name', 'process_sort_index', 'thread_sort_index']);
const SCREENSHOTS = 'disabled-by-default-devtools.screenshot';

const gpuTaskSchema = z.object({ data: z.object({ renderer_pid: z.number() }) });

/**
 * The text of an event if callers may see it, else undefined. A page's trace also contains events of Chrome's own
 * processes about every page of every session, with addresses (Chromium 156): of those processes only events that are
 * known to be about this page pass.
 */
export function passed(text: string, processes: PageProcesses): string | undefined {
  const event = eventIn(text);
  if (!event || !belongs(event, processes)) return undefined;
  return holdsAddresses(text) ? JSON.stringify({ ...event, args: masked(event.args) }) : text;
}

function belongs(event: TraceEvent, { browser, gpu, renderers }: PageProcesses): boolean {
  const { ph, name, pid, cat } = event;
  if (ph === 'M') return NAMES.has(name) && (pid === browser || gpu.has(pid) || renderers.has(pid));
  if (renderers.has(pid)) return true;
  if (pid === browser)
    return (cat === CHROME_SAYS && FRAME_EVENTS.has(name)) || (cat === SCREENSHOTS && name === 'Screenshot');
  return gpu.has(pid) && name === 'GPUTask' && isFor(event, renderers);
}

function isFor({ args }: TraceEvent, renderers: ReadonlySet<number>): boolean {
  const task = gpuTaskSchema.safeParse(args);
  return task.success && renderers.has(task.data.data.renderer_pid);
}

function holdsAddresses(text: string): boolean {
  return text.includes('://') || text.includes('"headers"') || text.includes('?');
}

const headerSchema = z.object({ name: z.string(), value: z.string() });

/** Deeper than Chrome nests; deeper values are left out. */
const DEEPEST = 12;

/** A copy with secrets removed from addresses and headers (SN6). */
function masked(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return maskText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > DEEPEST) return undefined;
  if (Array.isArray(value)) return value.map((one) => masked(one, depth + 1));
  const entries = Object.entries(value).map(([key, one]): [string, unknown] => [
    key,
    key === 'headers' ? headersMasked(one, depth) : masked(one, depth + 1),
  ]);
  return Object.fromEntries(entries);
}

function headersMasked(value: unknown, depth: number): unknown {
  const headers = z.array(headerSchema).safeParse(value);
  return headers.success
    ? headers.data.map(({ name, value: said }) => ({ name, value: maskHeader(name, said) }))
    : masked(value, depth + 1);
}
