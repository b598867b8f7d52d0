/** Animation frames as promises; runs inside the page. */
export class PageFrames {
  /**
   * Resolves at the next animation frame, or after 100 ms where none comes: in a throttled frame, or a tab that does
   * not paint.
   */
  next(): Promise<void> {
    return new Promise((resolve) => {
      const late = setTimeout(resolve, 100);
      requestAnimationFrame(() => {
        clearTimeout(late);
        resolve();
      });
    });
  }
}
