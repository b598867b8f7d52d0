import { cn } from '@/components/ui/cn';
import { participantColour } from '@/components/ui/initials';

/** The numbered mark of a comment, in the colour of its author: on the picture and beside its text. */
export function CommentMark({ number, colour, small = false }: { number: number; colour: number; small?: boolean }) {
  return (
    <span
      aria-hidden
      className={cn(
        'inline-grid shrink-0 place-items-center rounded-full rounded-bl-none font-semibold text-white tabular-nums',
        small ? 'h-4 min-w-4 px-1 text-[10px]' : 'h-6 min-w-6 px-1.5 text-2xs ring-2 ring-panel',
      )}
      style={{ background: participantColour(colour) }}
    >
      {number}
    </span>
  );
}
