import { WheelhouseError } from '@/lib/errors/error';
import { grantsIn } from '@/lib/rights/grants';
import type { LinkOffer, LinkRefusal } from '@/lib/links/link-terms';
import type { LinkView } from '@/lib/links/link-view';
import type { Guest, Link } from '@/server/store/links';
import { coarseAddress } from './address-key';
import type { GuestPrincipal } from './principal';

export function linkView(
  link: Link,
  {
    guests,
    isHere,
    ended,
  }: {
    readonly guests: readonly Guest[];
    readonly isHere: (guest: string) => boolean;
    readonly ended: LinkView['ended'];
  },
): LinkView {
  const { id, session, tab, grants, maxViewers, passcode, by, createdAt, expiresAt, wrong } = link;
  return {
    ...{
      id,
      session,
      tab: tab ?? null,
      grants: [...grants],
      maxViewers: maxViewers ?? null,
      password: passcode !== undefined,
    },
    ...{ by, createdAt, expiresAt, ended, wrong },
    uses: guests.map((guest) => ({
      ...{ guest: guest.id, name: guest.name, address: coarseAddress(guest.address) },
      ...{ firstAt: guest.createdAt, lastAt: guest.lastSeenAt, here: isHere(guest.id) },
    })),
  };
}

/** What a link gives its guest at this moment, where, and until when. */
export function linkOffer({
  link: { id, session, tab, by },
  rights,
  expiresAt,
}: Pick<GuestPrincipal, 'rights' | 'expiresAt' | 'link'>): LinkOffer {
  const grants = [...grantsIn({ rights }, session)];
  return { id, session, tab: tab ?? null, grants, expiresAt: new Date(expiresAt).toISOString(), by };
}

const TEXTS: Readonly<Record<LinkRefusal, readonly [message: string, hint: string]>> = {
  revoked: ['This link was ended by the person who shared it.', 'Ask them for a new one.'],
  expired: ['The time of this link is over.', 'Ask the person who shared it for a new one.'],
  session: ['The session that this link shows has ended.', 'Ask the person who shared it for a new one.'],
  maker: ['This link has ended, because the person who shared it may not share the session any more.', 'Ask them.'],
  unknown: ['This is no link that opens anything here.', 'Open the whole address, also what follows the #.'],
  passcode: ['This link asks for a passcode.', 'Ask the person who shared it.'],
  changed: ['The passcode of this link was changed.', 'Open the whole address again.'],
  full: ['This link has as many viewers as it allows.', 'Try again when somebody has left.'],
};

/** UNAUTHENTICATED with `details.reason`; QUOTA where only the number of viewers is in the way. */
export function linkRefused(reason: LinkRefusal): WheelhouseError {
  const [message, hint] = TEXTS[reason];
  return new WheelhouseError(reason === 'full' ? 'QUOTA' : 'UNAUTHENTICATED', message, { hint, details: { reason } });
}
