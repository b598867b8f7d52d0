import { PHONE } from '@/components/ui/use-media';

/** Gives jsdom's window, which has no media queries, those of a phone or of a desktop. */
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
