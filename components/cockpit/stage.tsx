'use client';

import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { toast } from '@/components/ui/toast';
import { writeClipboard } from '@/components/ui/use-copy';
import { useProblemToast } from '@/components/ui/use-problem';
import { PrivateCover } from '@/components/ui/private-cover';
import { AgentMarks } from '@/components/viewport/agent-marks';
import { LEAVE_CHORDS } from '@/components/viewport/input/keys';
import { HelpRequestOutline } from '@/components/help/help-request-outline';
import { ElementOutline } from '@/components/viewport/overlay-box';
import { Viewport, type PagePlacement } from '@/components/viewport/viewport';
import { isUnwell } from '@/components/wheel-state';
import { WheelhouseError } from '@/lib/errors/error';
import type { PopupView } from '@/lib/protocol/popup';
import type { StreamStatus, TabView } from '@/lib/protocol/views';
import { useCockpit } from './cockpit-context';
import { BrowserGone } from './browser-gone';
import { drivenHere } from './driven-here';
import { LeaveHint } from './leave-hint';
import { PagePopup } from './page-popup';
import { PageChooser } from './page-chooser';
import { PageDialog } from './page-dialog';
import { usePageDrop } from './page-drop';
import { StreamChip } from './stream-chip';
import { PrivateMark } from './private-mark';
import { PAGE_PANEL } from './tab-item';
import { TouchTools } from './touch-tools';
import { useOutlined } from '@/components/viewport/outlined';
import { useLeaveChord, useZoom } from './use-view';
import { WHEEL_BUTTON } from './wheel-button';
import { WheelOffer } from './wheel-offer';
import type { StreamSaid, StreamWord } from './stream-word';

/** Said over the picture too; a lost line is said by the banner. */
const SAID_HERE: ReadonlySet<StreamWord> = new Set<StreamWord>(['behind', 'lost', 'paused']);

export interface StageProps {
  tab: TabView;
  stream: StreamSaid;
  keysInPage: boolean;
  onStatus: (status: StreamStatus) => void;
  onKeysInPage: (inside: boolean) => void;
}

/** The page, framed in the colour of who may act, with what is drawn over it. */
export function PageStage({ tab, stream, keysInPage, onStatus, onKeysInPage }: StageProps) {
  const t = useTranslations('cockpit.page');
  const { session, live, mine, wheel, you, offered, offer, closeOffer } = useCockpit();
  const [zoom] = useZoom();
  const [chord] = useLeaveChord();
  const field = useRef<HTMLTextAreaElement>(null);
  const [said, setSaid] = useState('');
  const [popup, setPopup] = useState<{ seen: PopupView; at: PagePlacement }>();
  const closePopup = useCallback(() => {
    setPopup(undefined);
    if (window.matchMedia('(pointer: fine)').matches) field.current?.focus({ preventScroll: true });
  }, []);
  const refused = useInputRefused();
  const drop = usePageDrop();
  const outlined = useOutlined();
  const mounted = useEffectEvent(() => {
    if (keysInPage && mine) field.current?.focus({ preventScroll: true });
    else onKeysInPage(false);
  });
  // Another tab came to the front, such as a popup of this one: whoever was typing goes on there.
  useEffect(() => mounted(), []);
  const title = tab.title || tab.url;
  const asked = tab.control.questions?.[0]?.element;
  /** Not when it is the agent that gets nowhere: then the page goes on. */
  const unwell = isUnwell(wheel);
  const keys = LEAVE_CHORDS[chord].join('+');
  const leave = () => {
    document.getElementById(WHEEL_BUTTON)?.focus();
    setSaid(t('left'));
  };
  const focusChanged = (inside: boolean) => {
    onKeysInPage(inside && mine);
    if (inside && mine) drivenHere(session.id, true);
    if (inside && mine) setSaid(t('entered', { chord: keys }));
  };
  return (
    <div
      id={PAGE_PANEL}
      role="tabpanel"
      aria-labelledby={`tab-${tab.id}`}
      data-wheel={wheel.kind}
      className="relative min-h-0 min-w-0 flex-1 bg-bg p-3.5 max-sm:p-2"
    >
      <Viewport
        session={session.id}
        tab={tab.id}
        label={mine ? t('field', { title, chord: keys }) : t('fieldWatching', { title })}
        expected={session.viewport}
        zoom={zoom}
        drives={mine}
        epoch={tab.control.epoch}
        chord={chord}
        stale={stream.stale || unwell}
        field={field}
        onOffer={(at) => live && offer(tab.dialog || unwell ? undefined : at)}
        onLeave={leave}
        onCopied={(text) => void tellCopied(text, t)}
        onRefused={refused}
        {...(drop && { drop })}
        onPopup={(seen, at) => setPopup({ seen, at })}
        onStatus={onStatus}
        onFocusChange={focusChanged}
        placeholder={
          <p className="absolute inset-0 grid animate-shimmer place-items-center text-ink-3">{t('waiting')}</p>
        }
        overlays={(scale, page) => (
          <>
            {outlined && outlined.tab === tab.id && (
              <ElementOutline box={outlined.box} scale={scale}>
                <bdi>{outlined.name}</bdi>
              </ElementOutline>
            )}
            {asked && live && (
              <HelpRequestOutline
                key={asked.ref}
                session={session.id}
                tab={tab.id}
                element={asked}
                scale={scale}
                page={page}
              />
            )}
            {!mine && live && <AgentMarks session={session.id} tab={tab.id} you={you?.id} scale={scale} page={page} />}
          </>
        )}
      />
      {tab.control.private && !mine && live && <PrivateCover held={tab.control.private} />}
      {tab.control.private && mine && live && <PrivateMark />}
      {!live && <BrowserGone />}
      {SAID_HERE.has(stream.word) && live && !tab.control.private && !unwell && !tab.dialog && (
        <StreamChip
          said={stream}
          className="absolute top-6 left-1/2 z-10 -translate-x-1/2 rounded-full border border-line-strong bg-raised px-3 py-1 shadow-pop"
        />
      )}
      {/* Beside the picture, not in it: presses on the picture go to the page. */}
      {tab.dialog && live && <PageDialog key={tab.dialog.id} dialog={tab.dialog} url={tab.url} />}
      {/* A page that hangs takes no file, and on a phone the chooser would lie over what frees it. */}
      {tab.chooser && !tab.dialog && live && !unwell && (
        <PageChooser key={tab.chooser.id} chooser={tab.chooser} url={tab.url} />
      )}
      {popup && mine && (
        <PagePopup key={popup.seen.node.backendNodeId} popup={popup.seen} at={popup.at} onClose={closePopup} />
      )}
      {offered && live && <WheelOffer key={offered.count} at={offered.at} onClose={closeOffer} />}
      <LeaveHint keysInPage={keysInPage} />
      {live && !tab.dialog && !tab.chooser && (
        <TouchTools
          keysInPage={keysInPage}
          onKeyboard={mine ? () => (keysInPage ? field.current?.blur() : field.current?.focus()) : undefined}
        />
      )}
      <p role="status" className="sr-only">
        {said}
      </p>
    </div>
  );
}

/** Milliseconds in which one refusal is told for a whole burst of input. */
const TELL_EVERY_MS = 3_000;

/**
 * Tells that input was refused, once for a burst: a drag is many events. A page that just changed its size refuses
 * quietly: the next picture brings the new one.
 */
function useInputRefused(): (thrown: unknown) => void {
  const t = useTranslations('cockpit.page');
  const tell = useProblemToast();
  const last = useRef(Number.NEGATIVE_INFINITY);
  return (thrown) => {
    const quiet = thrown instanceof WheelhouseError && (thrown.code === 'ABORTED' || thrown.code === 'CONFLICT');
    if (quiet || performance.now() - last.current < TELL_EVERY_MS) return;
    last.current = performance.now();
    tell(t('inputRefused'), thrown);
  };
}

async function tellCopied(text: string, t: ReturnType<typeof useTranslations<'cockpit.page'>>): Promise<void> {
  if (text === '') toast.message(t('nothingCopied'));
  else if (await writeClipboard(text)) toast.success(t('copied'));
  else toast.message(t('copyFailed'), { description: text.slice(0, 2_000), duration: 20_000 });
}
