'use client';

import { useWhen } from './use-when';

/** Time since `since` (ISO 8601), such as "41 s"; only this text renders again each second. */
export function Age({ since }: { since: string }) {
  const { age } = useWhen();
  return (
    <time dateTime={since} suppressHydrationWarning>
      {age(since)}
    </time>
  );
}

/** Time since `since`, as in "2 s ago". */
export function Ago({ since }: { since: string }) {
  const { ago } = useWhen();
  return (
    <time dateTime={since} suppressHydrationWarning>
      {ago(since)}
    </time>
  );
}
