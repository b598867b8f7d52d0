'use client';

import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState, type ReactNode } from 'react';

const ROW_PIXELS = 28;
/** Within this distance of the end the list follows the newest row. CSS pixels. */
const NEAR_END = 40;

/**
 * A long list, oldest first, which renders only the rows in view. It follows the newest row until a person scrolls up.
 */
export function BufferList<T extends { readonly key: string }>({
  rows,
  label,
  children,
}: {
  rows: readonly T[];
  label: string;
  children: (row: T) => ReactNode;
}) {
  const box = useRef<HTMLDivElement>(null);
  const [follows, setFollows] = useState(true);
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_PIXELS,
    overscan: 12,
    getItemKey: (index) => rows[index]?.key ?? index,
  });
  const newest = rows.at(-1)?.key;
  useEffect(() => {
    if (follows) box.current?.scrollTo({ top: box.current.scrollHeight });
  }, [follows, newest]);
  return (
    <div
      ref={box}
      tabIndex={0}
      role="region"
      aria-label={label}
      className="min-h-0 flex-1 overflow-y-auto focus-visible:-outline-offset-2"
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) =>
        setFollows(scrollHeight - scrollTop - clientHeight < NEAR_END)
      }
    >
      <ol className="relative" style={{ height: list.getTotalSize() }}>
        {list.getVirtualItems().map((item) => {
          const row = rows[item.index];
          return (
            row && (
              <li
                key={item.key}
                data-index={item.index}
                ref={list.measureElement}
                className="absolute inset-x-0 top-0 border-b border-line"
                style={{ transform: `translateY(${item.start}px)` }}
              >
                {children(row)}
              </li>
            )
          );
        })}
      </ol>
    </div>
  );
}
