/** The timeline row that opened a dialog; the focus returns to it. */
export function rowOfAction(id: string): HTMLElement | null {
  return (
    [...document.querySelectorAll<HTMLElement>('[data-moment]')].find(({ dataset }) => dataset['moment'] === id) ?? null
  );
}
