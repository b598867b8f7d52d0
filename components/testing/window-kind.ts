import { PHONE } from '@/components/ui/use-media';

/** jsdom has no media queries: makes its window that of a phone or of a desk. */
export function windowIs(kind: 'phone' | 'desk'): void {
  window.matchMedia = (media) =>
    Object.assign(new EventTarget(), {
      media,
      matches: kind === 'phone' && media === PHONE,
      onchange: null,
      addListener: () => undefined,
      removeListener: () => undefined,
    });
}
