import { placesOf } from '@/lib/secrets/addresses';
import { LEAST_SECRET, Redactor } from '@/lib/secrets/redactor';
import { redactView } from '@/lib/secrets/redact-view';
import { Secret } from '@/server/config/secret';
import { Emitter } from './emitter';

/**
 * The most known secrets of a session and their total characters. The session drops the oldest secret of the key or
 * person with the largest share, so that nobody displaces another's secrets.
 */
const MOST = { secrets: 64, chars: 8_192 } as const;

interface Known {
  readonly secret: Secret;
  /** The participant id of who typed it. */
  readonly by: string;
  /** Hosts and path segments that contained the text before it was a secret; addresses keep them readable. */
  readonly places: readonly string[];
}

/**
 * The known secrets of one session: text typed into secret fields or privately, HTTP credentials, secret variables
 * (T14, R8). Kept in memory and in the sealed session file. `redactor` masks them in everything that leaves the session
 * or enters the store.
 */
export class KnownSecrets {
  /** Fires for each new secret, because earlier readings may contain it. */
  readonly onChange = new Emitter<[]>();
  #known: Known[] = [];
  #redactor = new Redactor();
  /** The addresses of the session's pages. */
  pages: () => readonly string[] = () => [];

  get redactor(): Redactor {
    return this.#redactor;
  }

  /**
   * Adds a secret. Shorter texts are masked in their own field only.
   * @param instead a known beginning of the text, which it replaces
   * @param places the parts of the session's addresses that contain it now
   * @returns whether it was unknown before
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

  /** Returns a copy of a view with the secrets masked. */
  shown<T extends object>(view: T): T {
    return redactView(this.#redactor, view);
  }

  /** The clear text, only for the sealed file. */
  reveal(): { text: string; by: string; places: readonly string[] }[] {
    return this.#known.map(({ secret, by, places }) => ({ text: secret.reveal(), by, places }));
  }

  /** Called at the session's end. */
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

  /** Drops one secret. All agent names of one key count as one. */
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

/** The share of one key or person. */
interface Part {
  readonly secrets: number;
  readonly chars: number;
}

const NOTHING: Part = { secrets: 0, chars: 0 };

function shareOf({ secrets, chars }: Part): number {
  return Math.max(secrets / MOST.secrets, chars / MOST.chars);
}

/** The key of an agent without the agent name after "/". */
function payerOf(participant: string): string {
  return participant.split('/', 1)[0] ?? participant;
}
