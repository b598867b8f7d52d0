'use client';

import { House, Lock, LockOpen, Globe, type LucideIcon } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { readAddress } from '@/components/address';
import { useLink } from '@/components/session-client/use-session-client';
import { cn } from '@/components/ui/cn';
import { Tooltip } from '@/components/ui/tooltip';
import type { TabView } from '@/lib/protocol/views';
import { useCockpit } from './cockpit-context';
import { urlParts, type UrlSafety } from './url-parts';

const ICONS: Readonly<Record<UrlSafety, LucideIcon>> = { secure: Lock, local: House, insecure: LockOpen, none: Globe };

/** Id of the field, for code that focuses it. */
export const URL_FIELD = 'url-field';

/** The page's address with its host highlighted. Typing and Enter navigates. */
export function UrlField({ tab }: { tab: TabView }) {
  const t = useTranslations('cockpit.address');
  const { act, live, mayDrive } = useCockpit();
  const onlyShown = useLink() !== undefined && !mayDrive;
  const [draft, setDraft] = useState<string>();
  const [problem, setProblem] = useState<'scheme' | 'unreadable'>();
  const field = useRef<HTMLInputElement>(null);
  const note = useId();
  const parts = urlParts(tab.url);
  const Icon = ICONS[parts.safety];
  const close = () => {
    setDraft(undefined);
    setProblem(undefined);
  };
  const submit = async () => {
    const address = readAddress(draft ?? '');
    if (!address.ok) return setProblem(address.why);
    field.current?.blur();
    await act({ kind: 'navigate', url: address.url }, t('goFailed'));
  };
  return (
    <form
      className={cn(
        'relative mx-1 flex h-7 min-w-0 flex-1 items-center gap-2 rounded-full bg-hover pr-3 pl-2.5 pointer-coarse:h-9',
        draft !== undefined && 'bg-panel outline-2 -outline-offset-1 outline-focus',
        problem && 'outline-stuck',
      )}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <Tooltip text={t(parts.safety)}>
        <span
          className={cn(
            'grid size-4 shrink-0 place-items-center',
            parts.safety === 'insecure' ? 'text-stuck' : 'text-ink-2',
          )}
        >
          <Icon aria-hidden className="size-3.5" />
          <span className="sr-only">{t(parts.safety)}</span>
        </span>
      </Tooltip>
      <div className="relative flex min-w-0 flex-1 items-center self-stretch">
        <input
          ref={field}
          id={URL_FIELD}
          aria-label={t('label')}
          aria-invalid={problem ? true : undefined}
          aria-describedby={problem && note}
          disabled={!live || onlyShown}
          inputMode="url"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          className={cn(
            'size-full min-w-0 bg-transparent outline-none max-sm:text-lg',
            draft === undefined && 'text-transparent',
          )}
          value={draft ?? tab.url}
          onFocus={(event) => {
            setDraft(tab.url === 'about:blank' ? '' : tab.url);
            const input = event.target;
            requestAnimationFrame(() => input.select());
          }}
          onBlur={close}
          onChange={(event) => {
            setDraft(event.target.value);
            setProblem(undefined);
          }}
          onKeyDown={(event) => {
            if (event.key === 'Escape') field.current?.blur();
          }}
        />
        {draft === undefined && (
          <span aria-hidden className="pointer-events-none absolute inset-0 flex items-center truncate text-ink-3">
            <bdi className="truncate">
              {parts.scheme}
              <span className="text-ink">{parts.host}</span>
              {parts.rest}
            </bdi>
          </span>
        )}
      </div>
      {problem && (
        <p
          id={note}
          role="alert"
          className="absolute top-full left-4 z-10 mt-1 animate-fade rounded-sm border border-line-strong bg-raised px-2.5 py-1.5 text-stuck shadow-pop"
        >
          {t(problem)}
        </p>
      )}
    </form>
  );
}
