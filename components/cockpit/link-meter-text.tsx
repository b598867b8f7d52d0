'use client';

import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useRoomParts } from '@/components/room/room-provider';
import type { MeterReading } from '@/components/room/link-meter';

/** Milliseconds between readings, and between the small requests that time the line when nothing else does. */
const EVERY_MS = 1_000;
const PING_EVERY_MS = 5_000;

/** Pictures per second, round trip and bandwidth, measured here (ui.md). */
export function LinkMeterText() {
  const t = useTranslations('cockpit.stream');
  const { meter, client } = useRoomParts();
  const [reading, setReading] = useState<MeterReading>();
  useEffect(() => {
    const timer = setInterval(() => setReading(meter.read()), EVERY_MS);
    const pings = setInterval(() => void (document.hidden || client.ping()), PING_EVERY_MS);
    return () => {
      clearInterval(timer);
      clearInterval(pings);
    };
  }, [meter, client]);
  if (!reading) return null;
  const kbits = reading.bitsPerSecond / 1_000;
  return (
    <p title={t('meter')} className="flex items-baseline gap-3 font-mono text-xs whitespace-nowrap text-ink-3 tabular-nums max-lg:hidden">
      <span>{t('fps', { n: Math.round(reading.fps) })}</span>
      {reading.latencyMs !== undefined && <span>{t('latency', { n: Math.round(reading.latencyMs) })}</span>}
      <span>{kbits < 1_000 ? t('kbits', { n: Math.round(kbits) }) : t('mbits', { n: Math.round(kbits / 100) / 10 })}</span>
    </p>
  );
}
