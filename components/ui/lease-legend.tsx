'use client';

import { LEASE_ORDER, type LeaseKind, type LeaseWord } from '@/components/lease-state';
import { LeaseChip } from './lease-chip';

const WORDS = {
  agent: 'agentDriving',
  human: 'youDriving',
  help: 'needsYou',
  stuck: 'stuckScript',
  idle: 'idle',
} as const satisfies Record<LeaseKind, LeaseWord>;

/** The five states with their words, icons and colours. */
export function LeaseLegend({ label, className }: { label: string; className?: string }) {
  return (
    <figure className={className}>
      <figcaption className="mb-3 text-xs text-ink-3">{label}</figcaption>
      <ul className="flex flex-wrap justify-center gap-2">
        {LEASE_ORDER.map((kind) => (
          <li key={kind}>
            <LeaseChip lease={{ kind, word: WORDS[kind], values: { name: '' } }} />
          </li>
        ))}
      </ul>
    </figure>
  );
}
