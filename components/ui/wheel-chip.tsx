'use client';

import { Bot, CircleDashed, Hand, OctagonAlert, UserRound, type LucideIcon } from 'lucide-react';
import { useTranslations } from 'use-intl';
import type { WheelKind, WheelState } from '@/components/wheel-state';
import { Chip, type ChipProps } from './chip';

/** Each state has an icon of its own: colour is never the only sign. */
export const WHEEL_ICONS: Readonly<Record<WheelKind, LucideIcon>> = {
  agent: Bot,
  human: UserRound,
  help: Hand,
  stuck: OctagonAlert,
  idle: CircleDashed,
};

/** The words of a state, such as "Ana is driving". */
export function useWheelWords(): (wheel: Pick<WheelState, 'word' | 'values'>) => string {
  const t = useTranslations('wheel');
  return (wheel) => t(wheel.word, wheel.values);
}

export interface WheelChipProps extends Omit<ChipProps, 'tone'> {
  wheel: Pick<WheelState, 'kind' | 'word' | 'values'>;
  /** Said after the words, such as how long. */
  more?: string;
}

/** Icon and words of a state, in its colour. */
export function WheelChip({ wheel, more, ...rest }: WheelChipProps) {
  const words = useWheelWords();
  const Icon = WHEEL_ICONS[wheel.kind];
  return (
    <Chip tone="wheel" data-wheel={wheel.kind} {...rest}>
      <Icon aria-hidden />
      <bdi className="truncate">{words(wheel)}</bdi>
      {more && <span className="font-medium">{more}</span>}
    </Chip>
  );
}
