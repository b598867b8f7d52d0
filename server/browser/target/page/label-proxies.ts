import type { Rect } from './rect';

/**
 * Elements that are pressed at another element's place: areas of an image map, and inputs whose label is what people
 * see. Runs inside the page.
 */
export class PageLabelProxies {
  /** The visible label of a checkbox, radio button or file field, which the page may have hidden. */
  labelOf(element: Element): Element | undefined {
    if (element.localName !== 'input' || !/^(checkbox|radio|file)$/.test(element.getAttribute('type') ?? ''))
      return undefined;
    const labels: unknown = 'labels' in element ? element.labels : undefined;
    return labels instanceof NodeList ? Array.from(labels).find((label) => label instanceof Element) : undefined;
  }

  /** The image that shows an `area`. */
  imageOf(element: Element): Element | undefined {
    if (element.localName !== 'area') return undefined;
    const map = element.closest('map')?.getAttribute('name') ?? '';
    return Array.from(element.ownerDocument.querySelectorAll('img[usemap], object[usemap]')).find(
      (image) => image.getAttribute('usemap') === `#${map}`,
    );
  }

  /**
   * The bounding box of an area's shape, which counts from its image's content box. Undefined for all other elements.
   */
  areaBox(element: Element): Rect | undefined {
    const image = this.imageOf(element);
    if (!image) return undefined;
    const { left, top, width, height } = image.getBoundingClientRect();
    const style = getComputedStyle(image);
    const at = {
      x: left + image.clientLeft + Number.parseFloat(style.paddingLeft),
      y: top + image.clientTop + Number.parseFloat(style.paddingTop),
    };
    const numbers = (element.getAttribute('coords') ?? '').split(',').map(Number).filter(Number.isFinite);
    const [x = 0, y = 0, radius = 0] = numbers;
    switch (element.getAttribute('shape')?.toLowerCase()) {
      case 'default':
        return { ...at, width, height };
      case 'circle':
      case 'circ':
        return { x: at.x + x - radius, y: at.y + y - radius, width: 2 * radius, height: 2 * radius };
      default:
        return this.#around(numbers, at);
    }
  }

  #around(numbers: readonly number[], at: { readonly x: number; readonly y: number }): Rect {
    const xs = numbers.filter((_, index) => index % 2 === 0);
    const ys = numbers.filter((_, index) => index % 2 === 1);
    const [left, top] = [Math.min(...xs), Math.min(...ys)];
    return { x: at.x + left, y: at.y + top, width: Math.max(...xs) - left, height: Math.max(...ys) - top };
  }
}
