import type { Action } from '@/lib/actions/kinds';
import type { Reply } from '@/lib/actions/reply';
import { searchUrl } from '@/lib/actions/search-engines';
import type { Holder } from '@/lib/control/lease';
import { unescaped } from '@/lib/secrets/unescape';
import { parseUrl } from '@/lib/text/url';
import { demandReachable } from '@/server/access/egress/blocked';
import { grantsIn } from '@/lib/rights/grants';
import { actorKind } from '@/server/access/principal';
import type { ActionContext, NestedAction, ResolvedTarget, TabApi } from '@/server/actions/context';
import type { SessionKernel } from '../kernel';
import { actorOf, writerOf } from '../participants';
import { ACTION_FILES, TRACES } from '../feature-slots';
import { checkEvaluate } from '../session-parts';
import type { ActionCall } from './call';
import { fencedBy, type WriteRight } from './lease';
import type { RunningAction } from './running-actions';

/**
 * The context of an action handler: its access to the session, fenced and for this call only.
 *
 * @param perform carries out an action inside this one (AC7)
 */
export function contextFor(
  kernel: SessionKernel,
  call: ActionCall,
  running: RunningAction,
  right: WriteRight | undefined,
  perform: (action: Action, how: NestedAction) => Promise<Reply>,
): ActionContext {
  const { sessionTab, budget, caller } = call;
  const { active, services, registry, init } = kernel;
  const by = actorOf(caller.principal);
  return {
    tab: sessionTab.tab,
    budget,
    write: fencedBy(right, call, running),
    tabs: tabApi(kernel, call, by),
    takeFree: (tab) => kernel.leases.takeFree(budget, tab, by),
    checkLease: () => checkRight(right),
    files: ACTION_FILES.of(kernel).forAction(sessionTab, caller.principal),
    traces: TRACES.of(kernel).forAction(sessionTab, by),
    ...writerOf(caller.principal),
    asWritten: call.asWritten ?? call.action,
    resolved: call.inside?.resolved ?? false,
    perform,
    isThisTab: (name) => name === 'active' || registry.find(active.shownName(caller.principal, name)) === sessionTab,
    checkUrl: (url) => checkedUrl(kernel, url),
    ending: (url) => services.egress.ending(kernel.id, url),
    searchUrl: (query, engine) => searchUrl(services.searchEngines, query, engine),
    demandReachable: (url) => demandReachable(budget, services.egress, { session: kernel.id }, url),
    keepSecret: (text, instead) => void kernel.secrets.add(text, caller.principal.id, instead),
    showsValues: grantsIn(caller.principal, kernel.id).has('evaluate'),
    checkEvaluate: () => checkEvaluate(init.policy, actorKind(caller.principal)),
    browserUrl: init.contextRef.browser.wsUrl,
    resize: (viewport) => kernel.resize(viewport),
    noteTarget: (resolved) => {
      call.resolved = merge(call.resolved, resolved);
    },
  };
}

async function checkRight(right: WriteRight | undefined): Promise<void> {
  await right?.pendingDecision();
  right?.check();
}

function tabApi(
  { tabs, participants, leases }: SessionKernel,
  { sessionTab, budget, caller }: ActionCall,
  by: Holder,
): TabApi {
  return tabs.tabApiFor(
    sessionTab,
    caller.principal,
    (tab) => participants.use(by.id, tab),
    (tab) => leases.takeFree(budget, tab, by),
  );
}

/**
 * Checks an address, and registers its user name or password as a secret before the page opens (PS4). Throws
 * NAV_BLOCKED.
 */
function checkedUrl({ services, secrets }: SessionKernel, url: string): string {
  const checked = services.guard.navigation(url);
  const { password = '', username = '' } = parseUrl(checked) ?? {};
  for (const part of password === '' ? [username] : [password]) secrets.add(unescaped(part).text, 'address');
  return checked;
}

function merge(before: ResolvedTarget, resolved: ResolvedTarget): ResolvedTarget {
  return { ...before, ...resolved };
}
