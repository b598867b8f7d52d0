'use client';

import { MessageSquarePlus } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { useCockpit } from '@/components/cockpit/cockpit-context';
import { cn } from '@/components/ui/cn';
import { IconButton } from '@/components/ui/icon-button';
import { drawComment, useTalk } from './talk-state';

/** Whether a comment can be drawn on the shown page now. */
export function useMayDraw(): boolean {
  const { tab, live, mine } = useCockpit();
  return live && tab !== undefined && !tab.dialog && (!tab.control.private || mine);
}

/** The button of the tool that draws a comment on the page. */
export function CommentTool() {
  const t = useTranslations('talk');
  const drawing = useTalk((state) => state.drawing);
  const may = useMayDraw();
  return (
    <IconButton
      label={t(drawing ? 'toolOff' : 'tool')}
      keys={['C']}
      size="icon-sm"
      disabled={!may}
      aria-pressed={drawing}
      className={cn(drawing && 'bg-sel text-ink')}
      onClick={() => drawComment(!drawing)}
    >
      <MessageSquarePlus aria-hidden />
    </IconButton>
  );
}
