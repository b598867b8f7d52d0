import { z } from 'zod';

/** The fields of a trace event that we read. Source: the Trace Event Format. */
export const traceEventSchema = z.looseObject({
  name: z.string().catch(''),
  cat: z.string().catch(''),
  /** `M`: metadata, which names processes and threads. */
  ph: z.string().catch(''),
  pid: z.number().catch(-1),
  args: z.unknown(),
});
export type TraceEvent = z.infer<typeof traceEventSchema>;

/** Undefined when the text is not an event. */
export function eventIn(text: string): TraceEvent | undefined {
  try {
    const event = traceEventSchema.safeParse(JSON.parse(text));
    return event.success ? event.data : undefined;
  } catch {
    // Half an event at the end of a trace that was cut off.
    return undefined;
  }
}
