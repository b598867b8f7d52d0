import { placesOf } from '@/lib/secrets/addresses';
import { LEAST_SECRET, Redactor } from '@/lib/secrets/redactor';
import { redactView } from '@/lib/secrets/redact-view';
import { Secret } from '@/server/config/secret';
import { Emitter } from './emitter';

/**
 * Secrets that are known of one session, and characters of all of them. The oldest of the key or person that takes the
 * largest part is forgotten first, so that none drives out another's.
 */
const MOST = { secrets: 64, chars: 8_192 } as const;

interface Known {
  readonly secret: Secret;
  /** Participant id of who typed it. */
  readonly by: string;
  /** Hosts and path segments that held it before: they stay in addresses. */
  readonly places: readonly string[];
}

/**
 * The secrets of one session: what was typed into secret fields or privately, HTTP credentials, secret variables (T14,
 * R8). In memory, and sealed with what brings the session back. Whatever goes out of the session or into the store goes
 * by `redactor`.
 */
export class KnownSecrets {
  /** Another secret is known: what was read before may hold it. */
  readonly onChange = new Emitter<[]>();
  #known: Known[] = [];
  #redactor = new Redactor();
  /** Where the pages of the session are. */
  pages: () => readonly string[] = () => [];

  get redactor(): Redactor {
    return this.#redactor;
  }

  /**
   * Shorter ones are masked in their own field only.
   * @param instead a beginning of it that was known until now
   * @param places those of the session's pages that hold it now
   * @returns whether it was not known before
   */
  add(text: string, by: string, instead?: string, places: readonly string[] = placesOf(text, this.pages())): boolean {
    if (text.length < LEAST_SECRET || this.#known.some(({ secret }) => secret.reveal() === text)) return false;
    if (instead !== undefined) this.#known = this.#known.filter(({ secret }) => secret.reveal() !== instead);
    this.#known.push({ secret: new Secret('typed', text), by, places });
    while (this.#tooMuch()) this.#forgetOne();
    this.#redactor = new Redactor(
      this.#known.map(({ secret: one }) => one.reveal()),
      new Set(this.#known.flatMap((one) => one.places)),
    );
    this.onChange.emit();
    return true;
  }

  /** A view of ours without them. */
  shown<T extends object>(view: T): T {
    return redactView(this.#redactor, view);
  }

  /** For the sealed file, and nothing else. */
  reveal(): { text: string; by: string; places: readonly string[] }[] {
    return this.#known.map(({ secret, by, places }) => ({ text: secret.reveal(), by, places }));
  }

  /** The session has ended. */
  async erase(): Promise<void> {
    this.onChange.clear();
  }

  #tooMuch(): boolean {
    return (
      this.#known.length > 1 &&
      (this.#known.length > MOST.secrets ||
        this.#known.reduce((sum, { secret }) => sum + secret.reveal().length, 0) > MOST.chars)
    );
  }

  /** All names of one key count as one. */
  #forgetOne(): void {
    const parts = new Map<string, Part>();
    for (const { by, secret } of this.#known) {
      const { secrets, chars } = parts.get(payerOf(by)) ?? NOTHING;
      parts.set(payerOf(by), { secrets: secrets + 1, chars: chars + secret.reveal().length });
    }
    const [most] = [...parts].toSorted(([, one], [, other]) => shareOf(other) - shareOf(one))[0] ?? [];
    this.#known.splice(
      this.#known.findIndex(({ by }) => payerOf(by) === most),
      1,
    );
  }
}

/** What one key or person takes of the room. */
interface Part {
  readonly secrets: number;
  readonly chars: number;
}

const NOTHING: Part = { secrets: 0, chars: 0 };

function shareOf({ secrets, chars }: Part): number {
  return Math.max(secrets / MOST.secrets, chars / MOST.chars);
}

/** The names that agents of one key give themselves stand behind "/". */
function payerOf(participant: string): string {
  return participant.split('/', 1)[0] ?? participant;
}
