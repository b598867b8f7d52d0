import { z } from 'zod';

/** One event of a trace, as far as it is looked at. Source: the Trace Event Format. */
export const traceEventSchema = z.looseObject({
  name: z.string().catch(''),
  cat: z.string().catch(''),
  /** `M`: metadata, which names processes and threads. */
  ph: z.string().catch(''),
  pid: z.number().catch(-1),
  args: z.unknown(),
});
export type TraceEvent = z.infer<typeof traceEventSchema>;

/** Undefined for what is none. */
export function eventIn(text: string): TraceEvent | undefined {
  try {
    const event = traceEventSchema.safeParse(JSON.parse(text));
    return event.success ? event.data : undefined;
  } catch {
    // Half an event at the end of a trace that was cut off.
    return undefined;
  }
}
