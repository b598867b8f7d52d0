import { z } from 'zod';
import type { Point } from '@/lib/actions/shared';

/** A pointer that has not moved for this long is not shown any more. Milliseconds. */
export const CURSOR_LIFE_MS = 10_000;

/** Participants whose pointers are known, those who have gone included. */
const MOST_CURSORS = 300;

interface Place extends Point {
  /** Undefined: the pointer is on no page. */
  readonly tab: string | undefined;
  /** The number of this change. */
  readonly change: number;
  /** Monotonic milliseconds. */
  readonly at: number;
}

/** What has changed on a tab for one viewer. `who`: participant id. CSS pixels of the viewport. */
export const cursorNewsSchema = z.object({
  moved: z.array(z.object({ who: z.string(), x: z.number(), y: z.number() })),
  /** Their pointers are not on this tab; the viewer may not have known of them. */
  gone: z.array(z.string()),
});
export type CursorNews = z.infer<typeof cursorNewsSchema>;

/**
 * Where the pointers of a session's participants are (AU5). It keeps the last place of each, not the way there: however
 * many moves lie between two looks of a viewer, the second gets one place for each participant.
 */
export class CursorBoard {
  readonly #places = new Map<string, Place>();
  #change = 0;

  /** The number of the last change; equal to that of a viewer's last news: there is nothing new. */
  get change(): number {
    return this.#change;
  }

  moved(who: string, tab: string, { x, y }: Point, now: number): void {
    this.#set(who, { tab, x, y, at: now });
  }

  /** The pointer left this tab; no effect when it is on another one, as of somebody with two windows. */
  leftPage(who: string, tab: string, now: number): void {
    if (this.#places.get(who)?.tab === tab) this.gone(who, now);
  }

  /** The pointer is on no page any more. */
  gone(who: string, now: number): void {
    if (this.#places.get(who)?.tab !== undefined) this.#set(who, { tab: undefined, x: 0, y: 0, at: now });
  }

  /** No pointer is on this tab any more: it was closed, or is hidden. */
  leftTab(tab: string, now: number): void {
    for (const [who, place] of [...this.#places]) if (place.tab === tab) this.gone(who, now);
  }

  /** Removes pointers that rest. Milliseconds until the next one may; undefined: there is none. */
  fade(now: number): number | undefined {
    const shown = [...this.#places].filter(([, { tab }]) => tab !== undefined);
    const resting = shown.filter(([, { at }]) => now - at >= CURSOR_LIFE_MS);
    for (const [who] of resting) this.gone(who, now);
    const left = shown.filter((entry) => !resting.includes(entry)).map(([, { at }]) => at + CURSOR_LIFE_MS - now);
    return left.length === 0 ? undefined : Math.min(...left);
  }

  /**
   * What changed after `since` for a viewer of this tab, their own pointer left out. `change`: pass it to the next
   * call.
   */
  news(tab: string, since: number, viewer: string): CursorNews & { readonly change: number } {
    const changed = [...this.#places].filter(([who, { change }]) => who !== viewer && change > since);
    return {
      moved: changed.flatMap(([who, place]) => (place.tab === tab ? [{ who, x: place.x, y: place.y }] : [])),
      gone: changed.flatMap(([who, place]) => (place.tab === tab ? [] : [who])),
      change: this.#change,
    };
  }

  #set(who: string, place: Omit<Place, 'change'>): void {
    this.#change += 1;
    this.#places.delete(who);
    this.#places.set(who, { ...place, change: this.#change });
    if (this.#places.size <= MOST_CURSORS) return;
    const [oldest] = this.#places.keys();
    if (oldest !== undefined) this.#places.delete(oldest);
  }
}
