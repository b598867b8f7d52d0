'use client';

import { useEffect, type CSSProperties, type ReactNode, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Action } from '@/lib/actions/kinds';
import type { PagePlacement } from '@/components/viewport/viewport';
import type { PopupView, SelectPopup, FieldPopup } from '@/lib/protocol/popup';
import { useCockpit } from './cockpit-context';
import { OptionList } from './option-list';
import { useFocusBack } from './use-focus-back';
import { Button } from '@/components/ui/button';
import { TextBox } from '@/components/ui/field';

interface PagePopupProps {
  popup: PopupView;
  at: PagePlacement;
  onClose: () => void;
}

/**
 * Distance from the edges of the window, smallest width, and the height below which the popup opens upwards. Pixels.
 */
const EDGE = 8;
const LEAST_WIDTH = 160;
const ROOM = 180;

/**
 * Draws the popup that Chrome would draw outside of the picture (DI3): the options of a select, or a picker. The choice
 * is made by the same actions that agents use. On a phone it is a sheet at the bottom edge.
 */
export function PagePopup({ popup, at, onClose }: PagePopupProps) {
  const t = useTranslations('cockpit.popup');
  const { act } = useCockpit();
  // Before a dialog that closes it takes the focus, which goes back to the page after both.
  useFocusBack();
  const give = (action: Action) => {
    onClose();
    void act(action, t('failed'));
  };
  useEffect(() => {
    // After a resize the popup would stand at the wrong place.
    window.addEventListener('resize', onClose);
    return () => window.removeEventListener('resize', onClose);
  }, [onClose]);
  return (
    <Layer onClose={onClose}>
      <div
        role="dialog"
        aria-label={popup.label === '' ? t(popup.sort === 'select' ? 'options' : popup.sort) : popup.label}
        style={placeBy(popup, at)}
        className="fixed z-40 flex max-h-[min(60dvh,320px)] animate-rise flex-col overflow-hidden rounded-md border border-line-strong bg-raised shadow-pop max-sm:inset-x-0! max-sm:top-auto! max-sm:bottom-0! max-sm:w-full! max-sm:max-w-none! max-sm:rounded-b-none"
        onKeyDown={(event) => {
          event.stopPropagation();
          if (event.key !== 'Escape' && event.key !== 'Tab') return;
          event.preventDefault();
          onClose();
        }}
      >
        {popup.sort === 'select' ? (
          <OptionList
            popup={popup}
            onChoose={(index) => give({ kind: 'select', node: popup.node, ...chosenBy(popup, index) })}
          />
        ) : (
          <FieldPicker
            popup={popup}
            onSet={(value) => give({ kind: 'type', node: popup.node, text: value })}
            onClose={onClose}
          />
        )}
      </div>
    </Layer>
  );
}

/**
 * Names the option by its label, which reads well on the timeline, or by its index when the label is empty or not
 * unique.
 */
function chosenBy({ options }: SelectPopup, index: number): { values: string[]; by: 'label' | 'index' } {
  const label = options.find((option) => option.index === index)?.label ?? '';
  const alone =
    label !== '' && options.filter((option) => option.label.toLowerCase() === label.toLowerCase()).length === 1;
  return alone ? { values: [label], by: 'label' } : { values: [String(index)], by: 'index' };
}

/** Closes the popup on a press outside of it; that press does nothing else, as with Chrome's own popups. */
function Layer({ children, onClose }: { children: ReactNode; onClose: () => void }) {
  return (
    <>
      <div aria-hidden className="fixed inset-0 z-30 max-sm:bg-scrim" onPointerDown={onClose} />
      {children}
    </>
  );
}

/** Places the popup under the control, or above it where there is more room. */
function placeBy({ box }: PopupView, { left, top, scale }: PagePlacement): CSSProperties {
  const width = Math.max(LEAST_WIDTH, box.width * scale);
  const x = Math.max(EDGE, Math.min(left + box.x * scale, window.innerWidth - width - EDGE));
  const below = top + (box.y + box.height) * scale + 2;
  const above = top + box.y * scale - 2;
  const size = { left: x, minWidth: width, maxWidth: `min(420px, calc(100vw - ${x + EDGE}px))` };
  const space = window.innerHeight - below;
  if (space >= ROOM) return { ...size, top: below };
  // A control as tall as the window leaves no room on either side: the popup covers it.
  return above >= ROOM
    ? { ...size, bottom: window.innerHeight - above }
    : { ...size, top: Math.max(EDGE, window.innerHeight - ROOM - EDGE) };
}

/** Asks for a date, time or colour with the picker of this person's browser, and sets it in the page as a value. */
function FieldPicker({
  popup,
  onSet,
  onClose,
}: {
  popup: FieldPopup;
  onSet: (value: string) => void;
  onClose: () => void;
}) {
  const t = useTranslations('cockpit.popup');
  const [value, setValue] = useState(popup.value);
  const field = useRef<HTMLInputElement>(null);
  const { sort, min, max, step } = popup;
  useEffect(() => {
    const input = field.current;
    input?.focus();
    try {
      input?.showPicker();
    } catch {
      // Some browsers open the picker only on a press. The field can be pressed and typed in.
    }
  }, []);
  return (
    <form
      className="flex flex-col gap-3 p-3 max-sm:pb-[max(12px,env(safe-area-inset-bottom))]"
      onSubmit={(event) => {
        event.preventDefault();
        onSet(value);
      }}
    >
      <TextBox
        ref={field}
        type={sort}
        aria-label={popup.label === '' ? t(sort) : popup.label}
        value={value}
        {...{ ...(min && { min }), ...(max && { max }), ...(step && { step }) }}
        onChange={(event) => setValue(event.target.value)}
      />
      <div className="flex justify-end gap-2">
        <Button size="sm" variant="ghost" onClick={onClose}>
          {t('cancel')}
        </Button>
        {sort !== 'color' && popup.value !== '' && (
          <Button size="sm" onClick={() => onSet('')}>
            {t('clear')}
          </Button>
        )}
        <Button size="sm" variant="primary" type="submit">
          {t('set')}
        </Button>
      </div>
    </form>
  );
}
