'use client';

import { useState } from 'react';
import { useFormatter } from 'use-intl';

const DAY_MS = 86_400_000;

/** The moment when a link ends, in words; empty without one. ISO 8601. */
export function useEnd(at: string | undefined): string {
  const format = useFormatter();
  const [now] = useState(Date.now);
  if (at === undefined) return '';
  const end = new Date(at);
  const far = Math.abs(end.getTime() - now) > DAY_MS / 2;
  return format.dateTime(end, far ? { dateStyle: 'medium', timeStyle: 'short' } : { timeStyle: 'short' });
}
