export interface Delivery {
  readonly id: 'standard' | 'express' | 'pickup';
  readonly label: string;
  readonly about: string;
  /** Pence. */
  readonly price: number;
}

export const DELIVERIES: readonly [Delivery, Delivery, Delivery] = [
  { id: 'standard', label: 'Standard', about: '3 to 5 days, by bicycle and van', price: 395 },
  { id: 'express', label: 'Express', about: 'next working day before noon', price: 795 },
  { id: 'pickup', label: 'Pick up', about: 'from the glasshouse in Bristol', price: 0 },
];

export const COUNTRIES: readonly { readonly code: string; readonly name: string }[] = [
  { code: 'GB', name: 'United Kingdom' },
  { code: 'IE', name: 'Ireland' },
  { code: 'FR', name: 'France' },
  { code: 'DE', name: 'Germany' },
  { code: 'NL', name: 'Netherlands' },
  { code: 'ES', name: 'Spain' },
  { code: 'CN', name: 'China' },
  { code: 'JP', name: 'Japan' },
  { code: 'US', name: 'United States' },
];

const DAY_MS = 86_400_000;
const LONGEST_DAYS = 90;

/** `2026-12-24` of a moment, in UTC: the shop has one calendar. */
function dayOf(moment: Date): string {
  return moment.toISOString().slice(0, 10);
}

/** The first and the last day on which we deliver, seen from `now`. */
export function deliveryDays(now: Date): { readonly first: string; readonly last: string } {
  return {
    first: dayOf(new Date(now.getTime() + DAY_MS)),
    last: dayOf(new Date(now.getTime() + LONGEST_DAYS * DAY_MS)),
  };
}

/** True for a real calendar day written as `2026-12-24`. */
export function isDay(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`);
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(time) && dayOf(new Date(time)) === text;
}

/** `24 December 2026` of a day written as `2026-12-24`. */
export function longDay(day: string): string {
  return new Date(`${day}T00:00:00Z`).toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });
}
