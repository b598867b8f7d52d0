import { demandReachable } from '@/server/access/egress/blocked';
import type { Action } from '@/lib/actions/kinds';
import { searchUrl } from '@/lib/actions/search-engines';
import type { Reply } from '@/lib/actions/reply';
import { unescaped } from '@/lib/secrets/unescape';
import { parseUrl } from '@/lib/text/url';
import { driven } from '@/lib/control/rules';
import type { Viewport } from '@/lib/geometry/picture';
import { grantsIn } from '@/server/access/grants';
import type { May } from '@/server/access/may';
import type { Principal } from '@/server/access/principal';
import type { KnownSecrets } from '@/server/browser/known-secrets';
import type { Caller } from './caller';
import type { Leases } from './leases';
import { Executor } from './execute';
import { Funnel, type ActionCall } from './funnel';
import { grantsFor } from './rights';
import type { ContextRef } from './context-ref';
import type { Handover } from './handover';
import type { RunningActions } from './running-actions';
import type { Participants } from './participants';
import type { Privacy } from './privacy';
import type { Rates } from './rates';
import { checkEvaluate, type SessionPolicy, type SessionServices } from './session-parts';
import type { FileTransfers } from './file-transfers';
import type { SessionTabs } from './session-tabs';
import type { TabRegistry } from './tab-registry';
import type { SessionTab } from './session-tab';
import type { Timeline } from './timeline';
import { LeaseQueue } from './lease-queue';

/** What the funnel of a session is put together from. */
export interface FunnelParts {
  readonly session: string;
  readonly leases: Leases;
  readonly runningActions: RunningActions;
  readonly handover: Handover;
  readonly privacy: Privacy;
  readonly timeline: Timeline;
  readonly participants: Participants;
  readonly tabs: SessionTabs;
  readonly registry: TabRegistry;
  readonly rates: Rates;
  readonly contextRef: ContextRef;
  readonly files: FileTransfers;
  readonly services: SessionServices;
  readonly secrets: KnownSecrets;
  readonly policy: SessionPolicy;
  findTab(caller: Caller, name: string): SessionTab;
  /** Throws when the principal lacks the grant. */
  require(principal: Principal, grant: Parameters<May>[1]): void;
  resize(viewport: Viewport): Promise<void>;
  /** Throws what a feature refuses the action with. */
  beforeAction(caller: Caller, action: Action, tab: string): Promise<void>;
  done(call: ActionCall, reply: Reply, silent: boolean): void;
}

/** The funnel with its executor: everything of a session that an action may touch (architecture.md way 4). */
export function makeFunnel(parts: FunnelParts): Funnel {
  const { session, leases, runningActions, timeline, participants, tabs, registry, rates, services, privacy } = parts;
  const { clock, logger } = services;
  const waiting = new LeaseQueue(leases, parts.policy.whenTaken === 'wait');
  const executor = new Executor({
    leases,
    waitForWheel: (call) => waiting.before(call),
    runningActions,
    privacy,
    files: parts.files,
    letGo: (budget, tab) => parts.handover.letGo(budget, tab),
    inside: (outer, action, how, epoch) => funnel.inside(outer, action, how, epoch),
    isTab: (sessionTab, name) => name === 'active' || registry.find(name) === sessionTab,
    tabs: (sessionTab, by) =>
      tabs.deskFor(
        sessionTab,
        by.id,
        (tab) => participants.use(by.id, tab),
        (tab) => leases.apply({ type: 'claim', tab, by }),
      ),
    web: {
      checkUrl: (url) => checkedUrl(parts, url),
      ending: (url) => services.egress.ending(session, url),
      demandReachable: (budget, url) => demandReachable(budget, services.egress, url),
    },
    keepSecret: (text, by, instead) => void parts.secrets.add(text, by, instead),
    checkEvaluate: (by) => checkEvaluate(parts.policy, by),
    grants: (principal) => grantsIn(principal, session),
    searchUrl: (query, engine) => searchUrl(services.searchEngines, query, engine),
    script: (tab) => rates.script(tab),
    browserUrl: () => parts.contextRef.browser.wsUrl,
    resize: (viewport) => parts.resize(viewport),
  });
  const funnel = new Funnel({
    timeline,
    privacy,
    keepSecret: (text, by) => void parts.secrets.add(text, by),
    drives: (tab, participant) => driven(leases.lease(tab))?.holder.id === participant,
    clock,
    logger,
    authorise: ({ principal }, action) => grantsFor(action).forEach((grant) => parts.require(principal, grant)),
    findTab: (caller, name) => parts.findTab(caller, name),
    tabless: () => registry.size === 0,
    openFirst: (budget) => tabs.openFirst(budget),
    emptied: (budget) => tabs.emptied(budget),
    admit: (caller, action, { tab }) => admit(parts, caller, action, tab.id),
    execute: (call) => executor.execute(call),
    done: (...how) => parts.done(...how),
  });
  return funnel;
}

/**
 * What stands before the host of an address signs in (PS4): it is known before the page is opened. Throws NAV_BLOCKED.
 */
function checkedUrl({ services, secrets }: FunnelParts, url: string): string {
  const checked = services.guard.navigation(url);
  const { password = '', username = '' } = parseUrl(checked) ?? {};
  for (const part of password === '' ? [username] : [password]) secrets.add(unescaped(part).text, 'address');
  return checked;
}

/** Counts it; who goes on without the wheel is told before anything else is looked at. Throws RATE_LIMITED. */
async function admit(parts: FunnelParts, caller: Caller, action: Action, tab: string): Promise<void> {
  const participant = caller.principal.id;
  await parts.beforeAction(caller, action, tab);
  await parts.rates.action(participant, tab, action, parts.leases.mayAct(tab, participant));
}
