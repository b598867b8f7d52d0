'use client';

import { Copy, Eye, Hand, Keyboard, ListChecks, MousePointerClick, MoveVertical, Square, SquareCheck, TextCursorInput, type LucideIcon } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { useCockpit } from '@/components/cockpit/cockpit-context';
import { Menu, MenuContent, MenuItem, MenuLabel, MenuSeparator, MenuTrigger } from '@/components/ui/menu';
import { writeClipboard } from '@/components/ui/use-copy';
import type { TabView } from '@/lib/protocol/views';
import { actionOf, deedsOf, needsText, type Deed } from './deeds';
import type { SnapshotLine } from './line';
import { TextDeedDialog } from './text-deed-dialog';
import { nameOf } from './use-outline';

const ICONS: Readonly<Record<Deed, LucideIcon>> = {
  click: MousePointerClick,
  type: Keyboard,
  select: ListChecks,
  check: SquareCheck,
  uncheck: Square,
  focus: TextCursorInput,
  hover: Eye,
  scrollIntoView: MoveVertical,
};

export interface LineMenuProps {
  tab: TabView;
  line: SnapshotLine;
  /** The ref to act on; undefined when the line has none. */
  target: string | undefined;
  /** The one line that Tab reaches. */
  tabStop: boolean;
  onFocus: () => void;
  children: ReactNode;
}

const lineClass = 'flex w-full min-w-0 items-center gap-[1ch] pr-3 pl-2 text-left whitespace-pre hover:bg-agent-soft focus-visible:bg-agent-soft focus-visible:-outline-offset-2 data-[state=open]:bg-agent-soft';

/** One line as a button: opens what can be done with its element, in the order of likelihood for its role. */
export function LineMenu({ tab, line, target, tabStop, onFocus, children }: LineMenuProps) {
  const t = useTranslations('cockpit.snapshot');
  const { mayAct, take, act, wheel } = useCockpit();
  const [asking, setAsking] = useState<'type' | 'select'>();
  if (target === undefined) {
    return (
      <button type="button" tabIndex={tabStop ? 0 : -1} className={lineClass} onFocus={onFocus}>
        {children}
      </button>
    );
  }
  const element = nameOf(line);
  const run = (deed: Deed, text?: string) => act(actionOf(deed, target, text), t('deedFailed'), tab.id);
  const choose = (deed: Deed) => (needsText(deed) ? setAsking(deed) : void run(deed));
  return (
    <>
      <Menu>
        <MenuTrigger>
          <button type="button" tabIndex={tabStop ? 0 : -1} className={lineClass} onFocus={onFocus}>
            {children}
          </button>
        </MenuTrigger>
        <MenuContent align="start">
          <MenuLabel className="max-w-72 truncate">
            <bdi>{element}</bdi>
          </MenuLabel>
          {!mayAct && (
            <MenuItem disabled={wheel.holder?.kind === 'human'} onSelect={() => void take()}>
              <Hand aria-hidden />
              {t('needWheel')}
            </MenuItem>
          )}
          {deedsOf(line.role ?? '').map((deed) => {
            const Icon = ICONS[deed];
            return (
              <MenuItem key={deed} disabled={!mayAct} onSelect={() => choose(deed)}>
                <Icon aria-hidden />
                {t(deed)}
              </MenuItem>
            );
          })}
          <MenuSeparator />
          <MenuItem onSelect={() => void writeClipboard(target)}>
            <Copy aria-hidden />
            {t('copyRef')}
          </MenuItem>
        </MenuContent>
      </Menu>
      {asking && <TextDeedDialog deed={asking} element={element} onClose={() => setAsking(undefined)} onRun={(text) => run(asking, text)} />}
    </>
  );
}
