import type { PagePoint, PageReach } from './reach';

export interface SpotSeen {
  readonly box: { readonly left: number; readonly top: number; readonly width: number; readonly height: number };
  readonly view: string;
  readonly words: string;
}

/** What is at a point of the document, well enough to tell later whether it is still the same. */
export class PageSpots {
  readonly #reach: PageReach;

  constructor(reach: PageReach) {
    this.#reach = reach;
  }

  at(point: PagePoint): Element | null {
    return this.#reach.deepest(document, point) ?? null;
  }

  /** @param point of the document's viewport */
  read(element: Element, point: PagePoint): SpotSeen {
    const { left, top, width, height } = element.getBoundingClientRect();
    return {
      box: { left: left - point.x, top: top - point.y, width, height },
      view: `${window.innerWidth}x${window.innerHeight}@${window.visualViewport?.scale ?? 1}`,
      words: this.#words(element),
    };
  }

  /** Never what is typed in a field. */
  #words(element: Element): string {
    const control = element.closest('a[href], button, input, select, textarea, label, summary, [role], [onclick]');
    if (!control) return element === document.body || element === document.documentElement ? '' : this.#text(element);
    const states = [
      'href',
      'type',
      'role',
      'aria-label',
      'aria-checked',
      'aria-pressed',
      'aria-expanded',
      'aria-selected',
      'aria-disabled',
    ];
    const told = states.map((name) => control.getAttribute(name) ?? '');
    const field = control instanceof HTMLLabelElement ? control.control : control;
    const on = field instanceof HTMLInputElement && field.checked;
    return [control.localName, ...told, String(on), String(control.matches(':disabled')), this.#text(control)]
      .join('\n')
      .slice(0, 2_000);
  }

  #text(element: Element): string {
    if (element.localName === 'textarea' || element.localName === 'select') return '';
    return (element.textContent ?? '').replace(/\s+/g, ' ').trim().slice(0, 200);
  }
}
