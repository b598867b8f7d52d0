import { accessOf } from '@/lib/actions/kinds';
import { demandReachable } from '@/server/access/egress/blocked';
import { searchUrl } from '@/lib/actions/search-engines';
import type { Reply } from '@/lib/actions/reply';
import { unescaped } from '@/lib/secrets/unescape';
import { parseUrl } from '@/lib/text/url';
import { driven } from '@/lib/control/rules';
import { grantsIn } from '@/server/access/grants';
import type { Hooks } from './feature';
import type { SessionKernel } from './kernel';
import { ACTION_FILES, TRACES } from './queries';
import { Executor } from './execute';
import { Funnel, type ActionCall } from './funnel';
import { grantsFor } from './rights';
import { checkEvaluate } from './session-parts';
import { LeaseQueue } from './lease-queue';

/** The funnel with its executor: everything of a session that an action may touch (architecture.md way 4). */
export function makeFunnel(kernel: SessionKernel, features: readonly Hooks[]): Funnel {
  const { leases, runningActions, timeline, participants, tabs, registry, rates, services, visibility } = kernel;
  const { clock, logger } = services;
  const { policy, contextRef } = kernel.init;
  const waiting = new LeaseQueue(leases, policy.whenTaken === 'wait');
  const executor = new Executor({
    leases,
    waitForWheel: (call) => waiting.before(call),
    runningActions,
    privacy: visibility,
    get files() {
      return ACTION_FILES.of(kernel);
    },
    get traces() {
      return TRACES.of(kernel);
    },
    letGo: async (budget, tab) => {
      for (const one of features) await one.beforeWrite?.(budget, tab);
    },
    inside: (outer, action, how, epoch) => funnel.inside(outer, action, how, epoch),
    isTab: (sessionTab, name) => name === 'active' || registry.find(name) === sessionTab,
    tabs: (sessionTab, by) =>
      tabs.deskFor(
        sessionTab,
        by.id,
        (tab) => participants.use(by.id, tab),
        (tab) => leases.claim(tab, by),
      ),
    web: {
      checkUrl: (url) => checkedUrl(kernel, url),
      ending: (url) => services.egress.ending(kernel.id, url),
      demandReachable: (budget, url) => demandReachable(budget, services.egress, url),
    },
    keepSecret: (text, by, instead) => void kernel.secrets.add(text, by, instead),
    checkEvaluate: (by) => checkEvaluate(policy, by),
    grants: (principal) => grantsIn(principal, kernel.id),
    searchUrl: (query, engine) => searchUrl(services.searchEngines, query, engine),
    script: (tab) => rates.script(tab),
    browserUrl: () => contextRef.browser.wsUrl,
    resize: (viewport) => kernel.resize(viewport),
  });
  const funnel = new Funnel({
    timeline,
    privacy: visibility,
    keepSecret: (text, by) => void kernel.secrets.add(text, by),
    drives: (tab, participant) => driven(leases.lease(tab))?.holder.id === participant,
    clock,
    logger,
    authorise: ({ principal }, action) => grantsFor(action).forEach((grant) => kernel.require(principal, grant)),
    findTab: (caller, name) => kernel.active.find(caller, name),
    tabless: () => registry.size === 0,
    openFirst: (budget) => tabs.openFirst(budget),
    emptied: (budget) => tabs.emptied(budget),
    admit: async (caller, action, { tab }) => {
      const participant = caller.principal.id;
      for (const one of features) await one.beforeAction?.(caller, action, tab.id);
      await rates.action(participant, tab.id, action, leases.mayAct(tab.id, participant));
    },
    execute: (call) => executor.execute(call),
    done: (call, reply, silent) => done(kernel, features, call, reply, silent),
  });
  return funnel;
}

/** Features are told, the action is counted, and the tab that it was done in is the active one. */
function done(
  kernel: SessionKernel,
  features: readonly Hooks[],
  call: ActionCall,
  reply: Reply,
  silent: boolean,
): void {
  const { action, caller } = call;
  const { id } = call.sessionTab.tab;
  for (const one of features) one.afterAction?.(call, reply, silent);
  const outcome = reply.error?.code ?? 'ok';
  kernel.services.metrics.action({ kind: action.kind, door: caller.door, outcome }, reply.ms);
  if (accessOf(action) === 'write' && reply.ok && kernel.registry.get(id))
    kernel.active.activate(reply.newTabs?.at(-1) ?? id);
}

/**
 * What stands before the host of an address signs in (PS4): it is known before the page is opened. Throws NAV_BLOCKED.
 */
function checkedUrl({ services, secrets }: SessionKernel, url: string): string {
  const checked = services.guard.navigation(url);
  const { password = '', username = '' } = parseUrl(checked) ?? {};
  for (const part of password === '' ? [username] : [password]) secrets.add(unescaped(part).text, 'address');
  return checked;
}
