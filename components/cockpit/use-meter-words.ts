'use client';

import { useTranslations } from 'use-intl';

interface MeterWords {
  readonly fps: (n: number) => string;
  readonly latency: (ms: number) => string;
  readonly rate: (bitsPerSecond: number) => string;
}

/** Formats the readings of the link meter. */
export function useMeterWords(): MeterWords {
  const t = useTranslations('cockpit.stream');
  return {
    fps: (n) => t('fps', { n: Math.round(n) }),
    latency: (ms) => t('latency', { n: Math.round(ms) }),
    rate: (bits) =>
      bits < 1_000_000
        ? t('kbits', { n: Math.round(bits / 1_000) })
        : t('mbits', { n: Math.round(bits / 100_000) / 10 }),
  };
}
