'use client';

import { WHEEL_ORDER, type WheelKind, type WheelWord } from '@/components/wheel-state';
import { WheelChip } from './wheel-chip';

const WORDS = {
  agent: 'agentDriving',
  human: 'youDriving',
  help: 'needsYou',
  stuck: 'stuckScript',
  idle: 'idle',
} as const satisfies Record<WheelKind, WheelWord>;

/** The five states with their words, icons and colours. */
export function WheelLegend({ label, className }: { label: string; className?: string }) {
  return (
    <figure className={className}>
      <figcaption className="mb-3 text-xs text-ink-3">{label}</figcaption>
      <ul className="flex flex-wrap justify-center gap-2">
        {WHEEL_ORDER.map((kind) => (
          <li key={kind}>
            <WheelChip wheel={{ kind, word: WORDS[kind], values: { name: '' } }} />
          </li>
        ))}
      </ul>
    </figure>
  );
}
