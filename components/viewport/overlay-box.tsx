import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import type { LeaseKind } from '@/components/lease-state';
import type { Box } from '@/lib/protocol/catalog';

interface OutlineProps {
  /** CSS pixels of the viewport. */
  box: Box;
  scale: number;
  /** Chooses the colour. */
  lease?: LeaseKind;
  /** The element's name beside the outline. It covers the page there, so it is for short outlines. */
  children?: ReactNode;
  /** A small icon on the corner, for outlines that stay. */
  sign?: LucideIcon;
}

/** Outlines an element of the page. */
export function ElementOutline({ box, scale, lease = 'agent', sign: Sign, children }: OutlineProps) {
  const below = box.y * scale < 26;
  return (
    <div
      aria-hidden
      data-lease={lease}
      className="pointer-events-none absolute rounded-sm border-2 border-lease bg-lease/10"
      style={{
        left: box.x * scale - 3,
        top: box.y * scale - 3,
        width: box.width * scale + 6,
        height: box.height * scale + 6,
      }}
    >
      {Sign && (
        <span
          className="absolute -right-2.5 grid size-4.5 place-items-center rounded-full bg-lease text-on-lease max-sm:-right-2 max-sm:size-3.5"
          style={{ top: below ? 0 : -10 }}
        >
          <Sign className="size-3 max-sm:size-2.5" />
        </span>
      )}
      {children !== undefined && (
        <span
          className="absolute right-0 max-w-80 truncate rounded-xs bg-lease px-1.5 text-2xs leading-[18px] font-semibold text-on-lease"
          style={below ? { top: '100%', marginTop: 4 } : { bottom: '100%', marginBottom: 4 }}
        >
          {children}
        </span>
      )}
    </div>
  );
}
