'use client';

import { Info } from 'lucide-react';
import { useCallback, useEffect, useId, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { AttentionNote } from '@/components/ui/attention-note';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { ProblemNote } from '@/components/ui/problem-note';
import { useTask } from '@/components/ui/use-task';
import { useLoaded } from '@/components/use-loaded';
import { linksApi } from './api';
import type { NewLink } from '@/lib/links/link-view';
import { LinkFields, useTerms } from './link-fields';
import { LinkList } from './link-list';
import { MadeLinkView } from './made-link';

/** Who is here by a link shows within this time. Milliseconds. */
const LOOK_EVERY_MS = 3_000;

export interface ShareDialogProps {
  session: { readonly id: string; readonly name: string };
  /** The tab that can be shared alone. */
  tab?: string | undefined;
  /** The reader's own grants in the session. */
  grants: readonly string[];
  returnFocus?: () => HTMLElement | null;
  onClose: () => void;
}

/**
 * Makes share links of a session, and shows those in force (AU4). Mounted only while open: closing forgets the address.
 */
export function ShareDialog({ session: { id, name }, tab, grants, returnFocus, onClose }: ShareDialogProps) {
  const t = useTranslations('share');
  const task = useTask();
  const form = useId();
  const [latest, setLatest] = useState<NewLink>();
  /** A slow answer is waited for: the next look would drop it. */
  const looking = useRef(false);
  const look = useCallback(() => {
    looking.current = true;
    return linksApi.list(id).finally(() => {
      looking.current = false;
    });
  }, [id]);
  const { data, error, reload } = useLoaded(look);
  const over = data?.links.some((link) => link.id === latest?.id && link.ended !== null);
  const made = over ? undefined : latest;
  useEffect(() => {
    const timer = setInterval(() => !document.hidden && !looking.current && reload(), LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, [reload]);
  const terms = useTerms();
  const make = () =>
    void task.run(
      () => linksApi.make(id, terms.request(tab)),
      (link) => {
        setLatest(link);
        reload();
      },
    );
  return (
    <Dialog
      open
      onOpenChange={onClose}
      {...(returnFocus && { returnFocus })}
      title={<bdi>{t('title', { name })}</bdi>}
      description={t('lead')}
      footer={
        made ? (
          <>
            <Button onClick={() => setLatest(undefined)}>{t('another')}</Button>
            <Button variant="primary" onClick={onClose}>
              {t('done')}
            </Button>
          </>
        ) : (
          <Button type="submit" form={form} variant="primary" busy={task.busy} disabled={!terms.usable}>
            {t('make')}
          </Button>
        )
      }
    >
      <div className="flex flex-col gap-5">
        {data?.reach === 'this-computer' && <OnlyHere />}
        {made ? (
          <MadeLinkView link={made} />
        ) : (
          <form
            id={form}
            className="flex flex-col gap-5"
            onSubmit={(event) => {
              event.preventDefault();
              if (terms.usable) make();
            }}
          >
            <LinkFields terms={terms} tabs={tab !== undefined} grants={grants} />
          </form>
        )}
        {task.error !== undefined && <ProblemNote title={t('makeFailed')} thrown={task.error} />}
        {data && data.links.length > 0 && (
          <div className="border-t border-line pt-4">
            <LinkList session={id} links={data.links} grants={grants} onChanged={reload} />
          </div>
        )}
        {!data && error !== undefined && <ProblemNote title={t('failed')} thrown={error} />}
      </div>
    </Dialog>
  );
}

/** On a server that only its own computer reaches. */
function OnlyHere() {
  const t = useTranslations('share');
  return (
    <AttentionNote role="note" icon={Info}>
      <div className="min-w-0">
        <p className="font-medium text-human">{t('onlyHere')}</p>
        <p className="mt-0.5 text-xs text-ink-2">{t('onlyHereCure')}</p>
      </div>
    </AttentionNote>
  );
}
