'use client';

import { ToggleGroup } from 'radix-ui';
import { useTranslations } from 'use-intl';
import { cn } from '@/components/ui/cn';
import { LEASE_ICONS } from '@/components/ui/lease-chip';
import { LEASE_ORDER, type LeaseKind } from '@/components/lease-state';

export interface StatePillsProps {
  counts: Readonly<Record<LeaseKind, number>>;
  total: number;
  value: LeaseKind | undefined;
  onChange: (value: LeaseKind | undefined) => void;
}

const pillClass =
  'inline-flex h-7 shrink-0 items-center gap-1.5 rounded-full border border-line-strong px-2.5 font-medium transition-colors pointer-coarse:h-9 pointer-coarse:px-3 [&_svg]:size-3.5';

/** Counts the sessions in each state; pressing a state filters by it. States without a session are left out. */
export function StatePills({ counts, total, value, onChange }: StatePillsProps) {
  const t = useTranslations('wall.filters');
  const shown = LEASE_ORDER.filter((kind) => counts[kind] > 0 || kind === value);
  return (
    <ToggleGroup.Root
      type="single"
      aria-label={t('label')}
      value={value ?? 'all'}
      onValueChange={(next) => onChange(LEASE_ORDER.find((kind) => kind === next))}
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

function Pill({ kind, count }: { kind: LeaseKind; count: number }) {
  const t = useTranslations('wall.filters');
  const Icon = LEASE_ICONS[kind];
  const urgent = kind === 'help' || kind === 'stuck';
  return (
    <ToggleGroup.Item
      value={kind}
      data-lease={kind}
      className={cn(
        pillClass,
        'text-lease hover:bg-lease-soft data-[state=on]:border-lease data-[state=on]:bg-lease data-[state=on]:text-on-lease',
        urgent && 'border-lease',
      )}
    >
      <Icon aria-hidden />
      <b className="font-semibold">{count}</b> {t(kind, { count })}
    </ToggleGroup.Item>
  );
}
