import { meaningOf } from '@/lib/input-recorder/keys';
import type { InputEvent } from '@/lib/protocol/input';
import type { KnownSecrets } from '@/server/browser/known-secrets';

/** Longer texts are known by their beginning. Characters. */
const MOST = 2_000;

/**
 * What a person types into one field without going elsewhere, put together from keys: known before the page has it, if
 * it is secret (T14).
 */
export class TypedRun {
  #text = '';
  #secret = false;
  /** What of it became known by this: only the whole of it is the secret, in the end. */
  #told: string | undefined;
  /** What came in one piece: a secret by itself, whatever stood before it. */
  readonly #whole = new Set<string>();

  constructor(
    private readonly secrets: KnownSecrets,
    private readonly by: string,
  ) {}

  /** False where another run begins with this event. */
  takes(event: InputEvent): boolean {
    if (event.type === 'text' || event.type === 'paste') {
      this.#whole.add(event.text.slice(0, MOST));
      this.#put(this.#text + event.text);
    } else if (event.type === 'keydown') {
      const meaning = meaningOf(event, true);
      if (meaning.sort === 'text') this.#put(this.#text + meaning.text);
      else if (event.key === 'Backspace') this.#put([...this.#text].slice(0, -1).join(''));
      else return event.key !== 'Tab';
    }
    return event.type !== 'down';
  }

  /** It went to a secret field, or was typed privately. */
  isSecret(): void {
    this.#secret = true;
    this.#tell();
  }

  #put(text: string): void {
    this.#text = text.slice(0, MOST);
    if (this.#secret) this.#tell();
  }

  #tell(): void {
    for (const text of this.#whole) this.secrets.add(text, this.by);
    if (this.secrets.add(this.#text, this.by, this.#told))
      this.#told = this.#whole.has(this.#text) ? undefined : this.#text;
  }
}
