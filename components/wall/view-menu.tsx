'use client';

import { Bot, ChevronDown, SlidersHorizontal } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import {
  Menu,
  MenuContent,
  MenuItem,
  MenuLabel,
  MenuRadioGroup,
  MenuRadioItem,
  MenuSeparator,
  MenuTrigger,
} from '@/components/ui/menu';
import { countFilters, SORTS, type Sort, type WallFilter } from './wall-list';

export const DENSITIES = ['normal', 'large', 'small'] as const;
export type Density = (typeof DENSITIES)[number];

const DENSITY_ORDER: readonly Density[] = ['large', 'normal', 'small'];

export interface ViewMenuProps {
  sort: Sort;
  onSort: (sort: string) => void;
  density: Density;
  onDensity: (density: string) => void;
  filter: WallFilter;
  onFilter: (filter: WallFilter) => void;
  /** Names by id; a filter with fewer than two choices is hidden. */
  drivers: ReadonlyMap<string, string>;
  browsers: ReadonlyMap<string, string>;
  /** Opens the connect dialog; for phones, whose header has no room for the button. */
  onConnect: () => void;
}

/** Menu for sort order, card size, and the filters by browser and driver. */
export function ViewMenu({
  sort,
  onSort,
  density,
  onDensity,
  filter,
  onFilter,
  drivers,
  browsers,
  onConnect,
}: ViewMenuProps) {
  const t = useTranslations('wall');
  const set = countFilters(filter);
  return (
    <Menu>
      <MenuTrigger>
        <Button aria-label={`${t('view')}: ${t(`sort.${sort}`)}`} className="pointer-coarse:px-2.5">
          <SlidersHorizontal aria-hidden className="text-ink-3" />
          <span className="max-lg:sr-only">{set > 0 ? t('filters.active', { count: set }) : t(`sort.${sort}`)}</span>
          <ChevronDown aria-hidden className="text-ink-3 max-lg:hidden" />
        </Button>
      </MenuTrigger>
      <MenuContent className="min-w-52">
        <MenuRadioGroup value={sort} onValueChange={onSort}>
          <MenuLabel>{t('sort.label')}</MenuLabel>
          {SORTS.map((name) => (
            <MenuRadioItem key={name} value={name}>
              {t(`sort.${name}`)}
            </MenuRadioItem>
          ))}
        </MenuRadioGroup>
        <MenuRadioGroup value={density} onValueChange={onDensity} className="max-sm:hidden">
          <MenuSeparator />
          <MenuLabel>{t('density.label')}</MenuLabel>
          {DENSITY_ORDER.map((name) => (
            <MenuRadioItem key={name} value={name}>
              {t(`density.${name}`)}
            </MenuRadioItem>
          ))}
        </MenuRadioGroup>
        <Choices
          label={t('filters.owner')}
          any={t('filters.anyOwner')}
          names={drivers}
          value={filter.driver}
          onChange={(driver) => onFilter({ ...filter, driver })}
        />
        <Choices
          label={t('filters.browser')}
          any={t('filters.anyBrowser')}
          names={browsers}
          value={filter.browser}
          onChange={(browser) => onFilter({ ...filter, browser })}
        />
        {set > 0 && (
          <>
            <MenuSeparator />
            <MenuItem onSelect={() => onFilter({ ...filter, browser: undefined, driver: undefined })}>
              {t('filters.clear')}
            </MenuItem>
          </>
        )}
        <div className="sm:hidden">
          <MenuSeparator />
          <MenuItem onSelect={onConnect}>
            <Bot aria-hidden />
            {t('connect')}
          </MenuItem>
        </div>
      </MenuContent>
    </Menu>
  );
}

interface ChoicesProps {
  label: string;
  any: string;
  names: ReadonlyMap<string, string>;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

function Choices({ label, any, names, value, onChange }: ChoicesProps) {
  if (names.size < 2 && value === undefined) return null;
  return (
    <MenuRadioGroup value={value ?? ''} onValueChange={(next) => onChange(next === '' ? undefined : next)}>
      <MenuSeparator />
      <MenuLabel>{label}</MenuLabel>
      <MenuRadioItem value="">{any}</MenuRadioItem>
      {[...names].map(([id, name]) => (
        <MenuRadioItem key={id} value={id}>
          <bdi className="max-w-52 truncate">{name}</bdi>
        </MenuRadioItem>
      ))}
    </MenuRadioGroup>
  );
}
