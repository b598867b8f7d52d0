'use client';

import { Popover } from 'radix-ui';
import { useEffect, useRef, type KeyboardEvent, type PointerEvent, type RefObject } from 'react';
import { useTranslations } from 'use-intl';
import { useCockpit } from '@/components/cockpit/cockpit-context';
import { useSessionClient } from '@/components/session-client/use-session-client';
import { isBusyTarget } from '@/components/shell/hotkeys';
import { Kbd } from '@/components/ui/kbd';
import type { XY } from '@/components/viewport/input/page-point';
import { pagePointAt } from '@/components/viewport/use-remote-input';
import { PAGE_PICTURE } from '@/components/viewport/viewport';
import type { Box } from '@/lib/protocol/catalog';
import type { FrameMeta } from '@/lib/protocol/views';
import { WheelhouseError } from '@/lib/errors/error';
import { commentsApi } from './api';
import { CommentForm } from './comment-form';
import { COMMENT_TOOL } from './comment-tool';
import { boxBetween, boxByKey, scrolledTo } from './drawn-box';
import { elementName } from './element-name';
import { OnPage } from './on-page';
import {
  changeDraft,
  discardDraft,
  draftOn,
  nameElement,
  selectThread,
  stopDrawing,
  useDraft,
  type Drawn,
} from './talk-state';

/**
 * Draws a box on the picture, by pointer, touch or arrow keys, and takes a comment on it. Lies over the page, which
 * gets no input meanwhile; `DrawnOutline` shows the box. `shown`: the painted picture.
 */
export function DrawTool({ tab, shown }: { tab: string; shown: RefObject<FrameMeta | undefined> }) {
  const t = useTranslations('talk');
  const { session } = useCockpit();
  const client = useSessionClient();
  const draft = draftOn.box(session.id, tab);
  const { drawn } = useDraft(draft);
  /** The drag: where it began, and what was drawn before it. */
  const drag = useRef<{ readonly from: XY; readonly before: Drawn | undefined }>(undefined);
  const cover = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isBusyTarget(document.activeElement)) cover.current?.focus();
    return focusTool;
  }, []);
  const at = ({ clientX, clientY }: PointerEvent) => {
    const picture = document.getElementById(PAGE_PICTURE);
    return picture ? pagePointAt(picture, shown.current, clientX, clientY, drag.current !== undefined) : undefined;
  };
  const put = (box: Box, picture: FrameMeta, done: boolean) => changeDraft(draft, { drawn: { box, picture, done } });
  const finish = (box: Box, picture: FrameMeta) => {
    put(box, picture, true);
    const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    // Without an answer the server looks for the element when it gets the comment.
    void client
      .request('element.at', { session: session.id, tab, ...middle, geometry: picture.geometry })
      .then(({ element }) => element && nameElement(draft, box, element))
      .catch(() => undefined);
  };
  const pressed = (event: PointerEvent<HTMLDivElement>) => {
    const from = at(event);
    if (!from || event.button !== 0 || !event.isPrimary) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    drag.current = { from, before: drawn };
  };
  const dragged = (event: PointerEvent, done: boolean) => {
    const to = event.isPrimary && drag.current && at(event);
    if (!to || !drag.current || !shown.current) return;
    const box = boxBetween(drag.current.from, to, shown.current);
    if (done) finish(box, shown.current);
    else put(box, shown.current, drawn?.done === true);
    if (done) drag.current = undefined;
  };
  const cancelled = () => {
    if (drag.current) changeDraft(draft, { drawn: drag.current.before });
    drag.current = undefined;
  };
  const onKeys = (event: KeyboardEvent) => {
    const picture = shown.current;
    if (event.target !== event.currentTarget || !picture) return;
    const box = drawn && scrolledTo(drawn.box, drawn.picture, picture);
    const next = boxByKey(box, event.key, event.shiftKey, picture);
    if (next) put(next, picture, drawn?.done === true);
    else if (event.key === 'Enter' && box) finish(box, picture);
    else if (event.key === 'Escape') stopDrawing(draft);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <>
      <div
        ref={cover}
        role="application"
        aria-label={t('drawKeys')}
        tabIndex={0}
        data-draw-tool
        className="absolute inset-0 z-[6] cursor-crosshair touch-none overflow-clip outline-none focus-visible:ring-2 focus-visible:ring-focus focus-visible:ring-inset"
        onPointerDown={pressed}
        onPointerMove={(event) => dragged(event, false)}
        onPointerUp={(event) => dragged(event, true)}
        onPointerCancel={cancelled}
        onKeyDown={onKeys}
      >
        {drawn?.done !== true && <Hint />}
      </div>
      {/* Not within the cover, which would get its presses. */}
      {drawn?.done === true && <Write tab={tab} drawn={drawn} />}
    </>
  );
}

/** Gives the focus to the button of the tool when it was in the tool, which is leaving. */
function focusTool(): void {
  const { activeElement: now } = document;
  if (now === document.body || now?.closest('[data-draw-tool]')) document.getElementById(COMMENT_TOOL)?.focus();
}

function Hint() {
  const t = useTranslations('talk');
  return (
    <p className="pointer-events-none absolute top-6 left-1/2 flex -translate-x-1/2 items-center gap-1.5 rounded-full border border-line-strong bg-raised px-3 py-1 text-xs font-medium whitespace-nowrap text-ink shadow-pop">
      {t('draw')}
      <span className="contents pointer-coarse:hidden">
        <Kbd keys={['Esc']} />
        {t('leave')}
      </span>
    </p>
  );
}

const OUTLINE = 'drawn-box';

/** The box that is being drawn on the shown page, over the picture, where it scrolls with the page. */
export function DrawnOutline({ tab, scale }: { tab: string; scale: number }) {
  const { session } = useCockpit();
  const { drawn } = useDraft(draftOn.box(session.id, tab));
  if (!drawn) return null;
  const { box, picture } = drawn;
  return (
    <OnPage scale={scale}>
      <div
        aria-hidden
        id={OUTLINE}
        className="absolute rounded-sm border-2 border-focus bg-focus/10"
        style={{
          left: (box.x + picture.scrollX) * scale,
          top: (box.y + picture.scrollY) * scale,
          width: box.width * scale,
          height: box.height * scale,
        }}
      />
    </OnPage>
  );
}

/** Where the drawn box is in the window. */
const ANCHOR = {
  current: {
    getBoundingClientRect: () => document.getElementById(OUTLINE)?.getBoundingClientRect() ?? new DOMRect(),
  },
};

/** The text for the box, beside it. A new box can be drawn while the text stays. */
function Write({ tab, drawn: { box, picture, element } }: { tab: string; drawn: Drawn }) {
  const t = useTranslations('talk');
  const { session } = useCockpit();
  const draft = draftOn.box(session.id, tab);
  const close = () => stopDrawing(draft);
  const name = element && elementName(element);
  const send = async (text: string) => {
    const { geometry, scrollX: x, scrollY: y } = picture;
    const ref = element?.ref;
    const aim = { box, geometry, scroll: { x, y }, ...(ref !== undefined && { ref }) };
    selectThread((await commentsApi.add(session.id, tab, { text, ...aim })).id);
  };
  return (
    <Popover.Root open>
      <Popover.Anchor virtualRef={ANCHOR} />
      <Popover.Portal>
        <Popover.Content
          aria-label={t('box')}
          data-draw-tool
          align="start"
          sideOffset={8}
          collisionPadding={8}
          updatePositionStrategy="always"
          className="z-40 w-[min(340px,calc(100vw-16px))] animate-rise rounded-lg border border-line-strong bg-raised p-3 shadow-pop"
          onOpenAutoFocus={(event) => isBusyTarget(document.activeElement) && event.preventDefault()}
          onInteractOutside={(event) => event.preventDefault()}
          // The form itself knows which Escape is for its names or for an input method.
          onEscapeKeyDown={(event) => event.preventDefault()}
        >
          <CommentForm
            draft={draft}
            label={t('onBox')}
            word={t('send')}
            about={
              name !== undefined && (
                <p className="truncate rounded-sm bg-sel px-2 py-0.5 text-xs text-ink-2">
                  <bdi>{name}</bdi>
                </p>
              )
            }
            why={(thrown) => (isConflict(thrown) ? t('drawAgain') : undefined)}
            onSend={send}
            onSent={close}
            onClose={close}
            onDiscard={() => {
              discardDraft(draft);
              close();
            }}
          />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

/** The page is another one than that of the picture that the box was drawn on. */
function isConflict(thrown: unknown): boolean {
  return thrown instanceof WheelhouseError && thrown.code === 'CONFLICT';
}
