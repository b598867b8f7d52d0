'use client';

import { useVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { useTranslations } from 'use-intl';
import { useMedia } from '@/components/ui/use-media';
import type { TabView } from '@/lib/protocol/views';
import { LineMenu } from './line-menu';
import { LineRow } from './line-row';
import type { SnapshotLine } from './line';
import type { FoundLine } from './lines';
import { useOutline } from './use-outline';

/** Height of a line for a mouse and for a finger, pixels. */
const ROW_PIXELS = { fine: 21, coarse: 36 } as const;

export interface SnapshotLinesProps {
  tab: TabView;
  lines: readonly SnapshotLine[];
  /** The lines to show, in order. */
  found: readonly FoundLine[];
  /** Indexes of lines that the snapshot before did not have. */
  fresh: ReadonlySet<number>;
  /** Refs in the snapshot's own list; a ref that only the text has is page-made. */
  refs: ReadonlySet<string>;
  /** True during a search: lines that are only parents are dimmed. */
  dimOthers: boolean;
}

/** The lines of a snapshot; renders only those in view. Arrows move, Enter opens a line's menu. */
export function SnapshotLines({ tab, lines, found, fresh, refs, dimOthers }: SnapshotLinesProps) {
  const t = useTranslations('cockpit.snapshot');
  const box = useRef<HTMLDivElement>(null);
  const outline = useOutline(tab.id);
  const [at, setAt] = useState(0);
  const [open, setOpen] = useState<{ index: number; line: SnapshotLine }>();
  const row = ROW_PIXELS[useMedia('(pointer: coarse)') ? 'coarse' : 'fine'];
  const list = useVirtualizer({
    count: found.length,
    getScrollElement: () => box.current,
    estimateSize: () => row,
    overscan: 20,
    paddingStart: 6,
    paddingEnd: 6,
  });
  const current = Math.min(at, found.length - 1);

  const lineAt = (index: number): SnapshotLine | undefined => lines[found[index]?.index ?? -1];
  const acts = (line: SnapshotLine | undefined): boolean => line?.ref !== undefined && refs.has(line.ref);
  const latest = useRef({ lineAt, acts });
  useEffect(() => {
    latest.current = { lineAt, acts };
  });
  const point = useCallback(
    (index: number) => {
      const line = latest.current.lineAt(index);
      outline(latest.current.acts(line) ? line : undefined);
    },
    [outline],
  );
  const focus = useCallback(
    (index: number) => {
      setAt(index);
      point(index);
    },
    [point],
  );
  const show = useCallback((index: number) => {
    const line = latest.current.lineAt(index);
    if (line) setOpen({ index, line });
  }, []);

  const focusRow = (index: number) => box.current?.querySelector<HTMLElement>(`button[data-index="${index}"]`)?.focus();
  const closed = () => {
    setOpen(undefined);
    if (open) focusRow(open.index);
    // The focus has outlined the line's element again; after the action the outline is not wanted.
    outline(undefined);
  };
  const onKeys = (event: KeyboardEvent) => {
    const to = nextLine(event.key, current, found.length, Math.floor((box.current?.clientHeight ?? 0) / row));
    if (to === undefined) return;
    event.preventDefault();
    list.scrollToIndex(to);
    requestAnimationFrame(() => focusRow(to));
  };
  return (
    <div
      ref={box}
      role="region"
      aria-label={t('lines')}
      tabIndex={-1}
      className="min-h-0 flex-1 overflow-auto font-mono text-xs outline-none"
      onKeyDown={onKeys}
      onPointerLeave={() => outline(undefined)}
    >
      <ol className="relative w-max min-w-full" style={{ height: list.getTotalSize() }}>
        {list.getVirtualItems().map(({ index, start }) => {
          const line = lineAt(index);
          const where = found[index];
          return (
            line &&
            where && (
              <LineRow
                key={index}
                line={line}
                index={index}
                top={start}
                height={row}
                acts={acts(line)}
                fresh={fresh.has(where.index)}
                dim={dimOthers && !where.found}
                tabStop={index === current}
                open={open?.index === index}
                onPoint={point}
                onFocus={focus}
                onOpen={show}
              />
            )
          );
        })}
      </ol>
      {open?.line.ref !== undefined && (
        <LineMenu
          key={open.index}
          tab={tab}
          line={open.line}
          target={open.line.ref}
          anchor={box.current?.querySelector(`button[data-index="${open.index}"]`) ?? null}
          onClosed={closed}
        />
      )}
    </div>
  );
}

function nextLine(key: string, at: number, count: number, page: number): number | undefined {
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    PageDown: at + page,
    PageUp: at - page,
    Home: 0,
    End: count - 1,
  };
  const to = steps[key];
  return to === undefined ? undefined : Math.min(Math.max(to, 0), count - 1);
}
