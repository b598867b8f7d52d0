/** The part of a card that takes the keyboard; of the first card when there is no such session (any more). */
export function cardLink(session?: string): HTMLElement | null {
  const own =
    session === undefined ? null : document.querySelector<HTMLElement>(`[data-card-link="${CSS.escape(session)}"]`);
  return own ?? document.querySelector<HTMLElement>('[data-card-link]');
}

/** Gives the keyboard to the first card. */
export function focusFirstCard(): void {
  cardLink()?.focus();
}
