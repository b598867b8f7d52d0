'use client';

import { Maximize, Minimize } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useLink } from '@/components/session-client/use-session-client';
import { Button } from '@/components/ui/button';
import { IconButton } from '@/components/ui/icon-button';
import {
  Menu,
  MenuContent,
  MenuItem,
  MenuLabel,
  MenuRadioGroup,
  MenuRadioItem,
  MenuSeparator,
  MenuTrigger,
} from '@/components/ui/menu';
import { Tooltip } from '@/components/ui/tooltip';
import { useCockpit } from './cockpit-context';
import { SizeDialog } from './size-dialog';
import { useFullScreen, useZoom } from './use-view';

/** Page sizes by device, CSS pixels. */
const PRESETS = [
  { name: 'desktop', width: 1_920, height: 1_080 },
  { name: 'laptop', width: 1_280, height: 720 },
  { name: 'tablet', width: 820, height: 1_180 },
  { name: 'phone', width: 390, height: 844 },
] as const;

/** Page size (for all participants), zoom and full screen (here only). */
export function ViewTools() {
  const t = useTranslations('cockpit.view');
  const { full, toggle } = useFullScreen();
  const guest = useLink() !== undefined;
  return (
    <>
      {!guest && <SizeMenu />}
      <ZoomMenu />
      <IconButton label={t(full ? 'leaveFullScreen' : 'fullScreen')} size="icon-sm" onClick={toggle}>
        {full ? <Minimize aria-hidden /> : <Maximize aria-hidden />}
      </IconButton>
    </>
  );
}

function SizeMenu() {
  const t = useTranslations('cockpit.view');
  const { session, act, tab, live } = useCockpit();
  const [custom, setCustom] = useState(false);
  const { width, height } = session.viewport;
  const resize = (to: { width: number; height: number }) =>
    act({ kind: 'resize', width: to.width, height: to.height }, t('resizeFailed'));
  const current = PRESETS.find((preset) => preset.width === width && preset.height === height)?.name ?? 'custom';
  return (
    <>
      <Menu>
        <Tooltip text={t('sizeMenu')}>
          <span className="max-md:hidden">
            <MenuTrigger>
              <Button
                variant="ghost"
                size="sm"
                disabled={!tab || !live}
                aria-label={t('size', { width, height })}
                className="font-mono tabular-nums"
              >
                {width}×{height}
              </Button>
            </MenuTrigger>
          </span>
        </Tooltip>
        <MenuContent>
          <MenuRadioGroup value={current}>
            <MenuLabel>{t('sizeMenu')}</MenuLabel>
            {PRESETS.map((preset) => (
              <MenuRadioItem key={preset.name} value={preset.name} onSelect={() => void resize(preset)}>
                {t(preset.name)}
                <span className="font-mono text-xs text-ink-3 tabular-nums">
                  {preset.width}×{preset.height}
                </span>
              </MenuRadioItem>
            ))}
          </MenuRadioGroup>
          <MenuSeparator />
          <MenuItem onSelect={() => setCustom(true)}>{t('custom')}</MenuItem>
        </MenuContent>
      </Menu>
      {custom && <SizeDialog start={session.viewport} onClose={() => setCustom(false)} onApply={resize} />}
    </>
  );
}

const ZOOMS = { fit: 'fitShort', fill: 'fillShort', actual: 'actualShort' } as const;

function ZoomMenu() {
  const t = useTranslations('cockpit.view');
  const [zoom, setZoom] = useZoom();
  return (
    <Menu>
      <MenuTrigger>
        <Button variant="ghost" size="sm" aria-label={`${t('zoom')}: ${t(zoom)}`} className="px-2 max-sm:hidden">
          {t(ZOOMS[zoom])}
        </Button>
      </MenuTrigger>
      <MenuContent>
        <MenuRadioGroup value={zoom} onValueChange={setZoom}>
          <MenuRadioItem value="fit">{t('fit')}</MenuRadioItem>
          <MenuRadioItem value="fill">{t('fill')}</MenuRadioItem>
          <MenuRadioItem value="actual">{t('actual')}</MenuRadioItem>
        </MenuRadioGroup>
      </MenuContent>
    </Menu>
  );
}
