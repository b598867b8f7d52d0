'use client';

import { MessageSquarePlus } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { useCockpit } from '@/components/cockpit/cockpit-context';
import { cn } from '@/components/ui/cn';
import { IconButton } from '@/components/ui/icon-button';
import { draftOn, startDrawing, stopDrawing, useTalk } from './talk-state';
import { useMayCommentOnPage } from './may-comment';

/** The button of the tool has this id: it gets the focus back. */
export const COMMENT_TOOL = 'comment-tool';

export interface DrawToolSwitch {
  /** Whether a comment can be drawn on the shown page now. */
  readonly may: boolean;
  /** Whether one is being drawn there. */
  readonly on: boolean;
  readonly turn: () => void;
}

/** The tool that draws a comment on the shown page. */
export function useDrawTool(): DrawToolSwitch {
  const { session, tab } = useCockpit();
  const may = useMayCommentOnPage();
  const box = tab && draftOn.box(session.id, tab.id);
  const on = useTalk(({ drawing }) => drawing !== undefined && drawing === box) && may;
  const turn = () => {
    if (box === undefined || !may) return;
    if (on) stopDrawing(box);
    else startDrawing(box);
  };
  return { may, on, turn };
}

/** The button of the tool. */
export function CommentTool() {
  const t = useTranslations('talk');
  const { may, on, turn } = useDrawTool();
  return (
    <IconButton
      id={COMMENT_TOOL}
      label={t('tool')}
      keys={['C']}
      size="icon-sm"
      disabled={!may}
      aria-pressed={on}
      className={cn(on && 'bg-sel text-ink')}
      onClick={turn}
    >
      <MessageSquarePlus aria-hidden />
    </IconButton>
  );
}
