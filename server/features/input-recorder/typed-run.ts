import { meaningOf } from '@/lib/input-recorder/keys';
import type { InputEvent } from '@/lib/protocol/input';
import type { KnownSecrets } from '@/server/browser/known-secrets';

/** Most characters of a text that are recorded as a secret. Characters. */
const MOST = 2_000;

/**
 * The text that a person types into one field without leaving it, assembled from keys. A secret one is registered for
 * masking before the page has it (T14).
 */
export class TypedRun {
  #text = '';
  #secret = false;
  /** The part that this run registered last; the complete text replaces it. */
  #registered: string | undefined;
  /** Texts that were pasted or inserted whole: each is a secret by itself, whatever precedes it. */
  readonly #whole = new Set<string>();

  constructor(
    private readonly secrets: KnownSecrets,
    private readonly by: string,
  ) {}

  /** Adds the event's text; false when the event begins another run. */
  takes(event: InputEvent): boolean {
    if (event.type === 'text' || event.type === 'paste') {
      this.#whole.add(event.text.slice(0, MOST));
      this.#put(this.#text + event.text);
    } else if (event.type === 'keydown') {
      const meaning = meaningOf(event, true);
      if (meaning.kind === 'text') this.#put(this.#text + meaning.text);
      else if (event.key === 'Backspace') this.#put([...this.#text].slice(0, -1).join(''));
      else return event.key !== 'Tab';
    }
    return event.type !== 'down';
  }

  /** Marks the run as secret: it went to a secret field, or was typed during a private hold. */
  isSecret(): void {
    this.#secret = true;
    this.#register();
  }

  #put(text: string): void {
    this.#text = text.slice(0, MOST);
    if (this.#secret) this.#register();
  }

  #register(): void {
    for (const text of this.#whole) this.secrets.add(text, this.by);
    if (this.secrets.add(this.#text, this.by, this.#registered))
      this.#registered = this.#whole.has(this.#text) ? undefined : this.#text;
  }
}
