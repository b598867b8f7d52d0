'use client';

import { MousePointer2 } from 'lucide-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useCockpit } from '@/components/cockpit/cockpit-context';
import { useSessionClient } from '@/components/session-client/use-session-client';
import { cn } from '@/components/ui/cn';
import { participantColour } from '@/components/ui/initials';
import type { XY } from '@/components/viewport/input/page-point';
import type { Size } from '@/lib/geometry/picture';
import type { CursorNews } from '@/lib/presence/cursors';
import type { ParticipantView } from '@/lib/protocol/views';
import { PointerSender } from './pointer-sender';

/** A pointer that has rested for this long is shown without its name, and pale. Milliseconds. */
const RESTS_MS = 3_000;

type Places = ReadonlyMap<string, XY>;

/** The pointers of the others on a tab, with their names (AU5). Decoration: the avatars say who is here. */
export function Cursors({ tab, scale, page }: { tab: string; scale: number; page: Size }) {
  const { session } = useCockpit();
  const places = useCursors(session.id, tab);
  const here = session.participants.flatMap((person) => {
    const at = person.online ? places.get(person.id) : undefined;
    return at ? [{ person, at }] : [];
  });
  return (
    <div aria-hidden className="pointer-events-none absolute inset-0 overflow-hidden">
      {here.map(({ person, at }) => (
        <Cursor key={person.id} person={person} at={at} scale={scale} page={page} />
      ))}
    </div>
  );
}

/** Within these distances of the right and the bottom edge the name stands on the other side of the pointer. Pixels. */
const NAME_ROOM = { right: 120, bottom: 44 } as const;

interface CursorProps {
  person: ParticipantView;
  /** CSS pixels of the viewport. */
  at: XY;
  scale: number;
  page: Size;
}

function Cursor({ person, at: { x, y }, scale, page }: CursorProps) {
  const rests = useRests(x, y);
  const left = (page.width - x) * scale < NAME_ROOM.right;
  const above = (page.height - y) * scale < NAME_ROOM.bottom;
  const colour = participantColour(person.colour);
  return (
    <div
      data-cursor={person.id}
      className={cn('absolute transition-[left,top,opacity] duration-100 ease-linear', rests && 'opacity-50')}
      style={{ left: x * scale, top: y * scale }}
    >
      <MousePointer2 className="absolute -top-0.5 -left-0.5 size-5 stroke-white" fill={colour} strokeWidth={1.5} />
      {!rests && (
        <bdi
          className={cn(
            'absolute max-w-40 truncate rounded-xs px-1.5 text-2xs leading-[18px] font-semibold text-white',
            left ? 'right-1' : 'left-4',
            above ? 'bottom-2' : 'top-4',
          )}
          style={{ background: colour }}
        >
          {person.name}
        </bdi>
      )}
    </div>
  );
}

/** True once a pointer has not moved for a while. */
function useRests(x: number, y: number): boolean {
  const place = `${x} ${y}`;
  const [rested, setRested] = useState<string>();
  useEffect(() => {
    const timer = setTimeout(() => setRested(place), RESTS_MS);
    return () => clearTimeout(timer);
  }, [place]);
  return rested === place;
}

/** Where the pointers of others are on a tab; none while the connection is lost. */
function useCursors(session: string, tab: string): Places {
  const client = useSessionClient();
  const { online } = useCockpit();
  const [places, setPlaces] = useState<Places>(new Map());
  useEffect(() => {
    if (!online) return;
    const stop = client.onCursors(session, tab, (news) => setPlaces((known) => withNews(known, news)));
    return () => {
      stop();
      setPlaces(new Map());
    };
  }, [client, session, tab, online]);
  return places;
}

function withNews(known: Places, { moved, gone }: CursorNews): Places {
  const places = new Map(known);
  for (const who of gone) places.delete(who);
  for (const { who, x, y } of moved) places.set(who, { x, y });
  return places;
}

/**
 * Gives a function that tells the others where this person's pointer is on a tab; undefined when nobody would see it.
 * Who drives sends none: their input says it.
 */
export function usePointerShown(tab: string): ((at: XY | null) => void) | undefined {
  const client = useSessionClient();
  const { session, you, mine, live, online } = useCockpit();
  const isSeen = live && online && !mine && session.participants.some((one) => isOther(one, you?.id));
  const sender = useRef<PointerSender>(undefined);
  useEffect(() => {
    // A place that is lost with the connection is not worth a notice: the next one follows.
    const send = (at: XY | null) =>
      client.request('cursor', { session: session.id, tab, at }).then(
        () => undefined,
        () => undefined,
      );
    const pointer = new PointerSender(send);
    sender.current = pointer;
    return () => {
      sender.current = undefined;
      pointer.dispose();
    };
  }, [client, session.id, tab]);
  const show = useCallback((at: XY | null) => sender.current?.put(at), []);
  return isSeen ? show : undefined;
}

function isOther({ id, kind, online }: ParticipantView, you: string | undefined): boolean {
  return online && kind === 'human' && id !== you;
}
