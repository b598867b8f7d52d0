import type { Action } from '@/lib/actions/kinds';
import type { Reply } from '@/lib/actions/reply';
import { searchUrl } from '@/lib/actions/search-engines';
import type { Holder } from '@/lib/control/lease';
import { unescaped } from '@/lib/secrets/unescape';
import { parseUrl } from '@/lib/text/url';
import { demandReachable } from '@/server/access/egress/blocked';
import { grantsIn } from '@/server/access/grants';
import type { ActionContext, NestedAction, ResolvedTarget, TabApi } from '@/server/actions/context';
import type { FencedSession } from '@/server/browser/write';
import type { ActionCall } from './action-call';
import type { SessionKernel } from './kernel';
import { actorOf, writerOf } from './participants';
import { ACTION_FILES, TRACES } from './queries';
import { checkEvaluate } from './session-parts';
import type { SessionTab } from './session-tab';

/** The right to write. `check` throws when it is lost; call it right before every write (CO2). */
export interface WriteRight {
  readonly epoch?: number;
  check(): void;
  /** Waits for a pending lease change that would end the right; undefined when there is none. */
  pendingDecision(): Promise<void> | undefined;
}

/** Carries out actions inside an action (AC7). */
export interface NestedPath {
  inside(outer: ActionCall, action: Action, how: NestedAction, epoch: number | undefined): Promise<Reply>;
}

/** The context of an action handler: its access to the session, fenced and for this call only. */
export function contextFor(
  kernel: SessionKernel,
  call: ActionCall,
  write: FencedSession,
  { right, nested }: { readonly right: WriteRight | undefined; readonly nested: NestedPath },
): ActionContext {
  const { sessionTab, budget, caller } = call;
  const { services, registry, init } = kernel;
  const by = actorOf(caller.principal);
  return {
    tab: sessionTab.tab,
    budget,
    write,
    tabs: tabApi(kernel, sessionTab, by),
    claim: (tab) => kernel.leases.claim(tab, by),
    checkLease: () => checkRight(right),
    files: ACTION_FILES.of(kernel).forAction(sessionTab),
    traces: TRACES.of(kernel).forAction(sessionTab, by),
    ...writerOf(caller.principal),
    asWritten: call.asWritten ?? call.action,
    resolved: call.inside?.resolved ?? false,
    perform: (action, how) => nested.inside(call, action, how, right?.epoch),
    isThisTab: (name) => name === 'active' || registry.find(name) === sessionTab,
    checkUrl: (url) => checkedUrl(kernel, url),
    ending: (url) => services.egress.ending(kernel.id, url),
    searchUrl: (query, engine) => searchUrl(services.searchEngines, query, engine),
    demandReachable: (url) => demandReachable(budget, services.egress, url),
    keepSecret: (text, instead) => void kernel.secrets.add(text, caller.principal.id, instead),
    showsValues: grantsIn(caller.principal, kernel.id).has('evaluate'),
    checkEvaluate: () => checkEvaluate(init.policy, caller.principal.kind),
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

function tabApi({ tabs, participants, leases }: SessionKernel, sessionTab: SessionTab, by: Holder): TabApi {
  return tabs.tabApiFor(
    sessionTab,
    by.id,
    (tab) => participants.use(by.id, tab),
    (tab) => leases.claim(tab, by),
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
