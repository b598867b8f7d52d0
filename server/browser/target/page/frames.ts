/** Animation frames as promises; runs inside the page. */
export class PageFrames {
  /** The next animation frame, or soon after where none comes: a throttled frame, a tab that does not paint. */
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
