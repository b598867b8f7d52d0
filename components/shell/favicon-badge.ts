import type { LeaseKind } from '@/components/lease-state';

export type BadgeKind = Exclude<LeaseKind, 'idle'>;

const INK = { light: '#18181d', dark: '#ededf0' } as const;

/** Badge of each state. The shapes differ, too: at sixteen pixels, and for people who see no colours. */
const BADGES: Readonly<Record<BadgeKind, string>> = {
  agent: '<circle cx="18" cy="6" r="5.5" fill="#7456f5" stroke="none"/>',
  human: '<circle cx="18" cy="6" r="4" fill="none" stroke="#d97706" stroke-width="3.5"/>',
  help: '<circle cx="18" cy="6" r="6" fill="#d6246e" stroke="none"/><path stroke="#fff" stroke-width="2.25" d="M18 2.75v3.5M18 9.2v.1"/>',
  stuck:
    '<path d="M15.5 0h5L24 3.5v5L20.5 12h-5L12 8.5v-5z" fill="#d92d20" stroke="none"/><path stroke="#fff" stroke-width="2.25" d="M15.25 6h5.5"/>',
};

/**
 * The steering wheel with the badge of a state, as SVG text for the favicon. Colours follow the browser's own scheme,
 * not the page's theme.
 */
export function badgedIcon(kind: BadgeKind, dark: boolean): string {
  const ink = dark ? INK.dark : INK.light;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="${ink}" stroke-linecap="round">`,
    '<circle cx="12" cy="12" r="9.5" stroke-width="2.5"/><circle cx="12" cy="12" r="2.25" stroke-width="2.5"/>',
    '<path stroke-width="2.5" d="M3.5 10.5 9.75 12M20.5 10.5 14.25 12M12 14.5V21"/>',
    BADGES[kind],
    '</svg>',
  ].join('');
}
