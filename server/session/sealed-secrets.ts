import { z } from 'zod';
import { messageOf } from '@/lib/errors/error';
import { KnownSecrets } from '@/server/browser/known-secrets';
import type { SealedFiles } from '@/server/store/sealed-files';
import type { Logger } from '@/server/telemetry/logger';

const savedSchema = z.array(
  z.object({ text: z.string(), by: z.string(), places: z.array(z.string()).optional().default([]) }),
);

/**
 * Keeps the known secrets of a session in a sealed file, as its cookies are, because pages outlive a server (T14, BR5).
 */
export class SealedSecrets extends KnownSecrets {
  #writing = Promise.resolve();
  #waits = false;

  private constructor(
    private readonly files: SealedFiles,
    private readonly session: string,
    private readonly logger: Logger,
  ) {
    super();
  }

  /** Reads the secrets that an earlier run of the server saved. */
  static async open(files: SealedFiles, session: string, logger: Logger): Promise<SealedSecrets> {
    const secrets = new SealedSecrets(files, session, logger);
    const saved = await files.read(fileOf(session));
    const known = saved === undefined ? [] : (savedSchema.safeParse(JSON.parse(saved)).data ?? []);
    for (const { text, by, places } of known) secrets.add(text, by, undefined, places);
    secrets.onChange.on(() => secrets.#save());
    return secrets;
  }

  /** Removes the file of an ended session, after the running write, so that none remains. */
  override async erase(): Promise<void> {
    this.onChange.clear();
    await this.#writing;
    await this.files.remove(fileOf(this.session));
  }

  #save(): void {
    if (this.#waits) return;
    this.#waits = true;
    this.#writing = this.#writing
      .then(() => {
        this.#waits = false;
        return this.files.write(fileOf(this.session), JSON.stringify(this.reveal()));
      })
      .catch((error: unknown) => {
        const { session } = this;
        this.logger.warn({ session, reason: messageOf(error) }, 'the secrets of a session were not sealed');
      });
  }
}

/** The file name, beside the session's autosave; both are removed together. */
const fileOf = (session: string): string => `${session}.secrets`;
