'use client';

import { useTranslations } from 'use-intl';
import { ConnectionBanner } from '@/components/shell/connection-banner';
import { PageSignal } from '@/components/shell/page-signal';
import { sessionWheel } from '@/components/wheel-state';
import { useWheelWords } from '@/components/ui/wheel-chip';
import { CockpitProvider, type Cockpit as CockpitView } from './cockpit-context';
import { CockpitBody } from './cockpit-body';
import { GonePage, OpeningPage } from './cockpit-pages';
import { TopBar } from './top-bar';
import { useCockpitState } from './use-cockpit-state';
import { useFullScreen } from './use-view';

/** One session: its page, who has the wheel, and everything a person can do about it. */
export function Cockpit({ id }: { id: string }) {
  const state = useCockpitState(id);
  const { full } = useFullScreen();
  if (state.state === 'opening') return <OpeningPage />;
  if (state.state === 'gone') return <GonePage wasHere={state.wasHere} />;
  return (
    <CockpitProvider value={state.cockpit}>
      <Signal cockpit={state.cockpit} />
      <div className="flex h-dvh flex-col overflow-hidden">
        <ConnectionBanner />
        {!full && <TopBar />}
        <CockpitBody />
      </div>
    </CockpitProvider>
  );
}

/** The browser's own tab says who drives; first what needs somebody, in whatever tab of the session. */
function Signal({ cockpit: { session, you } }: { cockpit: CockpitView }) {
  const t = useTranslations('cockpit');
  const words = useWheelWords();
  const wheel = sessionWheel(session, you?.id);
  const urgent = wheel.kind === 'help' || wheel.kind === 'stuck';
  return (
    <PageSignal
      title={t(urgent ? 'titleUrgent' : 'title', { session: session.name, state: words(wheel) })}
      kind={wheel.kind}
    />
  );
}
