import type { ReactNode } from 'react';
import type { WheelKind } from '@/components/wheel-state';
import type { Box } from '@/lib/protocol/catalog';

/** Outlines an element of the page and names it. `box` is in CSS pixels of the viewport; `wheel` gives the colour. */
export function ElementOutline({ box, scale, wheel = 'agent', children }: { box: Box; scale: number; wheel?: WheelKind; children: ReactNode }) {
  const below = box.y * scale < 26;
  return (
    <div
      aria-hidden
      data-wheel={wheel}
      className="pointer-events-none absolute rounded-sm border-2 border-wheel bg-wheel/10"
      style={{ left: box.x * scale - 3, top: box.y * scale - 3, width: box.width * scale + 6, height: box.height * scale + 6 }}
    >
      <span
        className="absolute right-0 max-w-80 truncate rounded-xs bg-wheel px-1.5 text-2xs leading-[18px] font-semibold text-on-wheel"
        style={below ? { top: '100%', marginTop: 4 } : { bottom: '100%', marginBottom: 4 }}
      >
        {children}
      </span>
    </div>
  );
}
