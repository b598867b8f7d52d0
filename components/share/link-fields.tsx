'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Check, Radios } from '@/components/ui/check';
import { Field } from '@/components/ui/field';
import { Select } from '@/components/ui/select';
import type { LinkRequest } from './api';
import type { LinkView } from '@/lib/links/link-view';
import { draftOf, LIFE_NAMES, problemsOf, requestOf, type Draft } from './terms';
import { useEnd } from '@/components/messages/use-end';

export interface Terms {
  readonly draft: Draft;
  readonly set: (part: Partial<Draft>) => void;
  /** The fields that cannot be used as they are. */
  readonly wrong: ReturnType<typeof problemsOf>;
  readonly usable: boolean;
  /** @param tab the tab that is shared where only one is */
  readonly request: (tab?: string) => LinkRequest;
}

/** What the fields of a link hold. `old`: the link to change; without it one is made. */
export function useTerms(old?: LinkView): Terms {
  const [draft, setDraft] = useState(() => draftOf(old));
  const wrong = problemsOf(draft);
  return {
    draft,
    set: (part) => setDraft((was) => ({ ...was, ...part })),
    wrong,
    usable: !wrong.viewers && !wrong.passcode,
    request: (tab) => requestOf(draft, old, tab),
  };
}

export interface LinkFieldsProps {
  terms: Terms;
  old?: LinkView;
  /** Whether a tab can be shared alone. */
  tabs?: boolean;
  /** The reader's own grants in the session: a link gives no more. */
  grants: readonly string[];
}

/** What a share link gives, to whom and until when. */
export function LinkFields({ terms: { draft, set, wrong }, old, tabs = false, grants }: LinkFieldsProps) {
  const t = useTranslations('share');
  const [more, setMore] = useState(old !== undefined && (old.maxViewers !== null || old.password));
  const end = useEnd(old?.expiresAt);
  const lives = old ? (['same', ...LIFE_NAMES] as const) : LIFE_NAMES;
  return (
    <>
      <May draft={draft} grants={grants} onChange={set} />
      {tabs && (
        <Radios
          legend={t('what')}
          choices={[
            { value: 'whole', label: t('whole'), hint: t('wholeHint') },
            { value: 'tab', label: t('oneTab') },
          ]}
          value={draft.oneTab ? 'tab' : 'whole'}
          onChange={(value) => set({ oneTab: value === 'tab' })}
        />
      )}
      <Select
        label={t('ends')}
        value={draft.life}
        className="sm:w-1/2"
        options={lives.map((value) => ({
          value,
          label: value === 'same' ? t('same', { time: end }) : t(`life.${value}`),
        }))}
        onValueChange={(life) => set({ life })}
      />
      <details open={more} onToggle={(event) => setMore(event.currentTarget.open)}>
        <summary className="w-fit cursor-pointer text-ink-2 hover:text-ink">{t('more')}</summary>
        <div className="mt-3 grid gap-4 sm:grid-cols-2">
          <Field
            label={t('viewers')}
            hint={t('viewersHint')}
            inputMode="numeric"
            value={draft.viewers}
            maxLength={3}
            problem={wrong.viewers ? t('viewersHint') : undefined}
            onChange={(event) => set({ viewers: event.target.value })}
          />
          <Field
            label={t('passcode')}
            hint={old?.password === true ? t('passcodeKept') : t('passcodeHint')}
            value={draft.passcode}
            maxLength={128}
            disabled={draft.passcodeOff}
            problem={wrong.passcode ? t('passcodeHint') : undefined}
            onChange={(event) => set({ passcode: event.target.value })}
          />
          {old?.password === true && (
            <Check
              className="sm:col-start-2"
              label={t('passcodeOff')}
              checked={draft.passcodeOff}
              onChange={(passcodeOff) => set({ passcodeOff, passcode: '' })}
            />
          )}
        </div>
      </details>
    </>
  );
}

function May({
  draft,
  grants,
  onChange,
}: {
  draft: Draft;
  grants: readonly string[];
  onChange: (part: Partial<Draft>) => void;
}) {
  const t = useTranslations('share');
  const lacks = (grant: string) => !grants.includes(grant);
  return (
    <div className="flex flex-col gap-3">
      <Radios
        legend={t('may')}
        choices={[
          { value: 'watch', label: t('watch'), hint: t('watchHint') },
          ...(lacks('drive') && !draft.drive
            ? []
            : [{ value: 'drive' as const, label: t('drive'), hint: t('driveHint') }]),
        ]}
        value={draft.drive ? 'drive' : 'watch'}
        onChange={(value) => onChange({ drive: value === 'drive' })}
      />
      <Check
        label={t('files')}
        hint={lacks('files') ? t('beyond') : t('filesHint')}
        checked={draft.files}
        disabled={lacks('files') && !draft.files}
        onChange={(files) => onChange({ files })}
      />
      {draft.drive && (
        <Check
          label={t('clipboard')}
          hint={lacks('clipboard') ? t('beyond') : undefined}
          checked={draft.clipboard}
          disabled={lacks('clipboard') && !draft.clipboard}
          onChange={(clipboard) => onChange({ clipboard })}
        />
      )}
    </div>
  );
}
