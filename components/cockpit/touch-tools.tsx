'use client';

import { Keyboard, KeyboardOff, ZoomIn, ZoomOut } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { IconButton } from '@/components/ui/icon-button';
import { useZoom } from './use-view';

export interface TouchToolsProps {
  keysInPage: boolean;
  /** Opens or closes the on-screen keyboard; undefined for participants who do not drive. */
  onKeyboard: (() => void) | undefined;
}

/** Buttons that touch screens need: zoom, and the on-screen keyboard, which opens only for a text field. */
export function TouchTools({ keysInPage, onKeyboard }: TouchToolsProps) {
  const t = useTranslations('cockpit');
  const [zoom, setZoom] = useZoom();
  const whole = zoom === 'fit';
  const [Zoom, Keys] = [whole ? ZoomIn : ZoomOut, keysInPage ? KeyboardOff : Keyboard];
  return (
    <div className="absolute right-3 bottom-3 z-10 flex gap-2 pointer-fine:hidden">
      <IconButton
        variant="secondary"
        label={t(whole ? 'view.larger' : 'view.smaller')}
        side="top"
        className="shadow-pop sm:hidden"
        onClick={() => setZoom(whole ? 'fill' : 'fit')}
      >
        <Zoom aria-hidden />
      </IconButton>
      {onKeyboard && (
        <Button className="shadow-pop" onPointerDown={(event) => event.preventDefault()} onClick={onKeyboard}>
          <Keys aria-hidden />
          {t(keysInPage ? 'page.hideKeyboard' : 'page.keyboard')}
        </Button>
      )}
    </div>
  );
}
