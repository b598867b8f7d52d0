'use client';

import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useConnection } from '@/components/session-client/use-session-client';
import { Button } from '@/components/ui/button';
import { ProblemNote } from '@/components/ui/problem-note';
import { Skeleton } from '@/components/ui/skeleton';
import { WheelhouseError } from '@/lib/errors/error';

const SLOW_MS = 2_000;
const TOO_LONG_MS = 10_000;
const NO_LIST = new WheelhouseError('TIMEOUT', { code: 'noListYet' });

/** Placeholder for the cards; after a while says what it waits for, and then what to do. */
export function WallSkeleton() {
  const t = useTranslations();
  const waited = useWaited();
  const { state } = useConnection();
  const online = state === 'online';
  return (
    <div aria-busy className="flex flex-col gap-4">
      <p role="status" className={waited === 'slow' ? 'text-ink-2' : 'sr-only'}>
        {online ? t('common.loading') : t('shell.connection.connecting')}
      </p>
      {waited === 'tooLong' && online && (
        <ProblemNote
          title={t('wall.failed.title')}
          thrown={NO_LIST}
          action={<Button onClick={() => window.location.reload()}>{t('common.reload')}</Button>}
        />
      )}
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-[repeat(auto-fill,minmax(300px,1fr))]">
        {Array.from({ length: 8 }, (_, index) => (
          <div key={index} className="overflow-hidden rounded-lg border border-line bg-panel">
            <Skeleton className="aspect-video rounded-none" />
            <div className="flex flex-col gap-2 p-3">
              <Skeleton className="h-4 w-3/5" />
              <Skeleton className="h-3.5 w-2/5" />
              <Skeleton className="h-3.5 w-4/5" />
            </div>
          </div>
        ))}
      </div>
    </div>
  );
}

function useWaited(): 'soon' | 'slow' | 'tooLong' {
  const [waited, setWaited] = useState<'soon' | 'slow' | 'tooLong'>('soon');
  useEffect(() => {
    const slow = setTimeout(() => setWaited('slow'), SLOW_MS);
    const tooLong = setTimeout(() => setWaited('tooLong'), TOO_LONG_MS);
    return () => {
      clearTimeout(slow);
      clearTimeout(tooLong);
    };
  }, []);
  return waited;
}
