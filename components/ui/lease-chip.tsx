'use client';

import { Bot, CircleDashed, Hand, OctagonAlert, UserRound, type LucideIcon } from 'lucide-react';
import { useTranslations } from 'use-intl';
import type { LeaseKind, LeaseState } from '@/components/lease-state';
import { Chip, type ChipProps } from './chip';

/** Icon of each state: colour is never the only sign. */
export const LEASE_ICONS: Readonly<Record<LeaseKind, LucideIcon>> = {
  agent: Bot,
  human: UserRound,
  help: Hand,
  stuck: OctagonAlert,
  idle: CircleDashed,
};

/** The words of a state, such as "Ana is driving". */
export function useLeaseText(): (lease: Pick<LeaseState, 'word' | 'values'>) => string {
  const t = useTranslations('lease');
  return (lease) => t(lease.word, lease.values);
}

export interface LeaseChipProps extends Omit<ChipProps, 'tone'> {
  lease: Pick<LeaseState, 'kind' | 'word' | 'values'>;
  /** Text after the words, such as a duration. */
  more?: string;
}

/** Icon and words of a state, in its colour. */
export function LeaseChip({ lease, more, ...rest }: LeaseChipProps) {
  const words = useLeaseText();
  const Icon = LEASE_ICONS[lease.kind];
  return (
    <Chip tone="lease" data-lease={lease.kind} {...rest}>
      <Icon aria-hidden />
      <bdi className="truncate">{words(lease)}</bdi>
      {more && <span className="font-medium">{more}</span>}
    </Chip>
  );
}
