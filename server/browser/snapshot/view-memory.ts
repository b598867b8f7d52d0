/** So many texts are kept for a tab, of all forms that are asked for, and so many characters of them together. */
const LIMITS = { texts: 24, chars: 1_500_000 } as const;

/** What a tab's page said at earlier revisions, by the form it was asked for in; the oldest is let go first (SN7). */
export class ViewMemory {
  readonly #texts = new Map<string, string>();
  #chars = 0;

  /** Of all texts together, characters. */
  get chars(): number {
    return this.#chars;
  }

  forgetAll(): void {
    this.#texts.clear();
    this.#chars = 0;
  }

  keep(form: string, revision: number, text: string): void {
    const key = keyOf(form, revision);
    this.#forget(key);
    this.#texts.set(key, text);
    this.#chars += text.length;
    for (const oldest of this.#texts.keys()) {
      if (this.#texts.size <= LIMITS.texts && this.#chars <= LIMITS.chars) return;
      this.#forget(oldest);
    }
  }

  textAt(form: string, revision: number): string | undefined {
    return this.#texts.get(keyOf(form, revision));
  }

  #forget(key: string): void {
    this.#chars -= this.#texts.get(key)?.length ?? 0;
    this.#texts.delete(key);
  }
}

function keyOf(form: string, revision: number): string {
  return `${revision} ${form}`;
}
