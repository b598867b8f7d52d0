import { z } from 'zod';
import { call } from '@/components/session-client/api';
import type { LinkGrant } from '@/lib/links/link-terms';
import { linkViewSchema, newLinkSchema } from '@/lib/links/link-view';

const linksSchema = z.object({ reach: z.enum(['everywhere', 'this-computer']), links: z.array(linkViewSchema) });

/** What the maker of a link chooses; left out: it stays as it is, or takes its default. */
export interface LinkRequest {
  readonly grants?: readonly LinkGrant[];
  /** Seconds from now. */
  readonly expiresIn?: number;
  /** Null takes the limit away, likewise `password`. */
  readonly maxViewers?: number | null;
  readonly password?: string | null;
  readonly tab?: string;
}

const pathOf = (session: string, id?: string) =>
  `/sessions/${encodeURIComponent(session)}/links${id === undefined ? '' : `/${encodeURIComponent(id)}`}`;

export const linksApi = {
  list: (session: string) => call('GET', pathOf(session), linksSchema),
  make: (session: string, request: LinkRequest) => call('POST', pathOf(session), newLinkSchema, request),
  change: (session: string, id: string, request: LinkRequest) =>
    call('PATCH', pathOf(session, id), linkViewSchema, request),
  end: (session: string, id: string) => call('DELETE', pathOf(session, id), z.unknown()),
} as const;
