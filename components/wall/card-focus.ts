/** The focusable link of a session's card; of the first card when there is none for that session. */
export function cardLink(session?: string): HTMLElement | null {
  const own =
    session === undefined ? null : document.querySelector<HTMLElement>(`[data-card-link="${CSS.escape(session)}"]`);
  return own ?? document.querySelector<HTMLElement>('[data-card-link]');
}

/** Focuses the first card. */
export function focusFirstCard(): void {
  cardLink()?.focus();
}
