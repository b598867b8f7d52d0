'use client';

import { useCallback, useEffect, useRef, useState } from 'react';

export interface Task {
  readonly busy: boolean;
  /** The error of the last run. */
  readonly error: unknown;
  /**
   * Starts `work` unless one is running; calls `then` with its result while the component is mounted. Keeps its
   * identity.
   */
  readonly run: <T>(work: () => Promise<T>, then?: (result: T) => void) => Promise<void>;
  /** Forgets the error of the last run. Keeps its identity. */
  readonly forget: () => void;
}

const RESTING = { busy: false, error: undefined } as const;

/** Runs one piece of work at a time for a button: busy while it runs, with its error kept for display. */
export function useTask(): Task {
  const [state, setState] = useState<{ busy: boolean; error: unknown }>(RESTING);
  const now = useRef({ here: false, busy: false });
  useEffect(() => {
    const { current } = now;
    current.here = true;
    return () => {
      current.here = false;
    };
  }, []);
  const run = useCallback<Task['run']>(async (work, then) => {
    const { current } = now;
    if (current.busy) return;
    current.busy = true;
    setState({ busy: true, error: undefined });
    try {
      const result = await work();
      setState(RESTING);
      if (current.here) then?.(result);
    } catch (error) {
      setState({ busy: false, error });
    } finally {
      current.busy = false;
    }
  }, []);
  const forget = useCallback(() => setState(({ busy }) => ({ busy, error: undefined })), []);
  return { ...state, run, forget };
}
