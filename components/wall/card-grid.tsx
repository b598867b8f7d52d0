'use client';

import { useRef, type KeyboardEvent, type RefObject } from 'react';
import { useTranslations } from 'use-intl';
import { cn } from '@/components/ui/cn';
import type { CardHandlers } from './card-handlers';
import { Card } from './card';
import { columnsOf, nextCard } from './grid-keys';
import type { Density } from './view-menu';
import type { WallEntry } from './wall-list';

const COLUMNS: Readonly<Record<Density, string>> = {
  large: 'sm:grid-cols-[repeat(auto-fill,minmax(min(100%,440px),1fr))]',
  normal: 'sm:grid-cols-[repeat(auto-fill,minmax(min(100%,300px),1fr))]',
  small: 'sm:grid-cols-[repeat(auto-fill,minmax(min(100%,216px),1fr))] gap-3',
};

export interface CardGridProps {
  entries: readonly WallEntry[];
  you: string | undefined;
  density: Density;
  stale: boolean;
  handlers: CardHandlers;
}

/**
 * The grid of cards. Arrow keys, Home and End move the focus, Enter opens a card, w takes or hands back, r renames,
 * Delete ends.
 */
export function CardGrid({ entries, you, density, stale, handlers }: CardGridProps) {
  const t = useTranslations('wall');
  const list = useRef<HTMLUListElement>(null);
  return (
    <ul
      ref={list}
      aria-label={t('cards')}
      className={cn('grid grid-cols-1 gap-4', COLUMNS[density])}
      onKeyDown={(event) => onGridKey(event, list, entries, handlers)}
    >
      {entries.map((entry) => (
        <li key={entry.session.id} className="min-w-0 [&>article]:h-full">
          <Card entry={entry} you={you} handlers={handlers} stale={stale} dense={density === 'small'} />
        </li>
      ))}
    </ul>
  );
}

function onGridKey(
  event: KeyboardEvent<HTMLUListElement>,
  list: RefObject<HTMLUListElement | null>,
  entries: readonly WallEntry[],
  handlers: CardHandlers,
): void {
  // React bubbles events of an open menu here, although the menu is elsewhere in the document.
  const inside = event.target instanceof Node && list.current?.contains(event.target);
  if (!inside || !list.current || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  const links = [...list.current.querySelectorAll<HTMLElement>('[data-card-link]')];
  const index = [...list.current.children].findIndex(
    (item) => event.target instanceof Node && item.contains(event.target),
  );
  const columns = columnsOf(
    [...list.current.children].map((item) => (item instanceof HTMLElement ? item.offsetTop : 0)),
  );
  const next = nextCard(event.key, index, links.length, columns);
  const entry = entries[index];
  if (next !== undefined) links[next]?.focus();
  else if (!entry || !runCardKey(event.key, entry, handlers)) return;
  event.preventDefault();
}

function runCardKey(key: string, entry: WallEntry, { actions, onRename, onEnd }: CardHandlers): boolean {
  if (key === 'w') void actions.toggleLease(entry);
  else if (key === 'r') onRename(entry);
  else if (key === 'Delete') onEnd(entry);
  else return false;
  return true;
}
