import type { ActionOf } from '@/lib/actions/kinds';
import type { EmulationAnswer, Emulation, EmulationChange } from '@/lib/state/emulation';
import { isSecretHeader, maskHeader } from '@/lib/text/mask';
import { fieldsOf, type FencedSessions, type TabEmulator } from '@/server/browser/state/emulator';
import { defineAction, type ActionContext, type HandlerResult } from './context';

/** Changes what the page sees of its surroundings (PS4). */
export const emulate = defineAction({
  kind: 'emulate',
  settles: false,
  queued: true,
  run: async (context, action) => {
    const { emulation } = context.tab;
    if (action.do !== 'get') await change(context, action, emulation);
    return answerOf(emulation);
  },
});

/** How long other tabs may take over their new settings before the answer is given. Milliseconds. */
const OTHERS_MS = 500;

async function change(context: ActionContext, action: ActionOf<'emulate'>, emulation: TabEmulator): Promise<void> {
  const { agent, budget, write } = context;
  for (const secret of secretsIn(action.set ?? {})) context.keepSecret(secret);
  const fencedSessions: FencedSessions = (session) => write.on(session);
  if (action.scope !== 'session')
    return budget.during('the page to take its settings', () =>
      action.set ? emulation.change(fencedSessions, action.set, agent) : emulation.reset(fencedSessions, agent),
    );
  const { shared } = emulation;
  const fields = shared.change(action.set, agent);
  // No other participant holds a lease of the other tabs (CO1): the action path checked that, and this checks it again
  // before
  // every write.
  const others: FencedSessions =
    (session) =>
    async (method, ...params) => {
      await context.checkLease();
      return session.send(method, ...params);
    };
  const told = [...shared.tabs].filter((tab) => tab !== emulation).map((tab) => tab.sharedChanged(others, fields));
  await budget.during('the page to take its settings', () => emulation.sharedChanged(fencedSessions, fields));
  // A page that hangs applies them when it can; the action waits for it this long at most.
  await Promise.race([Promise.allSettled(told), budget.pause(OTHERS_MS)]);
}

/**
 * Passwords of HTTP credentials, and values of headers with credentials; of `Bearer abc` also the part after the
 * scheme.
 */
function secretsIn({ credentials, headers }: EmulationChange): string[] {
  const values = Object.entries(headers ?? {}).flatMap(([name, value]) =>
    isSecretHeader(name) ? [value, value.replace(/^\S+\s+/u, '')] : [],
  );
  return [...(credentials ? [credentials.password] : []), ...values];
}

function answerOf(emulation: TabEmulator): HandlerResult {
  const { inForce, own } = emulation;
  const scope = Object.fromEntries(
    fieldsOf(inForce).map((field) => [field, own[field] === undefined ? 'session' : 'tab'] as const),
  );
  return { value: { inForce: masked(inForce), scope } satisfies EmulationAnswer };
}

function masked(settings: Emulation): Record<string, unknown> {
  const { headers, credentials, ...open } = settings;
  return {
    ...open,
    ...(headers
      ? { headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, maskHeader(name, value)])) }
      : {}),
    ...(credentials ? { credentials: { ...credentials, password: '•••' } } : {}),
  };
}
