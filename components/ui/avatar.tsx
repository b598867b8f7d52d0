import { cn } from './cn';
import { initialsOf, participantColour } from './initials';

export interface AvatarPerson {
  id: string;
  name: string;
  /** Index into the palette of participant colours. */
  colour: number;
}

/** Smaller discs have room for one letter. Pixels. */
const ONE_LETTER = 18;

/** A participant as a coloured disc with initials. Decorative: give the name beside it or in a label. */
export function Avatar({ person, size = 20, className }: { person: AvatarPerson; size?: number; className?: string }) {
  return (
    <span
      aria-hidden
      className={cn(
        'inline-grid shrink-0 place-items-center rounded-full font-semibold text-white ring-2 ring-panel',
        className,
      )}
      style={{
        width: size,
        height: size,
        fontSize: Math.max(9, Math.round(size * 0.42)),
        lineHeight: 1,
        background: participantColour(person.colour),
      }}
    >
      {size < ONE_LETTER ? [...initialsOf(person.name)][0] : initialsOf(person.name)}
    </span>
  );
}

/** Several participants, overlapping, with a count for the rest. `label` names the group for screen readers. */
export function AvatarStack({
  people,
  max = 4,
  size = 20,
  label,
}: {
  people: readonly AvatarPerson[];
  max?: number;
  size?: number;
  label: string;
}) {
  if (people.length === 0) return null;
  const rest = people.length - max;
  return (
    <span role="img" aria-label={label} title={label} className="inline-flex items-center pl-0.5 [&>*+*]:-ml-0.5">
      {people.slice(0, max).map((person) => (
        <Avatar key={person.id} person={person} size={size} />
      ))}
      {rest > 0 && <span className="ml-0.5! pl-1 text-xs text-ink-2">+{rest}</span>}
    </span>
  );
}
