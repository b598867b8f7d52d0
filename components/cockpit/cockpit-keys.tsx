'use client';

import { ArrowLeft, ArrowRight, Keyboard, Link2, Maximize, PanelRight, Plus, RotateCw, UserRound, X } from 'lucide-react';
import { useMemo } from 'react';
import { useTranslations } from 'use-intl';
import { useHotkeys } from '@/components/shell/hotkeys';
import { usePaletteCommands, useShortcutHelp } from '@/components/shell/use-palette';
import type { Command, ShortcutSection } from '@/components/shell/palette-store';
import { useLatest } from '@/components/use-latest';
import { LEAVE_CHORDS, type LeaveChord } from '@/components/viewport/input/keys';
import { PAGE_FIELD } from '@/components/viewport/viewport';
import { useCockpit } from './cockpit-context';
import { URL_FIELD } from './url-field';
import { useFullScreen, useLeaveChord } from './use-view';
import { useTabDeeds } from './use-tab-deeds';

/**
 * The cockpit's keys, and everything the buttons do as commands of the palette. Plain letters only move about:
 * whoever types and believes to be in the page must not close a tab or hand the wheel back by it.
 */
export function CockpitKeys({ panelOpen, onPanel }: { panelOpen: boolean; onPanel: (open: boolean) => void }) {
  const t = useTranslations('cockpit');
  const { mine, take, giveBack, act, tab } = useCockpit();
  const deeds = useTabDeeds();
  const { toggle } = useFullScreen();
  const [chord] = useLeaveChord();
  const run = useLatest({
    wheel: () => void (mine ? giveBack('') : take()),
    address: () => document.getElementById(URL_FIELD)?.focus(),
    page: () => document.getElementById(PAGE_FIELD)?.focus(),
    panel: () => onPanel(!panelOpen),
    full: toggle,
    newTab: () => void deeds.open(),
    closeTab: () => void (tab && deeds.close(tab.id)),
    nextTab: () => void deeds.move(1),
    previousTab: () => void deeds.move(-1),
    back: () => void act({ kind: 'history', go: 'back' }, t('address.goFailed')),
    forward: () => void act({ kind: 'history', go: 'forward' }, t('address.goFailed')),
    reload: () => void act({ kind: 'history', go: 'reload' }, t('address.goFailed')),
  });
  useHotkeys(useMemo(() => ({ p: run.page, u: run.address, b: run.panel, f: run.full, ']': run.nextTab, '[': run.previousTab }), [run]));
  useShortcutHelp(useMemo(() => helpOf(t, chord), [t, chord]));
  const commands = useMemo((): Command[] => {
    const command = (id: string, label: string, icon: Command['icon'], act: () => void, keys?: string[]): Command => ({ id: `cockpit-${id}`, group: 'actions', label, run: act, ...(icon && { icon }), ...(keys && { keys }) });
    return [
      command('wheel', t(mine ? 'wheel.handBack' : 'wheel.take'), UserRound, run.wheel),
      command('address', t('keys.address'), Link2, run.address, ['U']),
      command('page', t('keys.toPage'), Keyboard, run.page, ['P']),
      command('panel', t(panelOpen ? 'view.hidePanel' : 'view.showPanel'), PanelRight, run.panel, ['B']),
      command('full', t('view.fullScreen'), Maximize, run.full, ['F']),
      command('back', t('address.back'), ArrowLeft, run.back),
      command('forward', t('address.forward'), ArrowRight, run.forward),
      command('reload', t('address.reload'), RotateCw, run.reload),
      command('new', t('tabs.new'), Plus, run.newTab),
      command('close', t('keys.closeTab'), X, run.closeTab),
    ];
  }, [t, run, mine, panelOpen]);
  usePaletteCommands(commands);
  return null;
}

function helpOf(t: ReturnType<typeof useTranslations<'cockpit'>>, chord: LeaveChord): ShortcutSection {
  return {
    title: t('keys.title'),
    items: [
      { keys: ['P'], label: t('keys.toPage') },
      { keys: LEAVE_CHORDS[chord], label: t('page.chord') },
      { keys: ['U'], label: t('keys.address') },
      { keys: [']', '['], label: t('keys.nextTab') },
      { keys: ['B'], label: t('keys.panel') },
      { keys: ['F'], label: t('view.fullScreen') },
    ],
  };
}
