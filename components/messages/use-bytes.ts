'use client';

import { useFormatter } from 'use-intl';

const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'] as const;

/** Formats a size: "1.2 MB". */
export function useBytes(): (bytes: number) => string {
  const format = useFormatter();
  return (bytes) => {
    const step = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log2(Math.max(1, bytes)) / 10)));
    return `${format.number(bytes / 1_024 ** step, { maximumFractionDigits: step === 0 || bytes / 1_024 ** step >= 100 ? 0 : 1 })} ${UNITS[step] ?? ''}`;
  };
}
