'use client';

import { useRef, useState, type ReactNode, type RefObject, useEffect } from 'react';
import { useSessionClient } from '@/components/session-client/use-session-client';
import { cn } from '@/components/ui/cn';
import { useIsMac } from '@/components/ui/kbd';
import { fillScale, fitPicture, type Size } from '@/lib/geometry/picture';
import { usePan } from './use-pan';
import { pagePointAt, useRemoteInput } from './use-remote-input';
import { useStream } from './use-stream';
import { useFileDrop } from '@/components/files/use-file-drop';
import type { XY } from './input/page-point';
import type { TargetedInput } from './input/outbox';
import type { LeaveChord } from './input/keys';
import type { PopupView } from '@/lib/protocol/popup';
import type { FrameMeta, StreamStatus } from '@/lib/protocol/views';
import type { TierChoice } from '@/lib/stream/quality';

/** Id of the field that takes the keyboard for the page. */
export const PAGE_FIELD = 'page-field';

/** Id of the picture's element, as large as the page is shown. */
export const PAGE_PICTURE = 'page-picture';

/** `fill`: as high as the box, so that a wide page on a narrow screen overflows and is panned. */
export type Zoom = 'fit' | 'fill' | 'actual';

/** Where the page is shown, pixels of the window. */
export interface PagePlacement {
  readonly left: number;
  readonly top: number;
  /** Pixels of the window that one CSS pixel of the page takes. */
  readonly scale: number;
}

export interface ViewportProps {
  session: string;
  tab: string;
  /** Label of the keyboard field for screen readers, with how to leave it. */
  label: string;
  /** Size of the page until the first picture, CSS pixels. */
  expected: Size;
  /** Its Chrome runs on a Mac. */
  chromeMac: boolean;
  zoom: Zoom;
  quality: TierChoice;
  drives: boolean;
  epoch: number;
  chord: LeaveChord;
  /** The picture no longer shows the page as it is. */
  stale: boolean;
  field: RefObject<HTMLTextAreaElement | null>;
  /** Called with each painted picture. */
  onPainted: (picture: FrameMeta) => void;
  /** A person who does not drive clicked `at` a point of the window, or pressed a key. */
  onOffer: (at?: XY) => void;
  onLeave: () => void;
  onCopied: (text: string) => void;
  onRefused: (thrown: unknown) => void;
  /** A press opened a popup that is not in the picture (DI3). `at`: where the page is shown, pixels of the window. */
  onPopup: (popup: PopupView, at: PagePlacement) => void;
  onStatus: (status: StreamStatus) => void;
  /**
   * Takes files that are dropped on the page, at CSS pixels of its viewport; `text` is shown over the page while they
   * are dragged.
   */
  drop?: { readonly text: string; readonly dropped: (files: readonly File[], at: XY) => void };
  onFocusChange: (focused: boolean) => void;
  /**
   * The pointer, or a finger, of a person who does not drive moved, to CSS pixels of the page; null: it left the page.
   */
  onPointer?: (at: XY | null) => void;
  /** Draws over the picture. `scale`: screen pixels per CSS pixel of the page. */
  overlays: (scale: number, page: Size) => ReactNode;
  /** Shown until the first picture. */
  placeholder: ReactNode;
}

/** Shows the page's stream, fitted or at full size, and sends the person's input to the page. */
export function Viewport(props: ViewportProps) {
  const { session, tab, expected, zoom, drives, epoch, stale, field } = props;
  const client = useSessionClient();
  const clientMac = useIsMac();
  const box = useRef<HTMLDivElement>(null);
  const picture = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const shown = useRef<FrameMeta>(undefined);
  const [seen, setSeen] = useState<Size>();
  const moves = zoom !== 'fit';
  const pan = usePan(box, moves);
  const boxSize = useBoxSize(box);
  const page = seen ?? expected;
  const scale =
    zoom === 'actual' || !boxSize ? 1 : zoom === 'fill' ? fillScale(page, boxSize) : fitPicture(page, boxSize).scale;

  const painted = (meta: FrameMeta) => {
    if (picture.current) placeOnPage(picture.current, shown.current, meta);
    shown.current = meta;
    props.onPainted(meta);
    if (seen?.width !== meta.width || seen.height !== meta.height) setSeen({ width: meta.width, height: meta.height });
  };
  const send = async ({ geometry, event }: TargetedInput) => {
    try {
      const { popup } = await client.request('input', { session, tab, epoch, geometry, event });
      const drawn = picture.current?.getBoundingClientRect();
      if (popup && drawn) props.onPopup(popup, { left: drawn.left, top: drawn.top, scale });
    } catch (thrown) {
      props.onRefused(thrown);
    }
  };
  const copy = async (cut: boolean) => {
    await client
      .request('copy', { session, tab, epoch, cut })
      .then(({ text }) => props.onCopied(text), props.onRefused);
  };
  const shownSize = seen && boxSize && { width: Math.round(seen.width * scale), dpr: window.devicePixelRatio };
  useStream(canvas, {
    session,
    tab,
    tier: props.quality,
    size: shownSize,
    open: true,
    onPainted: painted,
    onStatus: props.onStatus,
  });
  useRemoteInput({
    picture,
    field,
    shown,
    drives,
    epoch,
    keyboards: { clientMac, chromeMac: props.chromeMac },
    chord: props.chord,
    send,
    onLeave: props.onLeave,
    onOffer: props.onOffer,
    onPoint: (at) => props.onPointer?.(at),
    onCopy: (cut) => void copy(cut),
  });

  const { over, handlers } = useFileDrop((files, { clientX, clientY }) => {
    const at = picture.current && pagePointAt(picture.current, shown.current, clientX, clientY, false);
    if (at && files.length > 0) props.drop?.dropped(files, at);
  });

  return (
    <div
      ref={box}
      {...pan}
      className={cn(
        'grid size-full min-h-0 min-w-0',
        moves ? 'items-start justify-items-[safe_center] overflow-auto p-1.5' : 'items-start justify-items-center',
      )}
    >
      <div
        ref={picture}
        id={PAGE_PICTURE}
        {...(props.drop && handlers)}
        className={cn(
          'relative isolate overflow-clip rounded-sm bg-panel outline-3 outline-offset-3 outline-lease select-none in-data-[lease=idle]:outline-line-strong has-[textarea:focus]:shadow-[0_0_0_3px_var(--focus)]',
          // A larger picture is panned by the browser; over one that fits, a finger points.
          drives ? 'touch-none' : !moves && 'touch-pinch-zoom',
          drives ? 'cursor-default' : 'cursor-pointer',
        )}
        style={{ width: page.width * scale, height: page.height * scale }}
      >
        {!seen && props.placeholder}
        <canvas
          ref={canvas}
          aria-hidden
          className={cn(
            'pointer-events-none block size-full transition-[opacity,filter]',
            stale && 'opacity-45 grayscale',
          )}
        />
        <textarea
          ref={field}
          id={PAGE_FIELD}
          aria-label={props.label}
          readOnly={!drives}
          autoCapitalize="off"
          autoComplete="off"
          autoCorrect="off"
          spellCheck={false}
          className="pointer-events-none absolute top-0 left-0 size-px resize-none overflow-hidden border-0 p-0 text-lg opacity-0 outline-none"
          onFocus={() => props.onFocusChange(true)}
          onBlur={() => props.onFocusChange(false)}
        />
        {props.overlays(scale, page)}
        {props.drop && over && (
          <p className="pointer-events-none absolute inset-0 grid place-items-center border-2 border-dashed border-focus bg-panel/70 p-4 text-center font-semibold">
            {props.drop.text}
          </p>
        )}
      </div>
    </div>
  );
}

/** Tells the overlays which part of the page the picture shows: CSS variables, in CSS pixels of the page. */
function placeOnPage({ style }: HTMLElement, before: FrameMeta | undefined, { scrollX, scrollY }: FrameMeta): void {
  if (before?.scrollX !== scrollX) style.setProperty('--page-x', `${scrollX}px`);
  if (before?.scrollY !== scrollY) style.setProperty('--page-y', `${scrollY}px`);
}

/** The inner size of an element in CSS pixels, kept current; undefined until measured. */
function useBoxSize(element: RefObject<HTMLElement | null>): Size | undefined {
  const [size, setSize] = useState<Size>();
  useEffect(() => {
    if (!element.current) return;
    const observer = new ResizeObserver((entries) => {
      const box = entries.at(-1)?.contentRect;
      if (box) setSize({ width: box.width, height: box.height });
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return size;
}
