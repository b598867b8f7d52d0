'use client';

import { ToggleGroup } from 'radix-ui';
import { useTranslations } from 'use-intl';
import { cn } from '@/components/ui/cn';
import { WHEEL_ICONS } from '@/components/ui/wheel-chip';
import { WHEEL_ORDER, type WheelKind } from '@/components/wheel-state';

export interface StatePillsProps {
  counts: Readonly<Record<WheelKind, number>>;
  total: number;
  value: WheelKind | undefined;
  onChange: (value: WheelKind | undefined) => void;
}

const pillClass =
  'inline-flex h-7 shrink-0 items-center gap-1.5 rounded-full border border-line-strong px-2.5 font-medium transition-colors pointer-coarse:h-9 pointer-coarse:px-3 [&_svg]:size-3.5';

/** How many sessions are in each state; pressing one shows only those. States without a session are left out. */
export function StatePills({ counts, total, value, onChange }: StatePillsProps) {
  const t = useTranslations('wall.filters');
  const shown = WHEEL_ORDER.filter((kind) => counts[kind] > 0 || kind === value);
  return (
    <ToggleGroup.Root
      type="single"
      aria-label={t('label')}
      value={value ?? 'all'}
      onValueChange={(next) => onChange(WHEEL_ORDER.find((kind) => kind === next))}
      className="-ml-1 flex min-w-0 items-center gap-2 overflow-x-auto py-1 pr-5 pl-1 [mask-image:linear-gradient(to_right,black_calc(100%-20px),transparent)] [scrollbar-width:none]"
    >
      <ToggleGroup.Item
        value="all"
        className={cn(
          pillClass,
          'text-ink-2 hover:bg-hover data-[state=on]:border-ink data-[state=on]:bg-ink data-[state=on]:text-panel',
        )}
      >
        <b className="font-semibold">{total}</b> {t('all')}
      </ToggleGroup.Item>
      {shown.map((kind) => (
        <Pill key={kind} kind={kind} count={counts[kind]} />
      ))}
    </ToggleGroup.Root>
  );
}

function Pill({ kind, count }: { kind: WheelKind; count: number }) {
  const t = useTranslations('wall.filters');
  const Icon = WHEEL_ICONS[kind];
  const urgent = kind === 'help' || kind === 'stuck';
  return (
    <ToggleGroup.Item
      value={kind}
      data-wheel={kind}
      className={cn(
        pillClass,
        'text-wheel hover:bg-wheel-soft data-[state=on]:border-wheel data-[state=on]:bg-wheel data-[state=on]:text-on-wheel',
        urgent && 'border-wheel',
      )}
    >
      <Icon aria-hidden />
      <b className="font-semibold">{count}</b> {t(kind, { count })}
    </ToggleGroup.Item>
  );
}
