'use client';

import { useEffect, useRef, useState } from 'react';

/** Functions that keep their identity and always do what the newest rendering says: for listeners and commands. */
export function useLatest<T extends Record<string, () => void>>(functions: T): Readonly<Record<keyof T, () => void>> {
  const latest = useRef(functions);
  useEffect(() => {
    latest.current = functions;
  });
  const [stable] = useState(() => stableOf(functions, () => latest.current));
  return stable;
}

function stableOf<T extends Record<string, () => void>>(functions: T, latest: () => T): Readonly<Record<keyof T, () => void>> {
  const names: (keyof T)[] = Object.keys(functions);
  const stable: Partial<Record<keyof T, () => void>> = {};
  for (const name of names) stable[name] = () => latest()[name]?.();
  return { ...functions, ...stable };
}
