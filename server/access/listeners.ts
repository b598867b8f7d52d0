/** Receives what a listener throws. */
export type Fault = (error: unknown) => void;

/** Calls all listeners, also those behind one that throws. */
export function tellAll<T>(listeners: Iterable<(value: T) => void>, value: T, fault?: Fault): void {
  for (const listener of [...listeners])
    try {
      listener(value);
    } catch (error) {
      fault?.(error);
    }
}
