'use client';

import { Popover } from 'radix-ui';
import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useClientParts } from '@/components/session-client/session-client-provider';
import type { MeterReading } from '@/components/session-client/link-meter';
import { LinkMeterPlots } from './link-meter-plots';
import { useMeterWords } from './use-meter-words';

/** Milliseconds between readings, and between the pings that measure the round trip. */
const METER_EVERY_MS = 1_000;
const PING_EVERY_MS = 5_000;
/** Number of readings kept for the plots. */
const KEPT = 120;

/**
 * Shows pictures per second, round trip and bandwidth as this client measures them. A click opens their plots of the
 * last two minutes.
 */
export function LinkMeterText() {
  const t = useTranslations('cockpit.stream');
  const words = useMeterWords();
  const readings = useReadings();
  const reading = readings.at(-1);
  if (!reading) return null;
  return (
    <Popover.Root>
      <Popover.Trigger
        title={t('meter')}
        className="flex h-7 items-center gap-3 rounded-sm px-1.5 font-mono text-xs whitespace-nowrap text-ink-3 tabular-nums hover:bg-hover hover:text-ink max-lg:hidden"
      >
        <span className="sr-only">{t('meter')}: </span>
        <span>{words.fps(reading.fps)}</span>
        {reading.latencyMs !== undefined && <span>{words.latency(reading.latencyMs)}</span>}
        <span>{words.rate(reading.bitsPerSecond)}</span>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          side="top"
          align="end"
          sideOffset={8}
          collisionPadding={8}
          aria-label={t('meter')}
          className="z-40 w-72 animate-rise rounded-md border border-line-strong bg-raised p-3 shadow-pop outline-none"
        >
          <LinkMeterPlots readings={readings} capacity={KEPT} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

function useReadings(): readonly MeterReading[] {
  const { meter, client } = useClientParts();
  const [readings, setReadings] = useState<readonly MeterReading[]>([]);
  useEffect(() => {
    const timer = setInterval(() => setReadings((before) => [...before, meter.read()].slice(-KEPT)), METER_EVERY_MS);
    const pings = setInterval(() => void (document.hidden || client.ping()), PING_EVERY_MS);
    return () => {
      clearInterval(timer);
      clearInterval(pings);
    };
  }, [meter, client]);
  return readings;
}
