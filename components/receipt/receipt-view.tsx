'use client';

import { ArrowRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import type { Receipt } from '@/lib/actions/receipt';
import { DoneList } from './done-list';

/** Shows the parts of a receipt; empty parts are left out (CO5). */
export function ReceiptView({ receipt }: { receipt: Receipt }) {
  const t = useTranslations('receipt');
  const { note, actions, page, cut } = receipt;
  return (
    <div className="flex flex-col gap-4">
      {note !== undefined && (
        <Part title={t('note')}>
          <p className="text-sm break-words whitespace-pre-wrap">
            <bdi>{note}</bdi>
          </p>
        </Part>
      )}
      {actions && (
        <Part title={t('did')}>
          {actions.length === 0 ? (
            <p className="text-sm text-ink-2">{t('didNothing')}</p>
          ) : (
            <DoneList done={actions} steps={actions.map(({ step }) => step)} />
          )}
        </Part>
      )}
      <Moved receipt={receipt} />
      <Changed receipt={receipt} />
      {page && (page.text ?? page.why) !== undefined && (
        <Part title={t('page')}>
          {page.text !== undefined && page.text !== '' && (
            <pre
              tabIndex={0}
              dir="ltr"
              className="max-h-48 overflow-auto rounded-md border border-line bg-bg p-2 font-mono text-xs"
            >
              {page.text}
            </pre>
          )}
          {page.why !== undefined && <Words>{page.why}</Words>}
        </Part>
      )}
      <Refs receipt={receipt} />
      {cut && cut.length > 0 && (
        <Part title={t('cut')}>
          {cut.map((each) => (
            <Words key={each}>{each}</Words>
          ))}
        </Part>
      )}
    </div>
  );
}

/** Address before and after, and tabs that were opened and closed. */
function Moved({ receipt: { url, urlBefore, tabsOpened = [], tabsClosed = [] } }: { receipt: Receipt }) {
  const t = useTranslations('receipt');
  return (
    <>
      <Part title={t('address')}>
        {urlBefore !== undefined && urlBefore !== url && <Code>{urlBefore}</Code>}
        <Code before={urlBefore !== undefined && urlBefore !== url}>{url}</Code>
        {urlBefore === url && <p className="text-xs text-ink-3">{t('stayed')}</p>}
      </Part>
      {tabsOpened.length + tabsClosed.length > 0 && (
        <Part title={t('tabs')}>
          <Facts label={t('opened')} facts={tabsOpened.map(tabName)} />
          <Facts label={t('closed')} facts={tabsClosed.map(tabName)} />
        </Part>
      )}
    </>
  );
}

/** Downloads, and cookies that were added, changed and removed. */
function Changed({
  receipt: { downloads = [], cookies = { added: [], changed: [], removed: [] } },
}: {
  receipt: Receipt;
}) {
  const t = useTranslations('receipt');
  const { added, changed, removed } = cookies;
  return (
    <>
      {downloads.length > 0 && (
        <Part title={t('downloads')}>
          {downloads.map(({ name, state }, index) => (
            <Facts key={index} label={t(`download.${state}`)} facts={[name]} />
          ))}
        </Part>
      )}
      {added.length + changed.length + removed.length > 0 && (
        <Part title={t('cookies')}>
          <Facts label={t('added')} facts={added} />
          <Facts label={t('changed')} facts={changed} />
          <Facts label={t('removed')} facts={removed} />
        </Part>
      )}
    </>
  );
}

function Refs({ receipt: { refs } }: { receipt: Receipt }) {
  const t = useTranslations('receipt');
  if (!refs || refs.kept + refs.rebound.length + refs.invalid.length === 0) return null;
  return (
    <Part title={t('refs')}>
      <Facts label={t('kept')} facts={refs.kept > 0 ? [String(refs.kept)] : []} />
      <Facts label={t('rebound')} facts={refs.rebound.map(({ ref, now }) => `${ref} → ${now}`)} />
      <Facts label={t('invalid')} facts={refs.invalid} />
    </Part>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h3 className="mb-1 text-xs font-medium text-ink-3">{title}</h3>
      {children}
    </section>
  );
}

/** A label with a list of short texts; nothing for an empty list. */
function Facts({ label, facts }: { label: string; facts: readonly string[] }) {
  if (facts.length === 0) return null;
  return (
    <p className="flex gap-2 text-sm">
      <span className="w-24 shrink-0 text-ink-2">{label}</span>
      <bdi className="min-w-0 font-mono text-xs leading-5 break-words">{facts.join(', ')}</bdi>
    </p>
  );
}

function Code({ before = false, children }: { before?: boolean; children: string }) {
  return (
    <p className="flex gap-1.5">
      {before && <ArrowRight aria-hidden className="mt-0.5 size-3.5 shrink-0 text-ink-3" />}
      <code dir="ltr" className="min-w-0 font-mono text-xs leading-5 break-all">
        {children}
      </code>
    </p>
  );
}

/** Text that the server wrote for the agent, in English. */
function Words({ children }: { children: string }) {
  return (
    <p lang="en" className="border-l-2 border-line-strong pl-2 text-sm text-ink-2">
      <q>{children}</q>
    </p>
  );
}

function tabName({ title, url }: Receipt['tabs'][number]): string {
  return title === '' ? url : title;
}
