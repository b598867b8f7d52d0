'use client';

import { useState } from 'react';
import { useFormatter } from 'use-intl';

/** An end that is further away than this is shown with its date. Milliseconds. */
const FAR_MS = 12 * 3_600_000;

/**
 * The moment when something ends, in words: the time, with the date when that is not soon; empty without one.
 *
 * @param at ISO 8601
 */
export function useEnd(at: string | undefined): string {
  const format = useFormatter();
  const [now] = useState(Date.now);
  if (at === undefined) return '';
  const end = new Date(at);
  const far = Math.abs(end.getTime() - now) >= FAR_MS;
  return format.dateTime(end, far ? { dateStyle: 'medium', timeStyle: 'short' } : { timeStyle: 'short' });
}
