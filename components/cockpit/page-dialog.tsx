'use client';

import { useEffect, useId, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { hostOf } from '@/components/address';
import { Button } from '@/components/ui/button';
import { TextBox } from '@/components/ui/field';
import type { DialogView } from '@/lib/actions/reply';
import { useCockpit } from './cockpit-context';

/**
 * The page's own dialog, which Chrome draws outside of the picture (DI1). Everybody sees it, whoever drives answers:
 * Enter accepts, Escape dismisses.
 */
export function PageDialog({ dialog, url }: { dialog: DialogView; url: string }) {
  const t = useTranslations('cockpit.dialog');
  const { mayAct, take, act, wheel } = useCockpit();
  const [text, setText] = useState(dialog.defaultText ?? '');
  const [busy, setBusy] = useState(false);
  const box = useRef<HTMLFormElement>(null);
  const [title, lead] = [useId(), useId()];
  const { type } = dialog;
  useEffect(() => box.current?.querySelector<HTMLElement>('[data-first]')?.focus(), [mayAct]);
  const answer = async (accept: boolean) => {
    if (busy) return;
    setBusy(true);
    await act({ kind: 'dialog', do: 'answer', dialogId: dialog.id, accept, ...(type === 'prompt' && accept ? { promptText: text } : {}) }, t('failed'));
    setBusy(false);
  };
  const host = hostOf(url);
  return (
    <div className="absolute inset-0 z-10 grid animate-fade place-items-start justify-center overflow-auto bg-black/35 p-4">
      <form
        ref={box}
        role="alertdialog"
        aria-labelledby={title}
        aria-describedby={lead}
        className="w-[min(100%,420px)] animate-rise rounded-lg border border-line-strong bg-raised p-4 shadow-pop"
        onSubmit={(event) => {
          event.preventDefault();
          if (mayAct) void answer(true);
        }}
        onKeyDown={(event) => {
          event.stopPropagation();
          if (event.key === 'Escape' && mayAct) void answer(false);
        }}
      >
        <h2 id={title} className="text-md font-semibold">
          {t(type)} {host !== '' && type !== 'beforeunload' && <bdi className="font-normal text-ink-2">{t('from', { host })}</bdi>}
        </h2>
        <p id={lead} className="mt-2 max-h-60 overflow-y-auto break-words whitespace-pre-wrap">
          <bdi>{type === 'beforeunload' && dialog.message === '' ? t('beforeunloadLead') : dialog.message}</bdi>
        </p>
        {type === 'prompt' && <TextBox data-first aria-label={t('answer')} className="mt-3" value={text} disabled={!mayAct} onChange={(event) => setText(event.target.value)} />}
        <div className="mt-4 flex flex-wrap items-center justify-end gap-2">
          {!mayAct && <p className="mr-auto text-ink-2">{t('watching')}</p>}
          {mayAct && type !== 'alert' && <Button onClick={() => void answer(false)}>{t(type === 'beforeunload' ? 'stay' : 'cancel')}</Button>}
          {mayAct && (
            <Button type="submit" variant="primary" busy={busy} {...(type !== 'prompt' && { 'data-first': true })}>
              {t(type === 'beforeunload' ? 'leave' : 'ok')}
            </Button>
          )}
          {!mayAct && wheel.holder?.kind !== 'human' && (
            <Button data-first variant="wheel" data-wheel="human" onClick={() => void take()}>
              {t('takeToAnswer')}
            </Button>
          )}
        </div>
      </form>
    </div>
  );
}
