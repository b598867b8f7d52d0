import { linkTermsFields, type LinkGrant } from '@/lib/links/link-terms';
import type { LinkRequest } from './api';
import type { LinkView } from '@/lib/links/link-view';

/** Lifetimes to choose from, in seconds. */
export const LIVES = { quarter: 900, hour: 3_600, workday: 28_800, day: 86_400, week: 604_800 } as const;
export type Life = keyof typeof LIVES;
export const LIFE_NAMES = ['quarter', 'hour', 'workday', 'day', 'week'] as const satisfies readonly Life[];

/** What the form of a link holds, as its person typed it. */
export interface Draft {
  readonly drive: boolean;
  readonly files: boolean;
  readonly clipboard: boolean;
  readonly oneTab: boolean;
  readonly life: Life | 'same';
  readonly viewers: string;
  readonly passcode: string;
  /** Take the passcode of a link away. */
  readonly passcodeOff: boolean;
}

/** A link to watch for an hour, or the link as it is. */
export function draftOf(old: LinkView | undefined): Draft {
  const has = (grant: LinkGrant) => old?.grants.includes(grant) === true;
  return {
    ...{ drive: has('drive'), files: has('files'), clipboard: has('clipboard'), oneTab: false },
    ...{ life: old ? 'same' : 'hour', viewers: `${old?.maxViewers ?? ''}`, passcode: '', passcodeOff: false },
  };
}

/** The fields that cannot be used as they are. */
export function problemsOf({ viewers, passcode }: Draft): { viewers: boolean; passcode: boolean } {
  return {
    viewers: viewers.trim() !== '' && !linkTermsFields.maxViewers.safeParse(Number(viewers)).success,
    passcode: passcode !== '' && !linkTermsFields.password.safeParse(passcode).success,
  };
}

/**
 * The request of a draft.
 *
 * @param tab the tab that `oneTab` means
 */
export function requestOf(draft: Draft, old: LinkView | undefined, tab?: string): LinkRequest {
  const most = draft.viewers.trim() === '' ? null : Number(draft.viewers);
  const grants: LinkGrant[] = ['watch'];
  if (draft.drive) grants.push('drive');
  if (draft.files) grants.push('files');
  if (draft.drive && draft.clipboard) grants.push('clipboard');
  return {
    grants,
    ...(draft.life !== 'same' && { expiresIn: LIVES[draft.life] }),
    ...(old ? old.maxViewers !== most && { maxViewers: most } : most !== null && { maxViewers: most }),
    ...(draft.passcodeOff ? { password: null } : draft.passcode !== '' && { password: draft.passcode }),
    ...(draft.oneTab && tab !== undefined && { tab }),
  };
}
