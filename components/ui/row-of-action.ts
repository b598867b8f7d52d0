/** The row of the timeline that opened a dialog: there the keyboard returns to. */
export function rowOfAction(id: string): HTMLElement | null {
  return (
    [...document.querySelectorAll<HTMLElement>('[data-moment]')].find(({ dataset }) => dataset['moment'] === id) ?? null
  );
}
