'use client';

import {
  ArrowLeft,
  ArrowRight,
  DoorOpen,
  Hand,
  Keyboard,
  Link2,
  Maximize,
  MessageSquarePlus,
  Pause,
  Play,
  PanelRight,
  Plus,
  RotateCw,
  UserRound,
  X,
  type LucideIcon,
} from 'lucide-react';
import { useMemo } from 'react';
import { useTranslations } from 'use-intl';
import { useOwnHand } from '@/components/presence/raised-hands';
import { useDrawTool } from '@/components/comments/comment-tool';
import { useHotkeys } from '@/components/shell/hotkeys';
import { usePaletteCommands, useShortcutHelp } from '@/components/shell/use-palette';
import type { PaletteCommand, ShortcutSection } from '@/components/shell/palette-store';
import { LEAVE_CHORDS, type LeaveChord } from '@/components/viewport/input/keys';
import { PAGE_FIELD } from '@/components/viewport/viewport';
import type { Action } from '@/lib/actions/kinds';
import { useCockpit } from './cockpit-context';
import { usePause } from './pause-bar';
import { URL_FIELD } from './url-field';
import { CHORDS, useFullScreen, useLeaveChord } from './use-view';
import { useTabActions } from './use-tab-actions';

/**
 * Registers the cockpit's hotkeys and its palette commands. Plain letters only move the focus or the view, or raise a
 * hand: a person who types them in the belief to be in the page must not close a tab or hand the lease back.
 */
export function CockpitKeys({ panelOpen, onPanel }: { panelOpen: boolean; onPanel: (open: boolean) => void }) {
  const t = useTranslations('cockpit');
  const { mine, mayDrive, take, giveBack, act, tab } = useCockpit();
  const pauses = useTranslations('cockpit.pause');
  const { may, change } = usePause();
  const paused = tab?.control.paused !== undefined;
  const tabActions = useTabActions();
  const [chord, chooseChord] = useLeaveChord();
  const { toggle } = useFullScreen();
  const address = () => document.getElementById(URL_FIELD)?.focus();
  const hand = useOwnHand();
  const page = () => document.getElementById(PAGE_FIELD)?.focus();
  const says = useTranslations('talk');
  const drawTool = useDrawTool();
  const panel = () => onPanel(!panelOpen);
  const history = (go: 'back' | 'forward' | 'reload') => {
    const action: Action = { kind: 'history', go };
    return () => void act(action, t('address.goFailed'));
  };
  useHotkeys({
    p: page,
    u: address,
    b: panel,
    f: toggle,
    h: () => hand.turn?.(),
    c: drawTool.turn,
    ']': () => tabActions.move(1),
    '[': () => tabActions.move(-1),
  });
  useShortcutHelp(useMemo(() => helpOf(t, chord), [t, chord]));
  usePaletteCommands([
    ...(mayDrive
      ? [
          command(
            'lease',
            t(mine ? 'lease.handBack' : 'lease.take'),
            UserRound,
            () => void (mine ? giveBack('') : take()),
          ),
        ]
      : []),
    ...(may
      ? [command('pause', pauses(paused ? 'resume' : 'pause'), paused ? Play : Pause, () => change(!paused))]
      : []),
    ...(hand.turn ? [command('hand', t(hand.up ? 'presence.lower' : 'presence.raise'), Hand, hand.turn, ['H'])] : []),
    command('address', t('keys.address'), Link2, address, ['U']),
    command('page', t('keys.toPage'), Keyboard, page, ['P']),
    command('panel', t(panelOpen ? 'view.hidePanel' : 'view.showPanel'), PanelRight, panel, ['B']),
    command('full', t('view.fullScreen'), Maximize, toggle, ['F']),
    ...(drawTool.may ? [command('comment', says('tool'), MessageSquarePlus, drawTool.turn, ['C'])] : []),
    command('back', t('address.back'), ArrowLeft, history('back')),
    command('forward', t('address.forward'), ArrowRight, history('forward')),
    command('reload', t('address.reload'), RotateCw, history('reload')),
    ...(tabActions.mayOpen
      ? [
          command('new', t('tabs.new'), Plus, () => void tabActions.open()),
          command('close', t('keys.closeTab'), X, () => void (tab && tabActions.close(tab.id))),
        ]
      : []),
    ...CHORDS.filter((name) => name !== chord).map((name) =>
      command(name, `${t('page.chord')}: ${LEAVE_CHORDS[name].join('+')}`, DoorOpen, () => chooseChord(name)),
    ),
  ]);
  return null;
}

function command(id: string, label: string, icon: LucideIcon, run: () => void, keys?: string[]): PaletteCommand {
  return { id: `cockpit-${id}`, group: 'actions', label, icon, run, ...(keys && { keys }) };
}

function helpOf(t: ReturnType<typeof useTranslations<'cockpit'>>, chord: LeaveChord): ShortcutSection {
  return {
    title: t('keys.title'),
    items: [
      { keys: ['P'], label: t('keys.toPage') },
      { keys: LEAVE_CHORDS[chord], label: t('page.chord') },
      { keys: ['U'], label: t('keys.address') },
      { keys: [']', '['], label: t('keys.nextTab') },
      { keys: ['Shift', '←', '→'], label: t('keys.moveTab') },
      { keys: ['Delete'], label: t('keys.deleteTab') },
      { keys: ['B'], label: t('keys.panel') },
      { keys: ['H'], label: t('keys.hand') },
      { keys: ['F'], label: t('view.fullScreen') },
      { keys: ['C'], label: t('keys.comment') },
    ],
  };
}
