import { accessOf } from '@/lib/actions/kinds';
import { WheelhouseError } from '@/lib/errors/error';
import { fencedSession, type FencedSession } from '@/server/browser/write';
import type { Command } from '@/server/cdp/protocol';
import type { SessionKernel } from '../kernel';
import type { Leases } from '../leases';
import { actorOf } from '../participants';
import { changesSession } from '../rights';
import type { ActionCall } from './call';
import type { RunningAction } from './running-actions';

/** The right to write. `check` throws when it is lost; call it right before every write (CO2). */
export interface WriteRight {
  readonly epoch?: number;
  check(): void;
  /** Waits for a pending lease change that would end the right; undefined when there is none. */
  pendingDecision(): Promise<void> | undefined;
}

/**
 * Takes the lease that an action needs: none for a read; a write takes a free one, after the person who holds it where
 * agents wait; a remedy needs that no other person holds it (CO9). Throws CONTROL_HELD, CONTROL_LOST.
 */
export async function takeLease(kernel: SessionKernel, call: ActionCall): Promise<WriteRight | undefined> {
  const { leases } = kernel;
  const { id } = call.sessionTab.tab;
  const actor = actorOf(call.caller.principal);
  await kernel.leaseQueue.wait(call);
  switch (accessOf(call.action)) {
    case 'read':
      return undefined;
    case 'write': {
      const epoch = await leases.takeFree(call.budget, id, actor, {
        epoch: call.epoch,
        alone: changesSession(call.action),
      });
      return rightOf(leases, () => leases.fence(id, actor.id, epoch), epoch);
    }
    case 'remedy': {
      const right = rightOf(leases, () => leases.fenceHelp(id, actor));
      await right.pendingDecision();
      right.check();
      return right;
    }
  }
}

function rightOf(leases: Leases, check: () => void, epoch?: number): WriteRight {
  return { check, pendingDecision: () => leases.pendingDecision(check), ...(epoch !== undefined && { epoch }) };
}

/**
 * The fence of CO2: holder and epoch are compared right before every write to Chrome. For a read, `write` always
 * rejects.
 */
export function fencedBy(
  right: WriteRight | undefined,
  { sessionTab, budget }: ActionCall,
  running: RunningAction,
): FencedSession {
  return fencedSession(sessionTab.tab.sessions.commands, (session) => (method, ...params) => {
    budget.check();
    if (!right) return Promise.reject(new WheelhouseError('INTERNAL', `A reading action tried to write (${method}).`));
    const write = (): ReturnType<typeof session.send<typeof method>> => {
      right.check();
      if (needsPage(method, params)) running.writesInput(sessionTab.tab.page);
      return budget.race(running.written(session.send(method, ...params), method));
    };
    const pending = right.pendingDecision();
    return pending ? budget.race(pending).then(write) : write();
  });
}

/** Whether a page must get this input. The release of a key does not count: its press may have replaced the page. */
function needsPage(method: Command, [fields]: readonly unknown[]): boolean {
  const released = typeof fields === 'object' && fields !== null && 'type' in fields && fields.type === 'keyUp';
  return method.startsWith('Input.') && !released;
}
