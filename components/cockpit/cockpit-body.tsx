'use client';

import { useState, type ReactNode, useEffect, useRef } from 'react';
import { Group, Panel, Separator, useDefaultLayout } from 'react-resizable-panels';
import { useTranslations } from 'use-intl';
import { SidePanel } from '@/components/panels/side-panel';
import { useConnection } from '@/components/session-client/use-session-client';
import { FollowBar } from '@/components/presence/follow-bar';
import { PHONE, useMedia } from '@/components/ui/use-media';
import { browserStorage } from '@/components/use-stored-choice';
import type { StreamStatus } from '@/lib/protocol/views';
import { useCommentsWatch } from '@/components/comments/use-comments';
import { AddressBar } from './address-bar';
import { useNoStrayDrops } from '@/components/files/use-file-drop';
import { useFilesWatch, useMayFiles } from '@/components/files/use-files';
import { BlockedNote } from './blocked-note';
import { CockpitKeys } from './cockpit-keys';
import { useCockpit } from './cockpit-context';
import { DownloadNotes } from './download-notes';
import { LeftBar } from './left-note';
import { IdleBar } from './idle-bar';
import { NetworkNote } from './network-note';
import { PauseBar } from './pause-bar';
import { PrivateBar } from './private-bar';
import { RestoredNote } from './restored-note';
import { PageStage } from './stage';
import { streamWord } from './stream-word';
import { TabStrip } from './tab-strip';
import { useFullScreen, usePanelOpen } from './use-view';
import { LeaseBar } from './lease-bar';
import { Plus } from 'lucide-react';
import { Button } from '@/components/ui/button';
import { BrowserGone } from './browser-gone';
import { useTabActions } from './use-tab-actions';
import { PAGE_PANEL } from './tab-item';

/** The cockpit below its top bar: tab strip, address bar, page, side panel, and the bars below them. */
export function CockpitBody() {
  const { session, tab } = useCockpit();
  const mayFiles = useMayFiles(session.id);
  useFilesWatch(session.id);
  useCommentsWatch(session.id);
  useNoStrayDrops();
  const connection = useConnection();
  const [status, setStatus] = useState<StreamStatus>();
  const [keysInPage, setKeysInPage] = useState(false);
  const { full } = useFullScreen();
  const [panelOpen, setPanelOpen] = usePanelOpen();
  const shown = status?.tab === tab?.id ? status : undefined;
  const stream = streamWord(connection.state, shown);
  const page = (
    <section className="flex size-full min-h-0 min-w-0 flex-col">
      {!full && <TabStrip />}
      {!full && <AddressBar panelOpen={panelOpen} onTogglePanel={() => setPanelOpen(!panelOpen)} />}
      <FollowBar />
      <RestoredNote />
      <NetworkNote />
      <BlockedNote />
      {tab ? (
        <PageStage
          key={tab.targetId ?? tab.id}
          tab={tab}
          stream={stream}
          keysInPage={keysInPage}
          onStatus={setStatus}
          onKeysInPage={setKeysInPage}
        />
      ) : (
        <NoTab />
      )}
    </section>
  );
  return (
    <>
      <CockpitKeys panelOpen={panelOpen} onPanel={setPanelOpen} />
      <main className="min-h-0 flex-1">{!full && panelOpen ? <WithPanel page={page} /> : page}</main>
      {mayFiles && <DownloadNotes />}
      <Bars>
        <IdleBar />
        <PauseBar />
        <PrivateBar />
        <LeftBar />
        <LeaseBar stream={stream} status={shown} keysInPage={keysInPage} />
      </Bars>
    </>
  );
}

/** In windows narrower than this the side panel starts smaller. */
const NARROW = '(max-width: 1199px)';

/**
 * The smallest height of the page's half on a phone while its person drives or the tab needs help. Less the tab strip
 * and the address bar, 57vh leave 45 % of the window to the page.
 */
const AT_WORK = '57vh';

/**
 * Puts the page beside the side panel, or above it on a phone. The browser stores the sizes of the two layouts
 * separately.
 */
function WithPanel({ page }: { page: ReactNode }) {
  const t = useTranslations('cockpit.view');
  const phone = useMedia(PHONE);
  const narrow = useMedia(NARROW);
  const { mine, lease } = useCockpit();
  const busy = mine || lease.kind === 'help' || lease.kind === 'stuck';
  const id = phone ? 'wh-cockpit-phone-2' : 'wh-cockpit';
  const { defaultLayout, onLayoutChanged } = useDefaultLayout({ id, storage: browserStorage });
  const side = phone
    ? { defaultSize: '38%', minSize: '48px', maxSize: '75%' }
    : { defaultSize: narrow ? '320px' : '400px', minSize: '280px', maxSize: '60%' };
  return (
    <Group
      key={id}
      id={id}
      orientation={phone ? 'vertical' : 'horizontal'}
      {...(defaultLayout && { defaultLayout })}
      onLayoutChanged={onLayoutChanged}
    >
      <Panel id="page" minSize={phone ? (busy ? AT_WORK : '25%') : '30%'}>
        {page}
      </Panel>
      <Separator
        aria-label={t('resizePanel')}
        className="bg-line transition-colors outline-offset-0 hover:bg-focus focus-visible:bg-focus data-[separator=active]:bg-focus data-[separator=hover]:bg-focus sm:w-px max-sm:h-px"
      />
      <Panel id="side" {...side}>
        <SidePanel />
      </Panel>
    </Group>
  );
}

/** The bars below the page. Sets the CSS variable `--bars` to their height, so that toasts appear above them. */
function Bars({ children }: { children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!box.current) return;
    const { style } = document.documentElement;
    const observer = new ResizeObserver((entries) =>
      style.setProperty('--bars', `${entries.at(-1)?.borderBoxSize[0]?.blockSize ?? 0}px`),
    );
    observer.observe(box.current);
    return () => {
      observer.disconnect();
      style.removeProperty('--bars');
    };
  }, []);
  return (
    <div ref={box} className="shrink-0">
      {children}
    </div>
  );
}

/** Replaces the page when the session has no open tab. */
function NoTab() {
  const t = useTranslations('cockpit');
  const { live } = useCockpit();
  const tabActions = useTabActions();
  if (!live) {
    return (
      <div id={PAGE_PANEL} className="relative flex-1 bg-bg">
        <BrowserGone />
      </div>
    );
  }
  return (
    <div id={PAGE_PANEL} className="grid flex-1 place-items-center bg-bg p-6 text-center">
      <div>
        <p className="text-md font-semibold">{t('page.noTab')}</p>
        {tabActions.mayOpen && (
          <>
            <p className="mt-1 text-ink-2">{t('page.noTabLead')}</p>
            <Button className="mt-4" onClick={() => void tabActions.open()}>
              <Plus aria-hidden />
              {t('tabs.new')}
            </Button>
          </>
        )}
      </div>
    </div>
  );
}
