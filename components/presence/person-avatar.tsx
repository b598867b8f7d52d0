import { CircleQuestionMark, Eye, Hand, ShipWheel, type LucideIcon } from 'lucide-react';
import { Avatar } from '@/components/ui/avatar';
import { cn } from '@/components/ui/cn';
import { pickedName } from '@/lib/links/guest-name';
import type { RosterEntry, Standing } from '@/lib/presence/standing';

/** Sign of each standing: colour is never the only one. Who may drive has none. */
const SIGNS: Readonly<Partial<Record<Standing, LucideIcon>>> = {
  drives: ShipWheel,
  asks: CircleQuestionMark,
  hand: Hand,
  watches: Eye,
};

/**
 * A participant as a disc with the initials of the name that they picked, with a ring and a sign for what they are.
 * Decorative: give the words beside it.
 */
export function PersonAvatar({ entry: { participant, standing }, size }: { entry: RosterEntry; size: number }) {
  const Sign = SIGNS[standing];
  const lease = standing === 'hand' ? 'help' : standing === 'watches' ? 'idle' : participant.kind;
  const sign = Math.round(size * 0.56);
  return (
    <span aria-hidden data-lease={lease} data-standing={standing} className="relative inline-grid rounded-full">
      <Avatar
        person={{ ...participant, name: pickedName(participant.name) }}
        size={size}
        className={cn(standing === 'drives' && 'outline-2 outline-offset-1 outline-lease')}
      />
      {Sign && (
        <span
          className={cn(
            'absolute -right-1 -bottom-1 grid place-items-center rounded-full ring-2 ring-panel',
            standing === 'watches' ? 'bg-lease-soft text-lease' : 'bg-lease text-on-lease',
          )}
          style={{ width: sign, height: sign }}
        >
          <Sign style={{ width: sign - 3, height: sign - 3 }} strokeWidth={2.5} />
        </span>
      )}
    </span>
  );
}
