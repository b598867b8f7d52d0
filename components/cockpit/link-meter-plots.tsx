'use client';

import { useEffect, useState, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { api } from '@/components/session-client/api';
import type { MeterReading } from '@/components/session-client/link-meter';
import { readCounters, type EvaluateCounters } from './counters';
import { useMeterWords } from './use-meter-words';

interface SparklineProps {
  /** One value a second, oldest first; undefined where nothing was measured. */
  values: readonly (number | undefined)[];
  /** The most values that the plot shows. */
  capacity: number;
}

const WIDTH = 240;

const HEIGHT = 36;

/** Milliseconds between two requests for the server's metrics. */
const COUNTERS_EVERY_MS = 3_000;

/** Plots the readings of the link meter, and lists how scripts ended on this server (EV8). */
export function LinkMeterPlots({ readings, capacity }: { readings: readonly MeterReading[]; capacity: number }) {
  const t = useTranslations('cockpit.meter');
  const words = useMeterWords();
  const now = readings.at(-1);
  return (
    <div className="flex flex-col gap-3">
      <Plot
        title={t('fps')}
        now={now ? words.fps(now.fps) : ''}
        values={readings.map(({ fps }) => fps)}
        capacity={capacity}
      />
      <Plot
        title={t('latency')}
        now={now?.latencyMs === undefined ? '' : words.latency(now.latencyMs)}
        values={readings.map(({ latencyMs }) => latencyMs)}
        capacity={capacity}
      />
      <Plot
        title={t('rate')}
        now={now ? words.rate(now.bitsPerSecond) : ''}
        values={readings.map(({ bitsPerSecond }) => bitsPerSecond)}
        capacity={capacity}
      />
      <p className="-mt-1 text-2xs text-ink-3">{t('span', { n: Math.round(capacity / 60) })}</p>
      <Counters />
    </div>
  );
}

function Plot({
  title,
  now,
  values,
  capacity,
}: {
  title: string;
  now: string;
  values: readonly (number | undefined)[];
  capacity: number;
}) {
  return (
    <div>
      <p className="mb-1 flex items-baseline justify-between gap-2 text-xs text-ink-2">
        {title}
        <span className="font-mono text-ink tabular-nums">{now}</span>
      </p>
      <Sparkline values={values} capacity={capacity} />
    </div>
  );
}

function Counters() {
  const t = useTranslations('cockpit.meter');
  const words = useMeterWords();
  const counters = useCounters();
  if (!counters) return null;
  const { runs, meanMs, timeouts, aborts, terminated, fallbacks } = counters;
  return (
    <section aria-label={t('scripts')} className="border-t border-line pt-2.5">
      <h3 className="mb-1.5 text-xs font-semibold">{t('scripts')}</h3>
      <dl className="grid grid-cols-2 gap-x-4 gap-y-1 text-xs">
        <Count name={t('runs')}>{runs}</Count>
        <Count name={t('mean')}>{meanMs === undefined ? '–' : words.latency(meanMs)}</Count>
        <Count name={t('timeouts')}>{timeouts}</Count>
        <Count name={t('aborts')}>{aborts}</Count>
        <Count name={t('terminated')}>{terminated}</Count>
        <Count name={t('fallbacks')}>{fallbacks}</Count>
      </dl>
    </section>
  );
}

function Count({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex items-baseline justify-between gap-2">
      <dt className="truncate text-ink-2">{name}</dt>
      <dd className="font-mono tabular-nums">{children}</dd>
    </div>
  );
}

/** Polls the server's metrics while mounted. Undefined when the server does not answer. */
function useCounters(): EvaluateCounters | undefined {
  const [counters, setCounters] = useState<EvaluateCounters>();
  useEffect(() => {
    const look = () => {
      api.metrics().then(
        (text) => setCounters(readCounters(text)),
        () => setCounters(undefined),
      );
    };
    look();
    const timer = setInterval(look, COUNTERS_EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  return counters;
}

/**
 * Draws the last values as a line from 0 to their highest, the newest at the right edge. Decoration: the numbers stand
 * beside it.
 */
function Sparkline({ values, capacity }: SparklineProps) {
  const top = Math.max(1, ...values.map((value) => value ?? 0));
  const start = capacity - values.length;
  const points = values.flatMap((value, at) =>
    value === undefined
      ? []
      : [
          `${(((start + at) / (capacity - 1)) * WIDTH).toFixed(1)},${(HEIGHT - 1 - (value / top) * (HEIGHT - 2)).toFixed(1)}`,
        ],
  );
  return (
    <svg
      aria-hidden
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      className="h-9 w-full rounded-xs bg-hover text-agent"
    >
      <polyline
        points={points.join(' ')}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
}
