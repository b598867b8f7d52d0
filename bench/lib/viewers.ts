import { Child } from './child';
import type { ViewerOrder } from './viewer-orders';

/** The process of the viewers of a relay. */
export class Viewers extends Child<ViewerOrder> {
  constructor() {
    super(new URL('./viewers-process.ts', import.meta.url));
  }
}
