'use client';

import { useEffect, useRef, useState } from 'react';

export interface Task {
  readonly busy: boolean;
  /** What the last run threw. */
  readonly error: unknown;
  /** Starts `work` unless one runs; `then` gets its result while the component is still there. */
  run: <T>(work: () => Promise<T>, then?: (result: T) => void) => Promise<void>;
}

/** One piece of work at a time behind a button: busy while it runs, with its failure kept for showing. */
export function useTask(): Task {
  const [state, setState] = useState<{ busy: boolean; error: unknown }>({ busy: false, error: undefined });
  const here = useRef(false);
  useEffect(() => {
    here.current = true;
    return () => {
      here.current = false;
    };
  }, []);
  const run: Task['run'] = async (work, then) => {
    if (state.busy) return;
    setState({ busy: true, error: undefined });
    try {
      const result = await work();
      if (!here.current) return;
      setState({ busy: false, error: undefined });
      then?.(result);
    } catch (error) {
      setState({ busy: false, error });
    }
  };
  return { ...state, run };
}
