import type { Emitter } from '../emitter';
import type { Budget } from '@/lib/budget/budget';
import type { DialogView } from '@/lib/actions/reply';
import { WheelhouseError } from '@/lib/errors/error';
import { CdpError } from '@/server/cdp/protocol';

/** The part of a tab's dialogs that input needs; `Dialogs` fits. */
export interface DialogSignal {
  readonly current: DialogView | undefined;
  readonly onOpen: Pick<Emitter<[DialogView]>, 'on' | 'next'>;
}

/**
 * `dialog`: the event opened a dialog, and Chrome acknowledges it only after the dialog is closed, so it is not awaited
 * (DI1).
 */
export type InputDelivery = 'done' | 'dialog';

/**
 * Waits until Chrome has acknowledged the events of one gesture, or a dialog opened, whichever is first. Throws what
 * the budget or the fence throws. Chrome's error "navigated or closed" counts as done: the event took effect.
 */
export async function delivered(
  budget: Budget,
  dialogs: DialogSignal,
  events: readonly Promise<unknown>[],
): Promise<InputDelivery> {
  const opened = dialogs.onOpen.next((): InputDelivery => 'dialog');
  const acknowledged = Promise.all(events.map(tolerant)).then((): InputDelivery => 'done');
  try {
    return await budget.race(Promise.race([acknowledged, opened.promise]));
  } finally {
    opened.stop();
  }
}

async function tolerant(event: Promise<unknown>): Promise<void> {
  try {
    await event;
  } catch (error) {
    const gone = error instanceof CdpError && /navigated|closed|detached|crashed/i.test(error.detail);
    const closed = error instanceof WheelhouseError && error.code === 'TAB_NOT_FOUND';
    if (!gone && !closed) throw error;
  }
}

/**
 * Sends the release of a key or button, and calls `up` when nothing of it is down any more: Chrome has the event, or it
 * refuses it, because its page crashed or was replaced and nothing is down in the next one (I6). After a refusal by the
 * fence it is still down. Passes on all errors.
 */
export async function sendRelease(send: () => Promise<unknown>, up: () => void): Promise<void> {
  try {
    await send();
  } catch (error) {
    const crashed = error instanceof WheelhouseError && error.code === 'TAB_CRASHED';
    if (crashed || error instanceof CdpError) up();
    throw error;
  }
  up();
}
