'use client';

import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Cursors, usePointerShown } from '@/components/presence/cursors';
import { useMessageText } from '@/components/messages/use-message-text';
import { useLink } from '@/components/session-client/use-session-client';
import { toast } from '@/components/ui/toast';
import { writeClipboard } from '@/components/ui/use-copy';
import { useProblemToast } from '@/components/ui/use-problem';
import { PrivateCover } from '@/components/ui/private-cover';
import { AgentMarks } from '@/components/viewport/agent-marks';
import { LEAVE_CHORDS } from '@/components/viewport/input/keys';
import { HelpRequestOutline } from '@/components/help/help-request-outline';
import { ElementOutline } from '@/components/viewport/overlay-box';
import { Viewport, type PagePlacement } from '@/components/viewport/viewport';
import { isUnwell } from '@/components/lease-state';
import { WheelhouseError } from '@/lib/errors/error';
import type { PopupView } from '@/lib/protocol/popup';
import type { FrameMeta, StreamStatus, TabView } from '@/lib/protocol/views';
import { CommentMarks } from '@/components/comments/comment-marks';
import { useDrawTool } from '@/components/comments/comment-tool';
import { DrawnOutline, DrawTool } from '@/components/comments/draw-tool';
import { useCockpit } from './cockpit-context';
import { BrowserGone } from './browser-gone';
import { drivenHere } from './driven-here';
import { PagePopup } from './page-popup';
import { PageChooser } from './page-chooser';
import { PageDialog } from './page-dialog';
import { StreamChip } from './stream-chip';
import { PAGE_PANEL } from './tab-item';
import { TouchTools } from './touch-tools';
import { useOutlined } from '@/components/viewport/outlined';
import { useLeaveChord, useQuality, useZoom, CHORDS } from './use-view';
import { LEASE_BUTTON } from './lease-button';
import { LeaseOfferPopover } from './lease-offer-popover';
import type { StreamSaid, StreamWord } from './stream-word';
import { useMayFiles, useSendFiles } from '@/components/files/use-files';
import type { XY } from '@/components/viewport/input/page-point';
import { EyeOff, Lock, Keyboard } from 'lucide-react';
import { Kbd } from '@/components/ui/kbd';
import { Menu, MenuContent, MenuLabel, MenuRadioGroup, MenuRadioItem, MenuTrigger } from '@/components/ui/menu';

interface PageDrop {
  /** Text over the page while files are dragged over it. */
  readonly text: string;
  readonly dropped: (files: readonly File[], at: XY) => void;
}

/** Stream states that the picture shows as well; the connection banner shows a lost connection. */
const SAID_HERE: ReadonlySet<StreamWord> = new Set<StreamWord>(['behind', 'lost', 'paused']);

export interface StageProps {
  tab: TabView;
  stream: StreamSaid;
  keysInPage: boolean;
  onStatus: (status: StreamStatus) => void;
  onKeysInPage: (inside: boolean) => void;
}

/**
 * The page, framed in the colour of the lease, with its overlays: outlines, marks of the agent, dialogs, chooser,
 * popups, offer.
 */
export function PageStage({ tab, stream, keysInPage, onStatus, onKeysInPage }: StageProps) {
  const t = useTranslations('cockpit.page');
  const { session, live, mine, lease, you, offered, offer, closeOffer } = useCockpit();
  const [zoom] = useZoom();
  const [quality] = useQuality();
  const [chord] = useLeaveChord();
  const field = useRef<HTMLTextAreaElement>(null);
  const shown = useRef<FrameMeta>(undefined);
  const drawTool = useDrawTool();
  const [said, setSaid] = useState('');
  const [popup, setPopup] = useState<{ seen: PopupView; at: PagePlacement }>();
  // Also one whose answer comes late: behind a dialog the page takes no choice.
  if (popup && tab.dialog) setPopup(undefined);
  /** Whether keys went to the page before its popup took them. */
  const typing = useRef(false);
  const closePopup = useCallback(() => {
    setPopup(undefined);
    // A focused field would open the keyboard of a phone, which stays as it was.
    if (typing.current || window.matchMedia('(pointer: fine)').matches) field.current?.focus({ preventScroll: true });
  }, []);
  const refused = useInputRefused();
  const drop = usePageDrop();
  const onPointer = usePointerShown(tab.id);
  const outlined = useOutlined();
  const mounted = useEffectEvent(() => {
    if (keysInPage && mine) field.current?.focus({ preventScroll: true });
    else onKeysInPage(false);
  });
  // When another tab replaces this one, such as a popup, a person who was typing goes on in it.
  useEffect(() => mounted(), []);
  /** True when the page itself cannot be used; false when only the agent gets nowhere. */
  const unwell = isUnwell(lease);
  const guest = useLink() !== undefined;
  const hidesSecret = guest && stream.word === 'paused' && live && !tab.control.private && !unwell && !tab.dialog;
  const title = tab.title || tab.url;
  const asked = tab.control.questions?.[0]?.element;
  const keys = LEAVE_CHORDS[chord].join('+');
  const leave = () => {
    document.getElementById(LEASE_BUTTON)?.focus();
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
      data-lease={lease.kind}
      className="relative min-h-0 min-w-0 flex-1 bg-bg p-3.5 max-sm:p-2"
    >
      <Viewport
        session={session.id}
        tab={tab.id}
        label={mine ? t('field', { title, chord: keys }) : t('fieldWatching', { title })}
        expected={session.viewport}
        chromeMac={session.browser.mac === true}
        zoom={zoom}
        quality={quality}
        drives={mine}
        epoch={tab.control.epoch}
        chord={chord}
        stale={stream.stale || unwell}
        field={field}
        onPainted={(picture) => {
          shown.current = picture;
        }}
        onOffer={(at) => live && offer(tab.dialog || unwell ? undefined : at)}
        onLeave={leave}
        onCopied={(text) => void tellCopied(text, t)}
        onRefused={refused}
        {...(drop && { drop })}
        onPopup={(seen, at) => {
          typing.current = keysInPage;
          setPopup({ seen, at });
        }}
        onStatus={onStatus}
        onFocusChange={focusChanged}
        {...(onPointer && { onPointer })}
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
            {drawTool.may && <CommentMarks tab={tab.id} scale={scale} page={page} />}
            {drawTool.on && <DrawnOutline tab={tab.id} scale={scale} />}
            {live && !tab.control.private && !hidesSecret && <Cursors tab={tab.id} scale={scale} page={page} />}
            {!mine && live && <AgentMarks session={session.id} tab={tab.id} you={you?.id} scale={scale} page={page} />}
          </>
        )}
      />
      {tab.control.private && !mine && live && <PrivateCover held={tab.control.private} />}
      {tab.control.private && mine && live && <PrivateMark />}
      {!live && <BrowserGone />}
      {hidesSecret && <SecretCover />}
      {SAID_HERE.has(stream.word) && live && !hidesSecret && !tab.control.private && !unwell && !tab.dialog && (
        <StreamChip
          said={stream}
          className="absolute top-6 left-1/2 z-10 -translate-x-1/2 rounded-full border border-line-strong bg-raised px-3 py-1 shadow-pop"
        />
      )}
      {drawTool.on && <DrawTool tab={tab.id} shown={shown} />}
      {/* Beside the picture in the tree, because presses on the picture go to the page. */}
      {tab.dialog && live && <PageDialog key={tab.dialog.id} dialog={tab.dialog} url={tab.url} />}
      {/* A page that hangs accepts no file, and on a phone the chooser would cover the remedies. */}
      {tab.chooser && !tab.dialog && live && !unwell && (
        <PageChooser key={tab.chooser.id} chooser={tab.chooser} url={tab.url} />
      )}
      {popup && mine && (
        <PagePopup key={popup.seen.node.backendNodeId} popup={popup.seen} at={popup.at} onClose={closePopup} />
      )}
      {offered && live && <LeaseOfferPopover key={offered.count} at={offered.at} onClose={closeOffer} />}
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

/** Within this time only the first refusal of a burst of input is shown. Milliseconds. */
const TELL_EVERY_MS = 3_000;

/**
 * Shows that input was refused, once for a burst, since a drag is many events. Stale geometry (CONFLICT) and aborted
 * input are not shown: the next picture shows the new state.
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

/**
 * Handles files of this computer that are dropped on the picture: uploads them to the session, then drops them at that
 * place of the page (DI2). Undefined for participants without the right.
 */
function usePageDrop(): PageDrop | undefined {
  const t = useTranslations('files');
  const { session, tab, mayAct, live, act, offer } = useCockpit();
  const may = useMayFiles(session.id);
  const send = useSendFiles(session.id);
  if (!may || !live || !tab) return undefined;
  const dropped = async (files: readonly File[], at: XY) => {
    if (!mayAct) return offer();
    const sent = await send(files);
    if (sent.length > 0) await act({ kind: 'upload', ...(tab.chooser ? {} : { at }), paths: sent }, t('giveFailed'));
  };
  return { text: t(mayAct ? 'dropOnPage' : 'dropNeedsLease'), dropped: (files, at) => void dropped(files, at) };
}

/** Covers the last picture of a guest while the page shows what members type into secret fields (AU4). */
function SecretCover() {
  const say = useMessageText();
  return (
    <div className="absolute inset-0 z-[5] grid place-items-center overflow-auto bg-panel p-4 text-center">
      <div role="status" className="flex max-w-md flex-col items-center gap-2">
        <span data-lease="human" className="grid size-12 place-items-center rounded-full bg-lease-soft text-lease">
          <EyeOff aria-hidden className="size-5" />
        </span>
        <p className="text-md font-semibold text-balance">{say({ code: 'secretShown' })}</p>
      </div>
    </div>
  );
}

/** Marks the holder's own picture as private. Presses go through to the page. */
function PrivateMark() {
  const t = useTranslations('cockpit.private');
  return (
    <p
      data-lease="human"
      className="pointer-events-none absolute top-6 left-1/2 z-10 flex -translate-x-1/2 items-center max-sm:hidden gap-1.5 rounded-full bg-lease px-3 py-1 text-xs font-semibold whitespace-nowrap text-on-lease shadow-pop"
    >
      <Lock aria-hidden className="size-3.5 shrink-0" />
      {t('sign')}
    </p>
  );
}

/**
 * Says that the keys go to the page and which keys leave it. Opens a menu to choose other keys; it stays while the menu
 * is open, although the menu has the keyboard then.
 */
function LeaveHint({ keysInPage }: { keysInPage: boolean }) {
  const t = useTranslations('cockpit.page');
  const [chord, choose] = useLeaveChord();
  const [open, setOpen] = useState(false);
  if (!keysInPage && !open) return null;
  return (
    <Menu open={open} onOpenChange={setOpen}>
      <MenuTrigger>
        <button
          type="button"
          aria-label={t('chord')}
          className="absolute right-3 bottom-3 z-10 inline-flex animate-fade items-center gap-2 rounded-full border border-line-strong bg-raised py-1 pr-3 pl-2.5 text-xs font-medium text-ink-2 shadow-pop hover:text-ink pointer-coarse:hidden"
        >
          <Keyboard aria-hidden className="size-3.5" />
          <span className="max-lg:hidden">{t('keysHere')} ·</span>
          <Kbd keys={LEAVE_CHORDS[chord]} />
          {t('toLeave')}
        </button>
      </MenuTrigger>
      <MenuContent side="top">
        <MenuLabel>{t('chord')}</MenuLabel>
        <MenuRadioGroup value={chord} onValueChange={choose}>
          {CHORDS.map((name) => (
            <MenuRadioItem key={name} value={name}>
              <Kbd keys={LEAVE_CHORDS[name]} />
            </MenuRadioItem>
          ))}
        </MenuRadioGroup>
      </MenuContent>
    </Menu>
  );
}
