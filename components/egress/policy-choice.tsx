'use client';

import { CircleAlert } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { Radios } from '@/components/ui/check';
import { cn } from '@/components/ui/cn';
import { MOST_SITE, MOST_SITES } from '@/lib/egress/policy';
import { readSites, withCure, type BadSite } from '@/lib/egress/site-list';
import type { PolicyDraft } from './policy-draft';

/** Kinds in the order of how much they let through. */
const KINDS = ['local', 'open', 'listed'] as const;

/** Bad lines that are named; the others are counted. */
const FEW = 5;

export interface PolicyChoiceProps {
  /** Whose policy: a session without one follows its workspace. */
  of: 'workspace' | 'session';
  draft: PolicyDraft;
  readOnly?: boolean;
  onChange: (draft: PolicyDraft) => void;
}

/**
 * Where pages may go: everything, the open internet, or listed sites with a list that is checked as one types (GU1).
 */
export function PolicyChoice({ of, draft, readOnly = false, onChange }: PolicyChoiceProps) {
  const t = useTranslations('egress');
  // A list that was typed is there again when one comes back to it.
  const [list, setList] = useState(draft.text);
  const type = (text: string) => {
    setList(text);
    onChange({ kind: 'listed', text });
  };
  const sites = <SiteList text={draft.text} readOnly={readOnly} onChange={type} />;
  const choices = KINDS.map((value) => ({
    value,
    label: t(value === 'local' ? `kind.${of}` : `kind.${value}`),
    hint: t(value === 'local' ? `kindHint.${of}` : `kindHint.${value}`),
    more: value === 'listed' && sites,
  }));
  return (
    <Radios
      legend={t('legend')}
      choices={choices}
      value={draft.kind}
      disabled={readOnly}
      onChange={(kind) => onChange({ kind, text: kind === 'listed' ? draft.text || list : '' })}
    />
  );
}

function SiteList({ text, readOnly, onChange }: { text: string; readOnly: boolean; onChange: (text: string) => void }) {
  const t = useTranslations('egress');
  const id = useId();
  const { sites, bad } = readSites(text);
  const many = sites.length > MOST_SITES;
  return (
    <div className="mt-2 flex flex-col gap-1.5">
      <label htmlFor={id} className="sr-only">
        {t('sites')}
      </label>
      <textarea
        id={id}
        dir="ltr"
        rows={Math.min(12, Math.max(4, text.split('\n').length + 1))}
        value={text}
        readOnly={readOnly}
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="off"
        placeholder={'example.com\n*.example.com'}
        aria-invalid={bad.length > 0 || many ? true : undefined}
        aria-describedby={`${id}-note`}
        className="w-full min-w-0 resize-y rounded-sm border border-edge bg-panel px-2.5 py-1.5 font-mono text-sm text-ink placeholder:text-ink-3 focus-visible:outline-offset-0 aria-invalid:border-stuck max-sm:text-lg"
        onChange={(event) => onChange(event.target.value)}
      />
      <div id={`${id}-note`} className="flex flex-col gap-1.5 text-xs">
        <p className={cn('text-ink-3', many && 'text-stuck')}>
          {many ? t('many', { n: sites.length, most: MOST_SITES }) : t('count', { n: sites.length, most: MOST_SITES })}
          {!readOnly && <> · {t('sitesHint')}</>}
        </p>
        {bad.length > 0 && <BadLines bad={bad} onCure={(one) => onChange(withCure(text, one))} />}
      </div>
    </div>
  );
}

/** The lines that are no sites: what is wrong with each, and the site that was probably meant. */
function BadLines({ bad, onCure }: { bad: readonly BadSite[]; onCure: (bad: BadSite) => void }) {
  const t = useTranslations('egress');
  return (
    <ul role="alert" className="flex flex-col gap-1.5">
      {bad.slice(0, FEW).map((one, index) => (
        <li key={`${one.line} ${index}`} className="flex items-start gap-1.5 text-stuck">
          <CircleAlert aria-hidden className="mt-px size-3.5 shrink-0" />
          <p className="min-w-0 flex-1">
            {t('line', { line: one.line })}{' '}
            <bdi>
              <code className="font-mono break-all">{one.text}</code>
            </bdi>{' '}
            {t(`fault.${one.why}`, { most: MOST_SITE })}
          </p>
          {one.cure !== undefined && (
            <Button size="sm" className="-my-0.5 max-w-[45%]" onClick={() => onCure(one)}>
              <span className="truncate">{t('cure', { site: one.cure })}</span>
            </Button>
          )}
        </li>
      ))}
      {bad.length > FEW && <li className="text-stuck">{t('moreBad', { n: bad.length - FEW })}</li>}
    </ul>
  );
}
