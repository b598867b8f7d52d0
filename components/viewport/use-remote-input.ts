'use client';

import { useEffect, useEffectEvent, useRef, type RefObject } from 'react';
import { toPagePoint } from './input/page-point';
import { KeyboardSource } from './input/keyboard-source';
import { Outbox, type TargetedInput } from './input/outbox';
import type { XY } from './input/page-point';
import { PointerSource } from './input/pointer-source';
import type { Keyboards, LeaveChord } from './input/keys';
import type { FrameMeta } from '@/lib/protocol/views';
import type { InputEvent } from '@/lib/protocol/input';

export interface RemoteInputOptions {
  /** The element that takes pointer events: the picture, as large as the page is shown. */
  readonly picture: RefObject<HTMLElement | null>;
  /** The field that takes the keyboard. */
  readonly field: RefObject<HTMLTextAreaElement | null>;
  /** Metadata of the painted picture; its geometry number is sent with each input (FR4). */
  readonly shown: RefObject<FrameMeta | undefined>;
  readonly drives: boolean;
  /** The epoch of the lease that this person holds. */
  readonly epoch: number;
  readonly keyboards: Keyboards;
  readonly chord: LeaveChord;
  /** Sends one input; must not reject. */
  readonly send: (aimed: TargetedInput) => Promise<void>;
  readonly onLeave: () => void;
  /** A person who does not drive pressed the picture, or a key (without a point). */
  readonly onOffer: (at?: XY) => void;
  /**
   * The pointer, or a finger, of a person who does not drive moved, to CSS pixels of the page; null: it left the page.
   */
  readonly onPoint: (at: XY | null) => void;
  readonly onCopy: (cut: boolean) => void;
}

/** Sends pointer, keyboard, compositions, pastes and touch over the picture to the page while `drives` (AC4, CO11). */
export function useRemoteInput(options: RemoteInputOptions): void {
  const { picture, field, shown, drives, epoch } = options;
  const state = useRef(options);
  useEffect(() => {
    state.current = options;
  });
  const onOffer = useEffectEvent((at?: XY) => options.onOffer(at));
  const onPoint = useEffectEvent((at: XY | null) => options.onPoint(at));
  const onLeave = useEffectEvent(() => options.onLeave());
  const onCopy = useEffectEvent((cut: boolean) => options.onCopy(cut));
  const parts = useRef<{ outbox: Outbox; pointer: PointerSource; keyboard: KeyboardSource }>(undefined);

  useEffect(() => {
    const [box, text] = [picture.current, field.current];
    if (!box || !text) return;
    const outbox = new Outbox({
      send: (aimed) => state.current.send(aimed),
      nextFrame: (flush) => void requestAnimationFrame(flush),
    });
    const push = (event: InputEvent) => outbox.push({ geometry: shown.current?.geometry ?? 0, event });
    const scale = () => box.getBoundingClientRect().width / (shown.current?.width ?? 1);
    const pointer = new PointerSource(box, {
      toPage: (x, y, held) => pagePointAt(box, shown.current, x, y, held),
      scale,
      pageHeight: () => shown.current?.height ?? 0,
      push,
      drives: () => state.current.drives && shown.current !== undefined,
      onOffer,
      onPoint,
      onPress: (x, y) => focusAt(box, text, x, y),
      now: () => performance.now(),
    });
    const keyboard = new KeyboardSource(text, {
      push,
      // Keys are not aimed at a picture, so they need not wait for the first.
      drives: () => state.current.drives,
      keyboards: () => state.current.keyboards,
      chord: () => state.current.chord,
      onLeave,
      onOffer: () => onOffer(),
      onCopy,
    });
    const away = () => {
      keyboard.releaseAll();
      pointer.releaseAll();
    };
    window.addEventListener('blur', away);
    parts.current = { outbox, pointer, keyboard };
    return () => {
      window.removeEventListener('blur', away);
      pointer.dispose();
      keyboard.dispose();
    };
  }, [picture, field, shown]);

  useEffect(() => {
    const { outbox, pointer, keyboard } = parts.current ?? {};
    return () => {
      outbox?.clear();
      pointer?.forget();
      keyboard?.forget();
    };
  }, [drives, epoch]);
}

/** Converts a point of the window into CSS pixels of the page that the box shows. */
export function pagePointAt(box: HTMLElement, meta: FrameMeta | undefined, x: number, y: number, held: boolean) {
  if (!meta) return undefined;
  const rect = box.getBoundingClientRect();
  const placement = { left: rect.left, top: rect.top, scale: rect.width / meta.width };
  return toPagePoint({ x, y }, placement, meta, held);
}

/** Focuses the field at the pressed point: input methods open their list there. */
function focusAt(box: HTMLElement, field: HTMLTextAreaElement, x: number, y: number): void {
  const rect = box.getBoundingClientRect();
  field.style.left = `${Math.round(x - rect.left)}px`;
  field.style.top = `${Math.round(y - rect.top)}px`;
  field.focus({ preventScroll: true });
}
