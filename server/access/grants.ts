import { z } from 'zod';

/** What a principal may be allowed, each apart from the others (AU3). */
export const GRANTS = ['watch', 'drive', 'evaluate', 'files', 'clipboard', 'share', 'manage'] as const;
export const grantSchema = z.enum(GRANTS);
export type Grant = z.infer<typeof grantSchema>;

/** What each grant allows, to complete "This needs the grant …". */
export const GRANT_MEANINGS: Readonly<Record<Grant, string>> = {
  watch: 'see the page, its snapshot and the timeline',
  drive: 'act on a page and take the wheel',
  evaluate: 'run scripts in a page',
  files: 'up- and download files',
  clipboard: 'copy out of and paste into a page',
  share: 'invite others by link',
  manage: 'start and stop browsers and manage keys',
};
