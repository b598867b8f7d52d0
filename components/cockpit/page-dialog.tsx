'use client';

import { useEffect, useId, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { hostOf } from '@/components/address';
import { Button } from '@/components/ui/button';
import { TextBox } from '@/components/ui/field';
import type { DialogView } from '@/lib/actions/reply';
import { useCockpit } from './cockpit-context';
import { useFocusBack } from './use-focus-back';

/**
 * The page's own dialog, which Chrome draws outside of the picture (DI1). All participants see it; one who may act or
 * help answers: Enter accepts, Escape dismisses.
 */
export function PageDialog({ dialog, url }: { dialog: DialogView; url: string }) {
  const t = useTranslations('cockpit.dialog');
  const { mayAct, mayHelp, act, help } = useCockpit();
  const [text, setText] = useState(dialog.defaultText ?? '');
  const [busy, setBusy] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const [title, lead] = [useId(), useId()];
  const { type } = dialog;
  const host = type === 'beforeunload' ? '' : hostOf(url);
  useEffect(() => box.current?.querySelector<HTMLElement>('[data-first]')?.focus(), [mayHelp]);
  useFocusBack();
  const answer = async (accept: boolean) => {
    if (busy || !mayHelp) return;
    setBusy(true);
    const said = { dialogId: dialog.id, accept, ...(type === 'prompt' && accept ? { promptText: text } : {}) };
    // A person answers a dialog of an agent's tab by a remedy, so that the agent keeps the lease.
    await (mayAct
      ? act({ kind: 'dialog', do: 'answer', ...said }, t('failed'))
      : help({ kind: 'remedy', do: 'answer-dialog', ...said }, t('failed')));
    setBusy(false);
  };
  return (
    <div className="absolute inset-0 z-10 grid animate-fade place-items-start justify-center overflow-auto bg-black/35 p-4 max-sm:fixed max-sm:z-40 max-sm:items-end max-sm:justify-stretch max-sm:p-0">
      <div
        ref={box}
        role="alertdialog"
        aria-labelledby={title}
        aria-describedby={lead}
        className="w-[min(100%,420px)] animate-rise rounded-lg border border-line-strong bg-raised p-4 shadow-pop max-sm:w-full max-sm:rounded-b-none max-sm:pb-[max(16px,env(safe-area-inset-bottom))]"
        onKeyDown={(event) => {
          event.stopPropagation();
          if (event.key === 'Escape') void answer(false);
        }}
      >
        <h2 id={title} className="text-md font-semibold">
          {t(type)} {host !== '' && <bdi className="font-normal text-ink-2">{t('from', { host })}</bdi>}
        </h2>
        <p id={lead} className="mt-2 max-h-60 overflow-y-auto break-words whitespace-pre-wrap">
          <bdi>{type === 'beforeunload' && dialog.message === '' ? t('beforeunloadLead') : dialog.message}</bdi>
        </p>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void answer(true);
          }}
        >
          {type === 'prompt' && (
            <TextBox
              data-first
              aria-label={t('answer')}
              className="mt-3"
              value={text}
              disabled={!mayHelp}
              onFocus={(event) => event.target.select()}
              onChange={(event) => setText(event.target.value)}
            />
          )}
          <div className="mt-4 flex flex-wrap items-center justify-end gap-2">
            <Whose />
            {mayHelp && <Answers type={type} busy={busy} onDismiss={() => void answer(false)} />}
          </div>
        </form>
      </div>
    </div>
  );
}

function Answers({ type, busy, onDismiss }: { type: DialogView['type']; busy: boolean; onDismiss: () => void }) {
  const t = useTranslations('cockpit.dialog');
  return (
    <>
      {type !== 'alert' && (
        <Button className="max-sm:h-11 max-sm:flex-1" onClick={onDismiss}>
          {t(type === 'beforeunload' ? 'stay' : 'cancel')}
        </Button>
      )}
      <Button
        type="submit"
        variant="primary"
        className="max-sm:h-11 max-sm:flex-1"
        busy={busy}
        {...(type !== 'prompt' && { 'data-first': true })}
      >
        {t(type === 'beforeunload' ? 'leave' : 'ok')}
      </Button>
    </>
  );
}

/** Says that the agent keeps the lease, or that only the person who holds the lease can answer. */
function Whose() {
  const t = useTranslations('cockpit.dialog');
  const { lease, mayAct, mayHelp } = useCockpit();
  if (mayAct) return null;
  return (
    <p className="w-full text-sm text-ink-2">
      {mayHelp ? <bdi>{t('agentKeeps', { name: lease.holder?.name ?? '' })}</bdi> : t('watching')}
    </p>
  );
}
