'use client';

import { useEffect, useMemo, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useCockpit } from '@/components/cockpit/cockpit-context';
import { colourOf, participantColour } from '@/components/ui/initials';
import { useStoredChoice } from '@/components/use-stored-choice';
import type { CommentView } from '@/lib/comments/comment';
import type { Size } from '@/lib/geometry/picture';
import type { Box } from '@/lib/protocol/catalog';
import { CommentMark } from './comment-mark';
import { OnPage } from './on-page';
import { useOpenTalk, useTalk } from './talk-state';
import { marksOf } from './threads';
import { useComments } from './use-comments';

/** Whether the picture shows the marks of comments, stored in this browser. */
export function useMarksShown(): [boolean, (shown: boolean) => void] {
  const [choice, choose] = useStoredChoice('wh-comment-marks', ['yes', 'no']);
  return [choice === 'yes', (shown) => choose(shown ? 'yes' : 'no')];
}

/** What of a press on a mark the page must not get. */
const PRESSES = ['pointerdown', 'pointerup', 'pointermove', 'pointercancel', 'contextmenu'] as const;

/** The side of a mark. Pixels of the window. */
const MARK = 24;

/**
 * Numbered marks of the open comments over the picture.
 *
 * @param props.scale screen pixels per CSS pixel of the page
 * @param props.page CSS pixels of the viewport
 */
export function CommentMarks({ tab, scale, page }: { tab: string; scale: number; page: Size }) {
  const t = useTranslations('talk');
  const { session } = useCockpit();
  const comments = useComments();
  const [shown] = useMarksShown();
  const marks = useMemo(() => (shown ? marksOf(comments ?? [], tab) : []), [comments, tab, shown]);
  const selected = useTalk((state) => state.selected);
  const [pointed, setPointed] = useState<string>();
  const openTalk = useOpenTalk(session.id);
  const layer = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The page listens on the element around this one.
    const stop = new AbortController();
    const keep = (event: Event) => event.stopPropagation();
    for (const name of PRESSES) layer.current?.addEventListener(name, keep, { signal: stop.signal });
    return () => stop.abort();
  }, []);
  const colour = ({ by }: CommentView) =>
    session.participants.find(({ id }) => id === by.id)?.colour ?? colourOf(by.id);
  return (
    <OnPage scale={scale} layer={layer}>
      {marks.map((comment) => {
        const { id, seq, by, text, anchor } = comment;
        if (!anchor?.box) return null;
        return (
          <div key={id}>
            {(id === selected || id === pointed) && <Outline box={anchor.box} scale={scale} colour={colour(comment)} />}
            <button
              type="button"
              // The panel lists the same comments for the keyboard.
              tabIndex={-1}
              data-mark={seq}
              aria-label={t('mark', { n: seq, name: by.name, text: text.slice(0, 200) })}
              title={`${by.name}: ${text.slice(0, 200)}`}
              className="pointer-events-auto absolute -translate-y-full cursor-pointer"
              style={markPlace(anchor.box, scale, page)}
              onPointerEnter={() => setPointed(id)}
              onPointerLeave={() => setPointed(undefined)}
              onClick={() => openTalk({ thread: id })}
            >
              <CommentMark number={seq} colour={colour(comment)} />
            </button>
          </div>
        );
      })}
    </OnPage>
  );
}

/**
 * Where the mark of a box stands: at its upper right corner, but within the picture where the box is as wide as the
 * page.
 */
function markPlace({ x, y, width }: Box, scale: number, page: Size) {
  const edge = `calc(var(--page-x, 0px) * ${scale} + ${page.width * scale - MARK - 2}px)`;
  return { left: `max(${x * scale}px, min(${(x + width) * scale}px, ${edge}))`, top: Math.max(MARK, y * scale) };
}

function Outline({ box, scale, colour }: { box: Box; scale: number; colour: number }) {
  return (
    <div
      aria-hidden
      className="absolute rounded-sm border-2"
      style={{
        left: box.x * scale - 2,
        top: box.y * scale - 2,
        width: box.width * scale + 4,
        height: box.height * scale + 4,
        borderColor: participantColour(colour),
        background: `color-mix(in srgb, ${participantColour(colour)} 12%, transparent)`,
      }}
    />
  );
}
