'use client';

import { Check } from 'lucide-react';
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';
import { useTranslations } from 'use-intl';
import { cn } from '@/components/ui/cn';
import type { SelectPopup } from '@/lib/protocol/popup';
import { findByTyping, stepOption } from './option-steps';

/** Letters typed within this time form one word. Milliseconds. */
const WORD_MS = 800;

/**
 * The options of a `select`. Arrows, Home, End, Page Up, Page Down and first letters move; Enter, Space or a press
 * chooses. Labels are page-made text.
 */
export function OptionList({ popup, onChoose }: { popup: SelectPopup; onChoose: (index: number) => void }) {
  const t = useTranslations('cockpit.popup');
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const typed = useRef({ text: '', at: 0 });
  const [active, setActive] = useState(() =>
    Math.max(
      0,
      popup.options.findIndex(({ index }) => index === popup.selected),
    ),
  );
  useEffect(() => list.current?.focus(), []);
  useEffect(() => {
    // `scrollIntoView` returns a promise in newer Chromes, which an effect must not return.
    void document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, active]);
  const onKey = (event: KeyboardEvent) => {
    // Ignores repeats of the key that opened the list.
    if (event.repeat && (event.key === 'Enter' || event.key === ' ')) return event.preventDefault();
    const chosen = popup.options[active];
    if (event.key === 'Enter' || (event.key === ' ' && typed.current.text === '')) {
      event.preventDefault();
      if (chosen && !chosen.disabled) onChoose(chosen.index);
      return;
    }
    const next = stepOption(popup.options, active, event.key) ?? byLetters(event);
    if (next === undefined) return;
    event.preventDefault();
    setActive(next);
  };
  const byLetters = (event: KeyboardEvent) => {
    if (event.key.length !== 1 || event.ctrlKey || event.metaKey || event.altKey) return undefined;
    const now = event.timeStamp;
    typed.current = { text: now - typed.current.at > WORD_MS ? event.key : typed.current.text + event.key, at: now };
    return findByTyping(popup.options, active, typed.current.text);
  };
  return (
    <>
      <div
        ref={list}
        role="listbox"
        tabIndex={0}
        aria-label={popup.label === '' ? t('options') : popup.label}
        aria-activedescendant={`${id}-${active}`}
        className="min-h-0 overflow-y-auto py-1 outline-none max-sm:pb-[max(8px,env(safe-area-inset-bottom))]"
        onKeyDown={onKey}
      >
        {popup.options.map((option, at) => (
          <Option
            key={option.index}
            id={`${id}-${at}`}
            option={option}
            active={at === active}
            selected={option.index === popup.selected}
            heads={option.group !== '' && option.group !== popup.options[at - 1]?.group}
            onPoint={() => setActive(at)}
            onChoose={() => onChoose(option.index)}
          />
        ))}
      </div>
      {popup.more > 0 && (
        <p className="border-t border-line px-3 py-1.5 text-xs text-ink-3">{t('more', { n: popup.more })}</p>
      )}
    </>
  );
}

interface OptionProps {
  id: string;
  option: SelectPopup['options'][number];
  active: boolean;
  selected: boolean;
  /** True for the first option of a group: the group's name stands above it. */
  heads: boolean;
  onPoint: () => void;
  onChoose: () => void;
}

function Option({ id, option, active, selected, heads, onPoint, onChoose }: OptionProps) {
  return (
    <>
      {heads && (
        <div role="presentation" className="px-3 pt-2 pb-0.5 text-xs font-semibold text-ink-3">
          <bdi>{option.group}</bdi>
        </div>
      )}
      <div
        id={id}
        role="option"
        aria-selected={selected}
        aria-disabled={option.disabled || undefined}
        className={cn(
          'flex min-h-7 items-center gap-2 py-1 pr-3 pl-2 pointer-coarse:min-h-11',
          active && 'bg-sel',
          option.disabled && 'text-ink-3',
        )}
        onPointerMove={onPoint}
        onPointerUp={() => !option.disabled && onChoose()}
      >
        <Check aria-hidden className={cn('size-3.5 shrink-0', !selected && 'invisible')} />
        <bdi className="min-w-0 truncate">{option.label === '' ? ' ' : option.label}</bdi>
      </div>
    </>
  );
}
