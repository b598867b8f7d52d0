'use client';

import { useEffect, useEffectEvent, useRef, type PointerEvent, type RefObject } from 'react';

interface PanHandlers {
  readonly onPointerDownCapture: (event: PointerEvent) => void;
  readonly onPointerMoveCapture: (event: PointerEvent) => void;
  readonly onPointerUpCapture: (event: PointerEvent) => void;
}

type Place = { readonly x: number; readonly y: number };

/**
 * Scrolls a picture that is larger than its box, by the middle button or two fingers; wheel and one finger belong to
 * the page. The page gets nothing of a pan, because a second finger ends the touch of the first (`input/touch`).
 */
export function usePan(box: RefObject<HTMLElement | null>, on: boolean): PanHandlers {
  const held = useRef<Place>(undefined);
  const moveTo = (place: Place) => {
    if (held.current)
      box.current?.scrollBy({ left: held.current.x - place.x, top: held.current.y - place.y, behavior: 'instant' });
    held.current = place;
  };
  useFingers(box, on, moveTo, () => (held.current = undefined));
  return {
    onPointerDownCapture: (event) => {
      if (!on || event.button !== 1) return;
      event.preventDefault();
      event.stopPropagation();
      held.current = { x: event.clientX, y: event.clientY };
      box.current?.setPointerCapture(event.pointerId);
    },
    onPointerMoveCapture: (event) => {
      if (!held.current || event.pointerType === 'touch') return;
      event.stopPropagation();
      moveTo({ x: event.clientX, y: event.clientY });
    },
    onPointerUpCapture: (event) => {
      if (!held.current || event.button !== 1) return;
      event.stopPropagation();
      held.current = undefined;
    },
  };
}

function useFingers(
  box: RefObject<HTMLElement | null>,
  on: boolean,
  moveTo: (place: Place) => void,
  end: () => void,
): void {
  const move = useEffectEvent(moveTo);
  const over = useEffectEvent(end);
  useEffect(() => {
    const element = box.current;
    if (!on || !element) return;
    const moved = (event: TouchEvent) => {
      const [one, two] = event.touches;
      if (!one || !two) return;
      event.preventDefault();
      move({ x: (one.clientX + two.clientX) / 2, y: (one.clientY + two.clientY) / 2 });
    };
    const lifted = (event: TouchEvent) => event.touches.length < 2 && over();
    element.addEventListener('touchmove', moved, { passive: false });
    element.addEventListener('touchend', lifted);
    element.addEventListener('touchcancel', lifted);
    return () => {
      element.removeEventListener('touchmove', moved);
      element.removeEventListener('touchend', lifted);
      element.removeEventListener('touchcancel', lifted);
    };
  }, [box, on]);
}
