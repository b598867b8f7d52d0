'use client';

import { useRef, type PointerEvent, type RefObject } from 'react';

interface PanHandlers {
  readonly onPointerDownCapture: (event: PointerEvent) => void;
  readonly onPointerMoveCapture: (event: PointerEvent) => void;
  readonly onPointerUpCapture: (event: PointerEvent) => void;
}

/** The middle button moves a picture that is larger than its box: the wheel turns the page in it, not the box. The page gets nothing of it. */
export function usePan(box: RefObject<HTMLElement | null>, on: boolean): PanHandlers {
  const held = useRef<{ x: number; y: number }>(undefined);
  return {
    onPointerDownCapture: (event) => {
      if (!on || event.button !== 1) return;
      event.preventDefault();
      event.stopPropagation();
      held.current = { x: event.clientX, y: event.clientY };
      box.current?.setPointerCapture(event.pointerId);
    },
    onPointerMoveCapture: (event) => {
      if (!held.current) return;
      event.stopPropagation();
      box.current?.scrollBy({ left: held.current.x - event.clientX, top: held.current.y - event.clientY, behavior: 'instant' });
      held.current = { x: event.clientX, y: event.clientY };
    },
    onPointerUpCapture: (event) => {
      if (!held.current || event.button !== 1) return;
      event.stopPropagation();
      held.current = undefined;
    },
  };
}
