'use client';

import { useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { Ago } from '@/components/messages/times';
import { Button } from '@/components/ui/button';
import { Chip } from '@/components/ui/chip';
import { FormDialog } from '@/components/ui/form-dialog';
import { ProblemNote } from '@/components/ui/problem-note';
import { toast } from '@/components/ui/toast';
import { useTask } from '@/components/ui/use-task';
import { linksApi } from './api';
import type { LinkView } from '@/lib/links/link-view';
import { LinkFields, useTerms } from './link-fields';
import { useEnd } from '@/components/messages/use-end';

export interface LinkListProps {
  session: string;
  links: readonly LinkView[];
  grants: readonly string[];
  onChanged: () => void;
}

/** The links of a session: who used them, and the ways to change and end them. */
export function LinkList({ session, links, grants, onChanged }: LinkListProps) {
  const t = useTranslations('share');
  const open = links.filter(({ ended }) => !ended).toReversed();
  const over = links.filter(({ ended }) => ended).toReversed();
  return (
    <section aria-label={t('list')}>
      <h3 className="font-medium">{t('list')}</h3>
      {open.length === 0 && <p className="mt-1 text-ink-3">{t('none')}</p>}
      <ul className="mt-1 divide-y divide-line">
        {open.map((link) => (
          <OpenLink key={link.id} session={session} link={link} grants={grants} onChanged={onChanged} />
        ))}
      </ul>
      {over.length > 0 && (
        <details className="mt-2">
          <summary className="w-fit cursor-pointer text-xs text-ink-2 hover:text-ink">
            {t('ended.title', { n: over.length })}
          </summary>
          <ul className="divide-y divide-line">
            {over.map((link) => (
              <EndedLink key={link.id} link={link} />
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

function OpenLink({ session, link, grants, onChanged }: Omit<LinkListProps, 'links'> & { link: LinkView }) {
  const t = useTranslations('share');
  const { busy, error, run } = useTask();
  const [changing, setChanging] = useState(false);
  const what = useGrants(link);
  const end = () =>
    void run(
      () => linksApi.end(session, link.id),
      () => {
        toast.success(t('endedNow'));
        onChanged();
      },
    );
  return (
    <li className="py-3">
      <div className="flex items-start gap-2">
        <div className="min-w-0 flex-1">
          <p className="font-medium">{t('grants', { what })}</p>
          <About link={link} />
        </div>
        <Button
          size="sm"
          className="pointer-coarse:h-10"
          aria-label={t('changeOne', { what: t('grants', { what }) })}
          onClick={() => setChanging(true)}
        >
          {t('change')}
        </Button>
        <Button
          size="sm"
          className="text-stuck pointer-coarse:h-10"
          busy={busy}
          aria-label={t('endOne', { what: t('grants', { what }) })}
          onClick={end}
        >
          {t('end')}
        </Button>
      </div>
      <Uses link={link} />
      {error !== undefined && <ProblemNote className="mt-2" title={t('endFailed')} thrown={error} />}
      {changing && (
        <ChangeDialog
          session={session}
          link={link}
          grants={grants}
          onChanged={onChanged}
          onClose={() => setChanging(false)}
        />
      )}
    </li>
  );
}

/** End, place, limits and viewers of a link in one line. */
function About({ link }: { link: LinkView }) {
  const t = useTranslations('share');
  const time = useEnd(link.expiresAt);
  const here = link.uses.filter((use) => use.here).length;
  const facts = [
    t('until', { time }),
    ...(link.tab === null ? [] : [t('onTab')]),
    ...(link.password ? [t('withPasscode')] : []),
    link.maxViewers === null ? t('here', { n: here }) : t('hereOf', { n: here, most: link.maxViewers }),
  ];
  return (
    <>
      <p className="text-xs text-ink-2">{facts.join(' · ')}</p>
      {link.wrong > 0 && <p className="text-xs text-stuck">{t('wrong', { n: link.wrong })}</p>}
    </>
  );
}

function Uses({ link: { uses } }: { link: LinkView }) {
  const t = useTranslations('share');
  if (uses.length === 0) return <p className="mt-1 text-xs text-ink-3">{t('used', { n: 0 })}</p>;
  return (
    <ul aria-label={t('used', { n: uses.length })} className="mt-1.5 flex max-h-40 flex-col gap-1 overflow-y-auto">
      {uses.toReversed().map(({ guest, name, address, lastAt, here }) => (
        <li key={guest} className="flex min-w-0 items-center gap-2 text-xs text-ink-2">
          <bdi className="min-w-0 truncate text-ink">{t('guest', { name })}</bdi>
          <span className="shrink-0 font-mono text-ink-3">{address}</span>
          <span className="flex-1" />
          {here ? (
            <Chip size="sm" tone="ok">
              {t('isHere')}
            </Chip>
          ) : (
            <span className="shrink-0">
              <Ago since={lastAt} />
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

function EndedLink({ link }: { link: LinkView }) {
  const t = useTranslations('share');
  const what = useGrants(link);
  if (!link.ended) return null;
  return (
    <li className="py-2 text-xs text-ink-2">
      {t('grants', { what })} · {t(`ended.${link.ended.why}`)} · <Ago since={link.ended.at} /> ·{' '}
      {t('used', { n: link.uses.length })}
    </li>
  );
}

function ChangeDialog({
  session,
  link,
  grants,
  onChanged,
  onClose,
}: Omit<LinkListProps, 'links'> & { link: LinkView; onClose: () => void }) {
  const t = useTranslations('share');
  const task = useTask();
  const terms = useTerms(link);
  const change = () =>
    void task.run(
      () => linksApi.change(session, link.id, terms.request()),
      () => {
        toast.success(t('changed'));
        onChanged();
        onClose();
      },
    );
  return (
    <FormDialog
      title={t('changeTitle')}
      description={t('changeLead')}
      word={t('save')}
      busy={task.busy}
      usable={terms.usable}
      formClass="gap-5"
      onSubmit={change}
      onClose={onClose}
    >
      <LinkFields terms={terms} old={link} grants={grants} />
      {task.error !== undefined && <ProblemNote title={t('changeFailed')} thrown={task.error} />}
    </FormDialog>
  );
}

/** What a link gives, as in "watch and drive". */
function useGrants({ grants }: LinkView): string {
  const t = useTranslations('share');
  const format = useFormatter();
  return format.list(grants.map((grant) => t(`grant.${grant}`)));
}
