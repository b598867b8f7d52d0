import { z } from 'zod';
import { asWheelhouseError } from '@/lib/errors/error';
import { logEntry } from '@/server/access/log';
import { credentialName } from '@/server/access/principal';
import type { Caller } from '@/server/session/caller';
import type { Services } from './services';

const details = z.object({ grant: z.string() });

/**
 * Counts a call that was refused for want of a right in the log of the workspace (TL1). Refused actions also stand in
 * the timeline of their session.
 *
 * @param what the route or event
 */
export function noteRefusal({ access }: Services, { principal, door }: Caller, what: string, thrown: unknown): void {
  const error = asWheelhouseError(thrown);
  if (error.code !== 'FORBIDDEN') return;
  const { data } = details.safeParse(error.details);
  const wanted = data ? `${what} (${data.grant})` : what;
  access.log.count(principal.workspace, credentialName(principal.credential), (times) => ({
    ...logEntry(principal, { code: 'refused', what: wanted, times }),
    door,
  }));
}
