'use client';

import { Popover } from 'radix-ui';
import { useEffect, useMemo, useRef, useState, type PointerEvent, type KeyboardEvent, type RefObject } from 'react';
import { useTranslations } from 'use-intl';
import { useCockpit } from '@/components/cockpit/cockpit-context';
import { useSessionClient } from '@/components/session-client/use-session-client';
import { Kbd } from '@/components/ui/kbd';
import type { XY } from '@/components/viewport/input/page-point';
import { pagePointAt } from '@/components/viewport/use-remote-input';
import { PAGE_PICTURE } from '@/components/viewport/viewport';
import type { Box, ElementView } from '@/lib/protocol/catalog';
import type { FrameMeta } from '@/lib/protocol/views';
import { commentsApi } from './api';
import { elementName } from './element-name';
import { CommentForm } from './comment-form';
import { boxBetween, boxByKey } from './drawn-box';
import { drawComment, selectThread } from './talk-state';

/** A drawn box, with the picture that it was drawn on. */
interface Drawn {
  readonly box: Box;
  readonly picture: FrameMeta;
  /** What was found under its middle. */
  readonly element?: ElementView | undefined;
}

/** Pixels of the window. */
const picture = () => document.getElementById(PAGE_PICTURE);

/**
 * Draws a box on the picture, by pointer, touch or arrow keys, and takes a comment on it. Lies over the page, which
 * gets no input meanwhile. `shown`: the painted picture.
 */
export function DrawTool({ tab, shown }: { tab: string; shown: RefObject<FrameMeta | undefined> }) {
  const t = useTranslations('talk');
  const { session } = useCockpit();
  const client = useSessionClient();
  const [box, setBox] = useState<Box>();
  const [drawn, setDrawn] = useState<Drawn>();
  const from = useRef<XY>(undefined);
  const cover = useRef<HTMLDivElement>(null);
  useEffect(() => cover.current?.focus(), []);
  const at = ({ clientX, clientY }: PointerEvent) => {
    const drawnOn = picture();
    return drawnOn ? pagePointAt(drawnOn, shown.current, clientX, clientY, from.current !== undefined) : undefined;
  };
  const finish = (last: Box) => {
    const meta = shown.current;
    if (!meta) return;
    const next: Drawn = { box: last, picture: meta };
    setBox(last);
    setDrawn(next);
    const middle = { x: last.x + last.width / 2, y: last.y + last.height / 2 };
    // Without an answer the comment is on the place alone.
    void client
      .request('element.at', { session: session.id, tab, ...middle, geometry: meta.geometry })
      .then(({ element }) => element && setDrawn((now) => (now?.box === last ? { ...next, element } : now)))
      .catch(() => undefined);
  };
  const pressed = (event: PointerEvent<HTMLDivElement>) => {
    const start = at(event);
    if (!start || event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    from.current = start;
  };
  const moved = (event: PointerEvent) => {
    const to = from.current && at(event);
    if (from.current && to && shown.current) setBox(boxBetween(from.current, to, shown.current));
  };
  const released = (event: PointerEvent) => {
    const to = at(event);
    if (from.current && to && shown.current) finish(boxBetween(from.current, to, shown.current));
    from.current = undefined;
  };
  const onKeys = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget || !shown.current) return;
    const next = boxByKey(box, event.key, event.shiftKey, shown.current);
    if (next) setBox(next);
    else if (event.key === 'Enter' && box) finish(box);
    else if (event.key === 'Escape') drawComment(false);
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
        className="absolute inset-0 z-[6] cursor-crosshair touch-none overflow-clip outline-none"
        onPointerDown={pressed}
        onPointerMove={moved}
        onPointerUp={released}
        onPointerCancel={() => (from.current = undefined)}
        onKeyDown={onKeys}
      >
        {!drawn && <Hint />}
        {box && shown.current && <DrawnBox box={box} page={shown.current} cover={cover} />}
      </div>
      {/* Not within the cover, which would get its presses. */}
      {drawn && <Write tab={tab} drawn={drawn} />}
    </>
  );
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

/** Where a box of the page is drawn, pixels of the window. */
function placeOf(box: Box, page: FrameMeta): DOMRect {
  const drawnOn = picture()?.getBoundingClientRect() ?? new DOMRect();
  const scale = drawnOn.width / page.width;
  return new DOMRect(drawnOn.left + box.x * scale, drawnOn.top + box.y * scale, box.width * scale, box.height * scale);
}

function DrawnBox({ box, page, cover }: { box: Box; page: FrameMeta; cover: RefObject<HTMLElement | null> }) {
  const { left, top, width, height } = placeOf(box, page);
  const around = cover.current?.getBoundingClientRect() ?? new DOMRect();
  return (
    <div
      aria-hidden
      className="pointer-events-none absolute rounded-sm border-2 border-focus bg-focus/10"
      style={{ left: left - around.left, top: top - around.top, width, height }}
    />
  );
}

/** The text for the box, beside it. A new box can be drawn while the text stays. */
function Write({ tab, drawn: { box, picture: page, element } }: { tab: string; drawn: Drawn }) {
  const t = useTranslations('talk');
  const { session } = useCockpit();
  const anchor = useMemo(() => ({ current: { getBoundingClientRect: () => placeOf(box, page) } }), [box, page]);
  const close = () => drawComment(false);
  const name = element && elementName(element);
  const send = async (text: string) => {
    const { geometry, scrollX: x, scrollY: y } = page;
    const ref = element?.ref;
    const aim = { box, geometry, scroll: { x, y }, ...(ref !== undefined && { ref }) };
    selectThread((await commentsApi.add(session.id, tab, { text, ...aim })).id);
    close();
  };
  return (
    <Popover.Root open onOpenChange={(open) => !open && close()}>
      <Popover.Anchor virtualRef={anchor} />
      <Popover.Portal>
        <Popover.Content
          aria-label={t('box')}
          align="start"
          sideOffset={8}
          collisionPadding={8}
          className="z-40 w-[min(340px,calc(100vw-16px))] animate-rise rounded-lg border border-line-strong bg-raised p-3 shadow-pop"
          onInteractOutside={(event) => event.preventDefault()}
        >
          <CommentForm
            autoFocus
            label={t('onBox')}
            word={t('send')}
            about={
              name !== undefined && (
                <p className="truncate rounded-sm bg-sel px-2 py-0.5 text-xs text-ink-2">
                  <bdi>{name}</bdi>
                </p>
              )
            }
            onSend={send}
            onCancel={close}
          />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
