import { PHONE } from '@/components/ui/use-media';

/** Gives jsdom's window, which has no media queries, those of a phone or of a desktop with a mouse. */
export function windowIs(kind: 'phone' | 'desk'): void {
  window.matchMedia = (media) =>
    Object.assign(new EventTarget(), {
      media,
      matches: media === (kind === 'phone' ? PHONE : '(pointer: fine)'),
      onchange: null,
      addListener: () => undefined,
      removeListener: () => undefined,
    });
}
