import { Globe } from 'lucide-react';
import { hostOf } from '@/components/address';
import { cn } from './cn';
import { participantColour } from './initials';

/** A tile for a site: its first letter, on a colour that is always the same for that host. Fetches nothing. */
export function HostTile({ url, size = 16, className }: { url: string; size?: number; className?: string }) {
  const host = hostOf(url);
  const letter = [...host.replace(/^\[/u, '')].find((sign) => /[\p{L}\p{N}]/u.test(sign));
  if (letter === undefined)
    return <Globe aria-hidden className={cn('shrink-0 text-ink-3', className)} style={{ width: size, height: size }} />;
  return (
    <span
      aria-hidden
      className={cn('inline-grid shrink-0 place-items-center rounded-xs font-semibold text-white', className)}
      style={{
        width: size,
        height: size,
        fontSize: Math.round(size * 0.62),
        lineHeight: 1,
        background: participantColour(hash(host)),
      }}
    >
      {letter.toLocaleUpperCase()}
    </span>
  );
}

/** A small, stable hash; a collision only gives two hosts the same colour. */
function hash(text: string): number {
  let sum = 7;
  for (const sign of text) sum = (sum * 31 + (sign.codePointAt(0) ?? 0)) % 100_003;
  return sum;
}
