'use client';

import { useEffect, useState } from 'react';
import { MousePointer2 } from 'lucide-react';
import { useTimeline } from '@/components/session-client/use-session-client';
import { useEventLine } from '@/components/messages/use-event-line';
import { cn } from '@/components/ui/cn';
import type { Size } from '@/lib/geometry/picture';
import { lastAction, typingNow, type ShownAction } from './shown-actions';
import type { TimelineEvent } from '@/lib/protocol/views';

export interface AgentMarksProps {
  session: string;
  tab: string;
  you: string | undefined;
  scale: number;
  page: Size;
}

/** Milliseconds that a mark stays after the last action. */
const POINTER_MS = 6_000;
const CAPTION_MS = 4_000;

/**
 * Draws an agent's pointer, with a ripple where it presses, and a caption of what it types. Decoration: the timeline
 * says the same.
 */
export function AgentMarks({ session, tab, you, scale, page }: AgentMarksProps) {
  const events = useTimeline(session);
  const since = useOpened(events);
  const action = lastAction(events, tab, since);
  const typing = typingNow(events, tab, since);
  const showsPointer = useFresh(action?.id, POINTER_MS);
  const showsTyping = useFresh(typing?.id, CAPTION_MS);
  return (
    <div aria-hidden data-lease="agent" className="pointer-events-none absolute inset-0 overflow-hidden">
      {action && showsPointer && <AgentPointer action={action} scale={scale} page={page} />}
      {typing && showsTyping && <TypingCaption event={typing} you={you} />}
    </div>
  );
}

/** Number of the last event when the timeline was loaded: older actions are not drawn as if they happened now. */
function useOpened(events: readonly TimelineEvent[]): number {
  const last = events.at(-1)?.seq;
  const [since, setSince] = useState(last);
  if (since === undefined && last !== undefined) setSince(last);
  return since ?? Number.POSITIVE_INFINITY;
}

/** Within these distances of the right and the bottom edge the name stands on the other side of the pointer. Pixels. */
const NAME_ROOM = { right: 120, bottom: 44 } as const;

function AgentPointer({ action, scale, page }: { action: ShownAction; scale: number; page: Size }) {
  const left = (page.width - action.x) * scale < NAME_ROOM.right;
  const above = (page.height - action.y) * scale < NAME_ROOM.bottom;
  return (
    <div
      className="absolute transition-[left,top] duration-150 ease-out"
      style={{ left: action.x * scale, top: action.y * scale }}
    >
      {action.press && (
        <span
          key={action.id}
          className="absolute -top-5 -left-5 size-10 animate-ripple rounded-full border-2 border-lease bg-lease/15"
        />
      )}
      <MousePointer2 className="absolute -top-0.5 -left-0.5 size-5 fill-lease stroke-panel" strokeWidth={1.5} />
      <span
        className={cn(
          'absolute rounded-xs bg-lease px-1.5 text-2xs leading-[18px] font-semibold whitespace-nowrap text-on-lease',
          left ? 'right-1' : 'left-4',
          above ? 'bottom-2' : 'top-4',
        )}
      >
        {action.name}
      </span>
    </div>
  );
}

function TypingCaption({ event, you }: { event: TimelineEvent; you: string | undefined }) {
  const line = useEventLine();
  return (
    <p className="absolute bottom-3 left-1/2 max-w-[calc(100%-24px)] -translate-x-1/2 animate-fade truncate rounded-full bg-black/85 px-3.5 py-1.5 font-medium text-white">
      <bdi>{line(event, you)}</bdi>
    </p>
  );
}

/** True for `ms` milliseconds after `id` changed. */
function useFresh(id: string | undefined, ms: number): boolean {
  const [stale, setStale] = useState<string>();
  useEffect(() => {
    if (id === undefined) return;
    const timer = setTimeout(() => setStale(id), ms);
    return () => clearTimeout(timer);
  }, [id, ms]);
  return id !== undefined && stale !== id;
}
