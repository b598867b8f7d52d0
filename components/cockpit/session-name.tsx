'use client';

import { useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { api } from '@/components/session-client/api';
import { TextBox } from '@/components/ui/field';
import { Tooltip } from '@/components/ui/tooltip';
import { useAttempt } from './use-attempt';

/** Longest name the server takes. */
const MOST_NAME = 80;

/** The session's name; a click turns it into a field. Enter keeps, Escape drops. */
export function SessionName({ id, name }: { id: string; name: string }) {
  const t = useTranslations('cockpit.head');
  const attempt = useAttempt();
  const [draft, setDraft] = useState<string>();
  const button = useRef<HTMLButtonElement>(null);
  const close = () => {
    setDraft(undefined);
    requestAnimationFrame(() => button.current?.focus());
  };
  const save = () => {
    const wanted = draft?.trim() ?? '';
    close();
    if (wanted !== '' && wanted !== name) void attempt(api.renameSession(id, wanted), t('renameFailed'));
  };
  if (draft !== undefined) {
    return (
      <form
        className="min-w-0"
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <TextBox
          autoFocus
          aria-label={t('name')}
          className="h-7 w-52 font-semibold pointer-coarse:h-9"
          maxLength={MOST_NAME}
          value={draft}
          onChange={(event) => setDraft(event.target.value)}
          onFocus={(event) => event.target.select()}
          onBlur={save}
          onKeyDown={(event) => {
            if (event.key === 'Escape') close();
          }}
        />
      </form>
    );
  }
  return (
    <h1 className="max-w-64 min-w-0 shrink font-semibold">
      <Tooltip text={t('rename')}>
        <button
          ref={button}
          type="button"
          className="block w-full truncate rounded-sm px-1 py-0.5 hover:bg-hover"
          onClick={() => setDraft(name)}
        >
          <bdi>{name}</bdi>
        </button>
      </Tooltip>
    </h1>
  );
}
