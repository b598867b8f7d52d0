'use client';

import { useCallback, useEffect, useRef, useState } from 'react';

export interface Loaded<T> {
  /** The last answer; undefined until the first. */
  readonly data: T | undefined;
  /** The error of the last attempt. */
  readonly error: unknown;
  readonly reload: () => void;
  /** Takes data that another call answered. */
  readonly take: (data: T) => void;
}

/**
 * Data of one call of the API: loaded when the page opens, when `reload` is called, and when the window gets the focus
 * back, since others change the same lists. `load` must keep its identity.
 */
export function useLoaded<T>(load: () => Promise<T>): Loaded<T> {
  const [state, setState] = useState<{ data: T | undefined; error: unknown }>({ data: undefined, error: undefined });
  const latest = useRef(0);
  const reload = useCallback(() => {
    const attempt = (latest.current += 1);
    load().then(
      (data) => attempt === latest.current && setState({ data, error: undefined }),
      (error: unknown) => attempt === latest.current && setState(({ data }) => ({ data, error })),
    );
  }, [load]);
  const take = useCallback((data: T) => {
    latest.current += 1;
    setState({ data, error: undefined });
  }, []);
  useEffect(() => {
    reload();
    window.addEventListener('focus', reload);
    return () => {
      latest.current += 1;
      window.removeEventListener('focus', reload);
    };
  }, [reload]);
  return { ...state, reload, take };
}
