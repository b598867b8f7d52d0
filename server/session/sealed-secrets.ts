import { z } from 'zod';
import { messageOf } from '@/lib/errors/error';
import { KnownSecrets } from '@/server/browser/known-secrets';
import type { SealedFiles } from '@/server/store/sealed-files';
import type { Logger } from '@/server/telemetry/logger';

const savedSchema = z.array(z.object({ text: z.string(), by: z.string() }));

/** Beside what brings the session back; it goes when that goes. */
const fileOf = (session: string): string => `${session}.secrets`;

/**
 * The secrets that are known of a session, with those of an earlier run of the server; sealed as its cookies are, since
 * pages outlive a server (T14, BR5).
 */
export async function knownSecrets(files: SealedFiles, session: string, logger: Logger): Promise<KnownSecrets> {
  const secrets = new KnownSecrets();
  const saved = await files.read(fileOf(session));
  for (const { text, by } of saved === undefined ? [] : (savedSchema.safeParse(JSON.parse(saved)).data ?? []))
    secrets.add(text, by);
  let writing = Promise.resolve();
  let waits = false;
  secrets.onChange.on(() => {
    if (waits) return;
    waits = true;
    writing = writing
      .then(() => {
        waits = false;
        return files.write(fileOf(session), JSON.stringify(secrets.reveal()));
      })
      .catch((error: unknown) =>
        logger.warn({ session, reason: messageOf(error) }, 'the secrets of a session were not sealed'),
      );
  });
  return secrets;
}

/** The session has ended. */
export function forgetSecrets(files: SealedFiles, session: string): Promise<void> {
  return files.remove(fileOf(session));
}
