'use client';

import { Gauge } from 'lucide-react';
import { Popover } from 'radix-ui';
import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useClientParts } from '@/components/session-client/session-client-provider';
import type { MeterReading } from '@/components/session-client/link-meter';
import { Radios } from '@/components/ui/check';
import type { StreamStatus } from '@/lib/protocol/views';
import { QUALITIES, useQuality } from './use-view';
import { LinkMeterPlots } from './link-meter-plots';
import { useMeterWords } from './use-meter-words';

/** Milliseconds between readings, and between the pings that measure the round trip. */
const METER_EVERY_MS = 1_000;
const PING_EVERY_MS = 5_000;
/** Number of readings kept for the plots. */
const KEPT = 120;

/**
 * Shows pictures per second, round trip and bandwidth as this client measures them, and says when a slow link lowers
 * the quality (FR6). A click opens the choice of quality and the plots of the last two minutes. In a narrow window only
 * an icon stands for the figures.
 */
export function LinkMeterText({ status }: { status: StreamStatus | undefined }) {
  const t = useTranslations('cockpit.stream');
  const words = useMeterWords();
  const slow = status?.because === 'link';
  const readings = useReadings();
  const reading = readings.at(-1);
  if (!reading) return null;
  return (
    <Popover.Root>
      {/* Beside the button, since what is in a button is not announced. */}
      <p role="status" className="sr-only">
        {slow && t('slow')}
      </p>
      <Popover.Trigger
        title={t('meter')}
        className="flex h-7 items-center gap-3 rounded-sm px-1.5 text-xs whitespace-nowrap text-ink-3 hover:bg-hover hover:text-ink pointer-coarse:h-10"
      >
        <span className="sr-only">{t('meter')}: </span>
        {slow && <span className="font-medium text-human">{t('slow')}</span>}
        <span className="flex gap-3 font-mono tabular-nums max-lg:hidden">
          <span>{words.fps(reading.fps)}</span>
          {reading.latencyMs !== undefined && <span>{words.latency(reading.latencyMs)}</span>}
          <span>{words.rate(reading.bitsPerSecond)}</span>
        </span>
        <Gauge aria-hidden className="size-4 lg:hidden" />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          side="top"
          align="end"
          sideOffset={8}
          collisionPadding={8}
          aria-label={t('meter')}
          className="z-40 flex max-h-(--radix-popover-content-available-height) w-72 animate-rise flex-col gap-3 overflow-y-auto rounded-md border border-line-strong bg-raised p-3 shadow-pop outline-none"
        >
          <QualityChoice status={status} />
          <LinkMeterPlots readings={readings} capacity={KEPT} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

/** Leaves the quality to the link, or chooses one. */
function QualityChoice({ status }: { status: StreamStatus | undefined }) {
  const t = useTranslations('cockpit.stream.quality');
  const [quality, choose] = useQuality();
  const tier = QUALITIES.find((name) => name === status?.tier);
  const because = status?.because ?? 'size';
  return (
    <Radios
      className="border-b border-line pb-3"
      legend={t('legend')}
      choices={QUALITIES.map((value) => ({
        value,
        label: t(value),
        hint: value === quality && value === 'auto' && tier ? t('now', { tier: t(tier), because }) : t(`${value}Hint`),
      }))}
      value={quality}
      onChange={choose}
    />
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
