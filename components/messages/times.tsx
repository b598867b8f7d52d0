'use client';

import { useWhen } from './use-when';

/** How long since then, such as "41 s"; only this text renders again each second. `since` is ISO 8601. */
export function Age({ since }: { since: string }) {
  const { age } = useWhen();
  return (
    <time dateTime={since} suppressHydrationWarning>
      {age(since)}
    </time>
  );
}

/** How long ago, such as "2 s ago". */
export function Ago({ since }: { since: string }) {
  const { ago } = useWhen();
  return (
    <time dateTime={since} suppressHydrationWarning>
      {ago(since)}
    </time>
  );
}
