import type { Grant } from '@/lib/rights/grants';

type PlainGrant = Exclude<Grant, 'clipboard:copy' | 'clipboard:paste'>;

/** The key of a grant in the messages, where a colon or dot would be read as a path. */
export function grantKey<T extends PlainGrant>(grant: T): T;
export function grantKey(grant: Grant): PlainGrant | 'copy' | 'paste';
export function grantKey(grant: Grant): PlainGrant | 'copy' | 'paste' {
  if (grant === 'clipboard:copy') return 'copy';
  return grant === 'clipboard:paste' ? 'paste' : grant;
}
