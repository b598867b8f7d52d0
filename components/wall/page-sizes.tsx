'use client';

import { Laptop, Monitor, Smartphone, Tablet } from 'lucide-react';
import { RadioGroup } from 'radix-ui';
import { useId } from 'react';
import { useTranslations } from 'use-intl';

/** Viewports to choose from, CSS pixels. */
export const PAGE_SIZES = {
  laptop: { width: 1280, height: 720, icon: Laptop },
  desktop: { width: 1920, height: 1080, icon: Monitor },
  tablet: { width: 820, height: 1180, icon: Tablet },
  phone: { width: 390, height: 844, icon: Smartphone },
} as const;
export type PageSize = keyof typeof PAGE_SIZES;
const PAGE_SIZE_NAMES = ['laptop', 'desktop', 'tablet', 'phone'] as const satisfies readonly PageSize[];

export function PageSizes({ value, onChange }: { value: PageSize; onChange: (value: PageSize) => void }) {
  const t = useTranslations('wall.create');
  const id = useId();
  return (
    <div className="flex flex-col gap-1.5">
      <span id={id} className="font-medium">
        {t('size')}
      </span>
      <RadioGroup.Root
        aria-labelledby={id}
        value={value}
        onValueChange={(next) => onChange(PAGE_SIZE_NAMES.find((name) => name === next) ?? value)}
        className="grid grid-cols-2 gap-2 sm:grid-cols-4"
      >
        {PAGE_SIZE_NAMES.map((name) => {
          const { width, height, icon: Icon } = PAGE_SIZES[name];
          return (
            <RadioGroup.Item
              key={name}
              value={name}
              className="flex flex-col items-start gap-1 rounded-md border border-edge bg-panel p-2.5 text-left transition-colors hover:bg-hover data-[state=checked]:border-ink data-[state=checked]:bg-sel data-[state=checked]:ring-1 data-[state=checked]:ring-ink"
            >
              <Icon aria-hidden className="size-4 text-ink-2" />
              <span className="font-medium">{t(`sizes.${name}`)}</span>
              <span className="font-mono text-2xs text-ink-3">{`${width}×${height}`}</span>
            </RadioGroup.Item>
          );
        })}
      </RadioGroup.Root>
    </div>
  );
}
