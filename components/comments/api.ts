import { z } from 'zod';
import { call } from '@/components/session-client/api';
import type { Aim } from '@/lib/comments/comment';

export interface NewComment extends Aim {
  readonly text: string;
  /** Id of the comment that it answers. */
  readonly reply?: string;
}

const writtenSchema = z.object({ id: z.string() });
const pathOf = (session: string) => `/sessions/${encodeURIComponent(session)}`;

/** The answers say little: the changed comment comes by push. */
export const commentsApi = {
  add: (session: string, tab: string, comment: NewComment) =>
    call('POST', `${pathOf(session)}/tabs/${encodeURIComponent(tab)}/comments`, writtenSchema, comment),
  resolve: (session: string, id: string) =>
    call('POST', `${pathOf(session)}/comments/${encodeURIComponent(id)}/resolve`, writtenSchema),
  pass: (session: string, id: string) =>
    call('POST', `${pathOf(session)}/comments/${encodeURIComponent(id)}/pass`, writtenSchema),
} as const;
