'use client';

import { useSyncExternalStore } from 'react';
import { useTranslations } from 'use-intl';
import { ageSince } from './when';

const listeners = new Set<() => void>();
let now = 0;
let timer: ReturnType<typeof setInterval> | undefined;

function tick(): void {
  now = Date.now();
  for (const listener of listeners) listener();
}

/** Subscribes to one timer for all times on the page; it runs only while one is shown. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (listeners.size === 1) {
    now = Date.now();
    timer = setInterval(tick, 1_000);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) clearInterval(timer);
  };
}

function readNow(): number {
  if (now === 0) now = Date.now();
  return now;
}

/** Milliseconds since 1970, updated each second; 0 while rendering on the server. */
function useNow(): number {
  return useSyncExternalStore(subscribe, readNow, () => 0);
}

export interface When {
  /** Time since then: "41 s", "5 min"; "now" under a second. */
  age: (since: string) => string;
  /** Time since then: "2 s ago"; "just now" under a second. */
  ago: (since: string) => string;
}

/** Formats times in words, updated each second. */
export function useWhen(): When {
  const t = useTranslations('when');
  const clock = useNow();
  return {
    age: (since) => {
      const { unit, n } = ageSince(since, clock);
      return t(`age.${unit}`, { n });
    },
    ago: (since) => {
      const { unit, n } = ageSince(since, clock);
      return t(`ago.${unit}`, { n });
    },
  };
}
