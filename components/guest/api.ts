import { z } from 'zod';
import { call } from '@/components/session-client/api';

const openedSchema = z.object({ session: z.string(), guest: z.object({ id: z.string(), name: z.string() }) });

export interface Opening {
  /** What stands behind the `#` of the address; without it the cookie of an earlier visit counts. */
  readonly secret?: string | undefined;
  readonly name?: string | undefined;
  readonly password?: string | undefined;
}

/** Opens a share link, or goes on under another name. The answer sets the cookie that the connection then needs. */
export function openLink(link: string, opening: Opening) {
  return call('POST', `/links/${encodeURIComponent(link)}/open`, openedSchema, opening);
}
