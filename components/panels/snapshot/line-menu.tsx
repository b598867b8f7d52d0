'use client';

import {
  Copy,
  Eye,
  Hand,
  Keyboard,
  ListChecks,
  MessageSquarePlus,
  MousePointerClick,
  MoveVertical,
  Square,
  SquareCheck,
  TextCursorInput,
  type LucideIcon,
} from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useCockpit } from '@/components/cockpit/cockpit-context';
import { mayCommentOnPage } from '@/components/comments/may-comment';
import { useOpenTalk } from '@/components/comments/talk-state';
import { Menu, MenuContent, MenuItem, MenuLabel, MenuSeparator, MenuTrigger } from '@/components/ui/menu';
import { writeClipboard } from '@/components/ui/use-copy';
import type { TabView } from '@/lib/protocol/views';
import { actionOf, lineActionsOf, needsText, type LineAction } from './line-actions';
import type { SnapshotLine } from './line';
import { nameOf } from './use-outline';
import { FormDialog } from '@/components/ui/form-dialog';
import { Field } from '@/components/ui/field';

interface TextActionDialogProps {
  action: 'type' | 'select';
  /** Page-made text. */
  element: string;
  onClose: () => void;
  onRun: (text: string) => Promise<boolean>;
}

const ICONS: Readonly<Record<LineAction, LucideIcon>> = {
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
  /** The ref to act on. */
  target: string;
  /** The line's element; the menu opens below it. */
  anchor: Element | null;
  /** Called when the menu and its dialog are closed. */
  onClosed: () => void;
}

/** The menu of a line's element: actions for its role, the likeliest first. Open from the start. */
export function LineMenu({ tab, line, target, anchor, onClosed }: LineMenuProps) {
  const t = useTranslations('cockpit.snapshot');
  const { session, mayAct, take, act, lease } = useCockpit();
  const openTalk = useOpenTalk(session.id);
  const [asking, setAsking] = useState<'type' | 'select'>();
  const element = nameOf(line);
  const run = (action: LineAction, text?: string) => act(actionOf(action, target, text), t('actionFailed'), tab.id);
  if (asking)
    return (
      <TextActionDialog action={asking} element={element} onClose={onClosed} onRun={(text) => run(asking, text)} />
    );
  const choose = (action: LineAction) => {
    if (needsText(action)) return setAsking(action);
    void run(action);
    onClosed();
  };
  const rect = anchor?.getBoundingClientRect();
  return (
    <Menu open onOpenChange={(open) => !open && onClosed()}>
      <MenuTrigger>
        <button
          type="button"
          aria-hidden
          tabIndex={-1}
          className="pointer-events-none fixed w-px opacity-0"
          style={{ left: (rect?.left ?? 0) + 24, top: rect?.top ?? 0, height: rect?.height ?? 0 }}
        />
      </MenuTrigger>
      <MenuContent align="start" sideOffset={2} onCloseAutoFocus={(event) => event.preventDefault()}>
        <MenuLabel className="max-w-72 truncate">
          <bdi>{element}</bdi>
        </MenuLabel>
        {!mayAct && (
          <MenuItem
            disabled={lease.holder?.kind === 'human'}
            onSelect={(event) => (event.preventDefault(), void take())}
          >
            <Hand aria-hidden />
            {t('needLease')}
          </MenuItem>
        )}
        {lineActionsOf(line.role ?? '').map((action) => {
          const Icon = ICONS[action];
          return (
            <MenuItem key={action} disabled={!mayAct} onSelect={() => choose(action)}>
              <Icon aria-hidden />
              {t(action)}
            </MenuItem>
          );
        })}
        <MenuSeparator />
        <MenuItem
          disabled={!mayCommentOnPage(tab)}
          onSelect={() => openTalk({ tab: tab.id, element: { ref: target, name: element } })}
        >
          <MessageSquarePlus aria-hidden />
          {t('comment')}
        </MenuItem>
        <MenuItem onSelect={() => void writeClipboard(target)}>
          <Copy aria-hidden />
          {t('copyRef')}
        </MenuItem>
      </MenuContent>
    </Menu>
  );
}

/** Asks for the text to type, or for the option to select. */
function TextActionDialog({ action, element, onClose, onRun }: TextActionDialogProps) {
  const t = useTranslations('cockpit.snapshot');
  const [text, setText] = useState('');
  const [busy, setBusy] = useState(false);
  const run = async () => {
    setBusy(true);
    const worked = await onRun(text);
    setBusy(false);
    if (worked) onClose();
  };
  return (
    <FormDialog
      title={<bdi>{t(action === 'type' ? 'typeTitle' : 'selectTitle', { element })}</bdi>}

      word={t(action === 'type' ? 'typeDo' : 'selectDo')}
      busy={busy}
      usable={action !== 'select' || text !== ''}

      onSubmit={() => void run()}
      onClose={onClose}
    >
      <Field
        autoFocus
        label={t(action === 'type' ? 'text' : 'option')}
        maxLength={10_000}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </FormDialog>
  );
}
