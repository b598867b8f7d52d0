'use client';

import { LoaderCircle } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { AccountFrame } from '@/components/account/account-frame';
import { CockpitSignal } from '@/components/cockpit/cockpit';
import { CockpitBody } from '@/components/cockpit/cockpit-body';
import { CockpitProvider } from '@/components/cockpit/cockpit-context';
import { useCockpitState } from '@/components/cockpit/use-cockpit-state';
import { useFullScreen } from '@/components/cockpit/use-view';
import { useLink } from '@/components/session-client/use-session-client';
import { ConnectionBanner } from '@/components/shell/connection-banner';
import { Notice } from '@/components/shell/notice';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { ProblemNote } from '@/components/ui/problem-note';
import { toast } from '@/components/ui/toast';
import { useTask } from '@/components/ui/use-task';
import type { LinkOffer, LinkRefusal } from '@/lib/links/link-terms';
import { useOpening, type Visit } from './use-opening';
import { GuestBar } from './guest-bar';

/** What somebody without an account sees of a session, by a share link (AU4). */
export function GuestPage({ link }: { link: string }) {
  const visit = useOpening(link);
  const offer = useLink();
  const { is } = visit;
  if (is.state === 'passcode') return <Passcode problem={is.problem} onOpen={visit.open} />;
  if (is.state === 'failed') return <Failed thrown={is.thrown} onAgain={() => void visit.open()} />;
  if (is.state === 'over') return <Over why={is.why} onAgain={() => void visit.open()} />;
  return is.state === 'in' && offer ? <Shared offer={offer} visit={visit} /> : <OpeningPage />;
}

/** The session, with the cockpit as far as the link goes. */
function Shared({ offer, visit }: { offer: LinkOffer; visit: Visit }) {
  const state = useCockpitState(offer.session);
  const { full } = useFullScreen();
  // Of a session that is gone, the next handshake says why.
  if (state.state !== 'here') return <OpeningPage />;
  const { session, you, mine, giveBack } = state.cockpit;
  // Who leaves on purpose does not keep the wheel from the others.
  const leave = () => (mine ? void giveBack('').then(visit.leave) : visit.leave());
  const grants = session.participants.find(({ id }) => id === you?.id)?.grants ?? offer.grants;
  return (
    <CockpitProvider value={state.cockpit}>
      <CockpitSignal cockpit={state.cockpit} />
      <div className="flex h-dvh flex-col overflow-hidden">
        <ConnectionBanner />
        {!full && (
          <GuestBar
            session={session.name}
            offer={offer}
            grants={grants}
            you={you}
            onRename={visit.rename}
            onLeave={leave}
          />
        )}
        <CockpitBody />
      </div>
    </CockpitProvider>
  );
}

/** Before this, a spinner would only flash. Milliseconds. */
const PATIENCE_MS = 300;

function OpeningPage() {
  const t = useTranslations('guest');
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <main id="content" className="grid min-h-dvh place-items-center p-6">
      <title>{`${t('title')} · Wheelhouse`}</title>
      <p role="status" className="flex items-center gap-2 text-ink-2">
        {late && (
          <>
            <LoaderCircle aria-hidden className="size-4 animate-spin" />
            {t('opening')}
          </>
        )}
      </p>
    </main>
  );
}

function Passcode({
  problem,
  onOpen,
}: {
  problem: 'wrong' | 'tooOften' | undefined;
  onOpen: (password: string) => Promise<void>;
}) {
  const t = useTranslations('guest.passcode');
  const task = useTask();
  const [password, setPassword] = useState('');
  return (
    <AccountFrame title={t('heading')} heading={t('heading')} lead={t('lead')}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (password !== '') void task.run(() => onOpen(password));
        }}
      >
        <Field
          autoFocus
          type="password"
          label={t('label')}
          value={password}
          maxLength={200}
          problem={problem && !task.busy ? t(problem) : undefined}
          onChange={(event) => setPassword(event.target.value)}
        />
        <Button type="submit" variant="primary" size="lg" busy={task.busy} disabled={password === ''}>
          {t('open')}
        </Button>
      </form>
    </AccountFrame>
  );
}

function Failed({ thrown, onAgain }: { thrown: unknown; onAgain: () => void }) {
  const t = useTranslations('guest');
  return (
    <Notice title={t('failed.heading')} heading={t('failed.heading')} lead={t('failed.lead')}>
      <ProblemNote className="mt-6" title={t('failed.what')} thrown={thrown} />
      <Button variant="primary" size="lg" className="mt-6" onClick={onAgain}>
        {t('again')}
      </Button>
    </Notice>
  );
}

/** Why the link shows nothing any more, or not now. */
function Over({ why, onAgain }: { why: LinkRefusal | 'left'; onAgain: () => void }) {
  const t = useTranslations('guest');
  // What was told before is about what they cannot see any more.
  useEffect(() => void toast.dismiss(), []);
  const reason = why === 'passcode' ? 'changed' : why;
  return (
    <Notice title={t('title')} heading={t(`over.${reason}.heading`)} lead={t(`over.${reason}.lead`)}>
      {(reason === 'full' || reason === 'left') && (
        <Button variant="primary" size="lg" className="mt-6" onClick={onAgain}>
          {t(reason === 'left' ? 'back' : 'again')}
        </Button>
      )}
    </Notice>
  );
}
