'use client';

import { Search, X } from 'lucide-react';
import type { Ref } from 'react';
import { useTranslations } from 'use-intl';
import { cn } from '@/components/ui/cn';
import { TextBox } from '@/components/ui/field';
import { IconButton } from '@/components/ui/icon-button';

export interface SearchBoxProps {
  value: string;
  onChange: (value: string) => void;
  ref?: Ref<HTMLInputElement>;
  className?: string;
}

/** The search field. Escape clears it; in an empty field Escape leaves it. */
export function SearchBox({ value, onChange, ref, className }: SearchBoxProps) {
  const t = useTranslations('wall.search');
  return (
    <div className={cn('relative', className)}>
      <Search
        aria-hidden
        className="pointer-events-none absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-ink-3"
      />
      <TextBox
        ref={ref}
        type="text"
        inputMode="search"
        enterKeyHint="search"
        aria-label={t('label')}
        placeholder={t('placeholder')}
        value={value}
        className="px-8"
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          if (value === '') event.currentTarget.blur();
          else onChange('');
        }}
      />
      {value !== '' && (
        <IconButton
          label={t('clear')}
          size="icon-sm"
          className="absolute top-1/2 right-0.5 -translate-y-1/2"
          onClick={() => onChange('')}
        >
          <X aria-hidden />
        </IconButton>
      )}
    </div>
  );
}
