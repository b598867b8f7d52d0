'use client';

import { memo } from 'react';
import { useTranslations } from 'use-intl';
import { cn } from '@/components/ui/cn';
import type { SnapshotLine, TokenKind } from './line';

const TOKENS: Readonly<Record<TokenKind, string>> = {
  dash: 'text-ink-3',
  role: 'text-ink-2',
  name: 'text-ink',
  ref: 'font-semibold text-agent',
  state: 'text-ink-3',
  value: 'text-human',
  url: 'text-ink-3',
  text: 'text-ink-2',
};

export interface LineRowProps {
  line: SnapshotLine;
  /** Index in the shown list. */
  index: number;
  /** Pixels from the top of the list. */
  top: number;
  /** Pixels. */
  height: number;
  /** True when the line has a ref that the snapshot's list of refs contains: it has a menu. */
  acts: boolean;
  /** True when the snapshot before did not have the line. */
  fresh: boolean;
  dim: boolean;
  /** True for the one line that Tab reaches. */
  tabStop: boolean;
  /** True while the line's menu is open. */
  open: boolean;
  onPoint: (index: number) => void;
  onFocus: (index: number) => void;
  onOpen: (index: number) => void;
}

/** One line of the snapshot. Memoized, because a snapshot may have thousands of lines. */
export const LineRow = memo(function LineRow({
  line,
  index,
  top,
  height,
  acts,
  fresh,
  dim,
  tabStop,
  open,
  onPoint,
  onFocus,
  onOpen,
}: LineRowProps) {
  const t = useTranslations('cockpit.snapshot');
  const tokens = line.note ? [{ kind: 'state' as const, text: t(`notes.${line.note}`) }] : line.tokens;
  const words = tokens
    .filter(({ kind }) => kind !== 'dash')
    .map(({ text }) => text)
    .join(' ');
  const said = fresh ? `${t('isNew')}: ${words}` : words;
  return (
    <li
      className={cn(
        'absolute top-0 left-0 flex w-full items-stretch border-l-2',
        fresh ? 'border-ok' : 'border-transparent',
        dim && 'opacity-55',
      )}
      style={{ height, transform: `translateY(${top}px)` }}
      onPointerEnter={() => onPoint(index)}
    >
      <button
        type="button"
        data-index={index}
        tabIndex={tabStop ? 0 : -1}
        aria-label={said}
        {...(acts && { 'aria-haspopup': 'menu', 'aria-expanded': open })}
        className={cn(
          'flex w-full min-w-0 items-center gap-[1ch] pr-3 pl-2 text-left whitespace-pre hover:bg-agent-soft focus-visible:bg-agent-soft focus-visible:-outline-offset-2',
          open && 'bg-agent-soft',
        )}
        onFocus={() => onFocus(index)}
        onClick={() => acts && onOpen(index)}
      >
        <span aria-hidden style={{ width: `${line.depth * 2}ch` }} className="shrink-0" />
        {tokens.map((token, at) => (
          <bdi
            key={`${token.kind}${at}`}
            className={cn(TOKENS[token.kind], line.role === undefined && token.kind === 'state' && 'font-sans italic')}
          >
            {token.text}
          </bdi>
        ))}
      </button>
    </li>
  );
});
