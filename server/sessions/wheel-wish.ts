import type { Budget } from '@/lib/budget/budget';
import type { Holder } from '@/lib/control/lease';
import { WheelhouseError } from '@/lib/errors/error';
import type { WheelWish } from '@/lib/protocol/wheel';
import type { Caller } from './caller';
import type { Session } from './session';

/**
 * Does what somebody wants with the wheel, and returns when it is done (CO3-CO5): a wheel that was taken or given is with its new holder.
 * Throws FORBIDDEN, CONTROL_HELD, CONFLICT, TAB_NOT_FOUND, NOT_FOUND (nobody here is called so), TIMEOUT.
 */
export async function carryOutWish(budget: Budget, session: Session, caller: Caller, tab: string, wish: WheelWish): Promise<void> {
  session.require(caller.principal, 'drive');
  session.admit(caller);
  const { handover } = session;
  const scope = wish.scope ?? 'session';
  switch (wish.do) {
    case 'take':
      return handover.take(budget, caller, tab, scope);
    case 'request':
      return handover.request(caller, tab);
    case 'grant':
      return handover.grant(budget, caller, tab, scope, wish.note);
    case 'deny':
      return handover.deny(caller, tab);
    case 'hand-over':
      return handover.handOver(budget, caller, tab, receiver(session, wish.to), scope, wish.note);
    case 'release':
      return handover.release(budget, caller, tab);
    case 'hand-back':
      return handover.handBack(budget, caller, tab, wish.note);
  }
}

/** Somebody who is here and may drive. */
function receiver(session: Session, to: string | undefined): Holder {
  if (to === undefined) throw new WheelhouseError('BAD_REQUEST', 'Say whom the wheel goes to.', { hint: 'Give "to": the id or the name of a participant.' });
  const found = session.participants.present(to);
  const [one] = found;
  if (!one) throw new WheelhouseError('NOT_FOUND', `Nobody here is called "${to}", may drive and is present.`, { hint: 'The session lists its participants with id, name and whether they are online.' });
  if (found.length > 1) throw new WheelhouseError('CONFLICT', `${found.length} participants are called "${to}".`, { hint: 'Name one by id.', details: { ids: found.map(({ id }) => id) } });
  return one;
}
