'use client';

import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef, useState, type KeyboardEvent } from 'react';
import { useTranslations } from 'use-intl';
import { cn } from '@/components/ui/cn';
import type { TabView } from '@/lib/protocol/views';
import { LineMenu } from './line-menu';
import type { SnapshotLine, TokenSort } from './line';
import type { FoundLine } from './lines';
import { useOutline } from './use-outline';

const ROW_PIXELS = 21;

const TOKENS: Readonly<Record<TokenSort, string>> = {
  dash: 'text-ink-3',
  role: 'text-ink-2',
  name: 'text-ink',
  ref: 'font-semibold text-agent',
  state: 'text-ink-3',
  value: 'text-human',
  url: 'text-ink-3',
  text: 'text-ink-2',
};

export interface SnapshotLinesProps {
  tab: TabView;
  lines: readonly SnapshotLine[];
  /** The lines to show, in order. */
  found: readonly FoundLine[];
  /** Numbers of lines that were not there before. */
  fresh: ReadonlySet<number>;
  /** Refs that the snapshot itself lists: no other is believed. */
  refs: ReadonlySet<string>;
  /** Something is searched for: lines that are only parents step back. */
  dimOthers: boolean;
}

/** The lines of a snapshot, only those in view in the page. Arrows move, Enter opens what can be done. */
export function SnapshotLines({ tab, lines, found, fresh, refs, dimOthers }: SnapshotLinesProps) {
  const t = useTranslations('cockpit.snapshot');
  const box = useRef<HTMLDivElement>(null);
  const point = useOutline(tab.id);
  const [at, setAt] = useState(0);
  const list = useVirtualizer({ count: found.length, getScrollElement: () => box.current, estimateSize: () => ROW_PIXELS, overscan: 20, paddingStart: 6, paddingEnd: 6 });
  const current = Math.min(at, found.length - 1);
  const onKeys = (event: KeyboardEvent) => {
    const to = nextLine(event.key, current, found.length, Math.floor((box.current?.clientHeight ?? 0) / ROW_PIXELS));
    if (to === undefined) return;
    event.preventDefault();
    setAt(to);
    list.scrollToIndex(to);
    requestAnimationFrame(() => box.current?.querySelector<HTMLElement>(`[data-index="${to}"] button`)?.focus());
  };
  return (
    <div ref={box} role="region" aria-label={t('lines')} tabIndex={-1} className="min-h-0 flex-1 overflow-auto font-mono text-xs outline-none" onKeyDown={onKeys} onPointerLeave={() => point(undefined)}>
      <ol className="relative w-max min-w-full" style={{ height: list.getTotalSize() }}>
        {list.getVirtualItems().map((item) => {
          const where = found[item.index];
          const line = where && lines[where.index];
          if (!line) return null;
          const ref = line.ref !== undefined && refs.has(line.ref) ? line.ref : undefined;
          return (
            <li
              key={item.key}
              data-index={item.index}
              className={cn('absolute top-0 left-0 flex h-[21px] w-full items-stretch border-l-2 border-transparent', fresh.has(where.index) && 'border-ok', dimOthers && !where.found && 'opacity-55')}
              style={{ transform: `translateY(${item.start}px)` }}
              onPointerEnter={() => point(ref === undefined ? undefined : line)}
            >
              <LineMenu tab={tab} line={line} target={ref} tabStop={item.index === current} onFocus={() => (setAt(item.index), point(ref === undefined ? undefined : line))}>
                {fresh.has(where.index) && <span className="sr-only">{t('isNew')} </span>}
                <span aria-hidden style={{ width: `${line.depth * 2}ch` }} className="shrink-0" />
                {line.tokens.map((token, index) => (
                  <bdi key={`${token.sort}${index}`} className={TOKENS[token.sort]}>
                    {token.text}
                  </bdi>
                ))}
              </LineMenu>
            </li>
          );
        })}
      </ol>
    </div>
  );
}

function nextLine(key: string, at: number, count: number, page: number): number | undefined {
  const steps: Readonly<Record<string, number>> = { ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + page, PageUp: at - page, Home: 0, End: count - 1 };
  const to = steps[key];
  return to === undefined ? undefined : Math.min(Math.max(to, 0), count - 1);
}
