import type { InForce } from '@/lib/control/in-force';
import { driven } from '@/lib/control/rules';
import type { ControlView } from '@/lib/protocol/views';
import type { Message, MessageCode } from '@/lib/messages/message';
import { formatMessage } from '@/lib/messages/format';
import { isAgentOf, type Credential } from '@/server/access/principal';
import type { Tab } from '@/server/browser/tab';
import type { ScriptOwner } from '@/server/cdp/evaluate/script-names';
import { RESTARTED } from '@/server/session/leases';
import type { Feature, Hooks } from '@/server/session/feature';
import type { SessionKernel } from '@/server/session/kernel';
import type { SessionTab } from '@/server/session/session-tab';

/**
 * The driver to set on a free tab whose last agent's key has ended, so that the agent's settings are put aside. No
 * participant has this id.
 */
const NOBODY = '';

/**
 * Handles what agents leave in a page when they lose the lease: stops their scripts, and puts their armed answers and
 * settings aside until they have the lease again (CO3). Runs after the lease has passed; no caller waits for it.
 */
class LeftBehind implements Hooks {
  /** Agents whose keys have ended. */
  readonly #over = new Set<string>();
  /** By tab: the texts that the timeline already has. */
  readonly #reported = new WeakMap<Tab, ReadonlySet<string>>();

  constructor(private readonly kernel: SessionKernel) {
    kernel.tabFactory.onMade.on(({ tab }) => this.#prepareTab(tab));
    kernel.registry.onAdded.on(({ tab }) => this.#onTabAdded(tab));
    kernel.leases.onEffect.on((effect) => {
      const sessionTab = effect.type === 'changed' ? kernel.registry.get(effect.tab) : undefined;
      if (sessionTab) this.#driverChanged(sessionTab.tab);
      if (sessionTab) this.#arm();
    });
    kernel.onTabClosed.on(() => this.#arm());
  }

  control(view: ControlView, sessionTab: SessionTab | undefined): ControlView {
    const inForce = sessionTab ? inForceOf(sessionTab.tab) : [];
    return inForce.length === 0 ? view : { ...view, inForce };
  }

  /** Sets whose settings a new tab gets, before it is prepared. */
  #prepareTab(tab: Tab): void {
    const lease = driven(this.kernel.leases.lease(tab.id));
    if (!lease) return;
    tab.emulation.drivenBy(lease.holder.id);
    // Their scripts from before a restart of the server still run, and no other record names them.
    const agents = [lease.holder, lease.takenFrom].filter((one) => one?.kind === 'agent');
    if (lease.reason === RESTARTED) for (const agent of agents) if (agent) tab.tools.leftScripts.names.expect(agent);
  }

  #onTabAdded(tab: Tab): void {
    tab.tools.leftScripts.onChange.on(() => {
      this.#tell(tab);
      this.kernel.changed();
    });
    this.#driverChanged(tab);
    this.#arm();
  }

  /**
   * Arms interruption of scripts on tabs that agents hold. Disarms no tab while any lease is passing: scripts left
   * behind are still to be stopped, and may wait for a script of another tab.
   */
  #arm(): void {
    const passing = [...this.kernel.leases.leases.values()].some(({ state }) => state === 'draining');
    for (const { tab } of this.kernel.registry.all()) {
      const armed = driven(this.kernel.leases.lease(tab.id))?.holder.kind === 'agent';
      if (armed || !passing) tab.hangMonitor.arm(armed);
    }
  }

  /** Applies the tab's lease after a change of it. */
  #driverChanged(tab: Tab): void {
    const holder = this.#holder(tab);
    const { leftScripts, chooser } = tab.tools;
    const over = leftScripts.names.others(undefined).filter(({ id }) => this.#over.has(id));
    if (holder === undefined) {
      if (over.length === 0) return;
      leftScripts.stop([...new Set([...leftScripts.stopped, ...over])]);
      if (tab.emulation.driver !== undefined && this.#over.has(tab.emulation.driver)) tab.emulation.drivenBy(NOBODY);
      return;
    }
    tab.emulation.drivenBy(holder);
    tab.dialogs.restoreAnswers(holder);
    chooser.restoreFiles(holder);
    leftScripts.stop(leftScripts.names.others(holder));
    this.#tell(tab);
    this.kernel.changed();
  }

  /** A key has ended: stops its agents' scripts, whether or not somebody else holds the lease. */
  credentialEnded(credential: Credential): void {
    for (const { tab } of this.kernel.registry.all()) {
      for (const { id } of tab.tools.leftScripts.names.others(undefined))
        if (isAgentOf(credential, id)) this.#over.add(id);
      this.#driverChanged(tab);
    }
  }

  #holder(tab: Tab): string | undefined {
    return driven(this.kernel.leases.lease(tab.id))?.holder.id;
  }

  /** Writes one timeline row for each newly stopped script or setting put aside. */
  #tell(tab: Tab): void {
    const before = this.#reported.get(tab) ?? new Set();
    const now = inForceOf(tab).filter(({ state, said }) => said && (state === 'stopped' || state === 'aside'));
    this.#reported.set(tab, new Set(now.map(({ text }) => text)));
    for (const { text, said } of now)
      if (said && !before.has(text)) void this.kernel.timeline.tell({ kind: 'control', said, tab: tab.id });
  }
}

/** What other agents than the lease holder left in effect on the tab. */
function inForceOf(tab: Tab): InForce[] {
  const { chooser } = tab.tools;
  return [
    ...ofScripts(tab),
    ...tab.dialogs.aside.map(({ name }) => item('dialog', 'aside', { code: 'asideDialog', name })),
    ...chooser.aside.map(({ name }) => item('files', 'aside', { code: 'asideFiles', name })),
    ...ofSettings(tab),
  ];
}

function ofScripts({ tools: { leftScripts } }: Tab): InForce[] {
  const { done, found, loose } = leftScripts.state;
  const ran = leftScripts.stopped.filter((owner) => leftScripts.names.ranHere(owner));
  const here = ran.length === 0 && found > 0 ? leftScripts.stopped : ran;
  if (here.length === 0) return [];
  const name = listed(here);
  return [
    ...(done ? [] : [item('scripts', 'stopping', { code: 'scriptsStopping', name })]),
    ...(done && found > 0 ? [item('scripts', 'stopped', { code: 'scriptsStopped', name })] : []),
    item('scripts', 'in-force', { code: loose ? 'scriptsGoOn' : 'scriptsMayRun', name }),
  ];
}

const ASIDE = {
  offline: 'asideOffline',
  headers: 'asideHeaders',
  credentials: 'asideCredentials',
  geolocation: 'asideGeolocation',
  throttling: 'asideThrottling',
} as const satisfies Record<string, MessageCode>;
type AsideField = keyof typeof ASIDE;
const isAside = (field: string): field is AsideField => field in ASIDE;

function ofSettings({ emulation: { left } }: Tab): InForce[] {
  const aside = left.flatMap(({ field, agent, aside: put }) =>
    put && isAside(field) ? [item(field, 'aside', { code: ASIDE[field], name: agent.name })] : [],
  );
  const stays = left.filter((one) => !one.aside).map(({ agent }) => agent);
  return [
    ...aside,
    ...(stays.length === 0 ? [] : [item('emulation', 'in-force', { code: 'emulationStays', name: listed(stays) })]),
  ];
}

function listed(owners: readonly ScriptOwner[]): string {
  return [...new Set(owners.map(({ name }) => name))].join(', ');
}

function item(kind: InForce['kind'], state: InForce['state'], said: Message): InForce {
  return { kind, state, ...formatMessage(said) };
}

export const leftBehind: Feature = { name: 'left behind', start: (kernel) => new LeftBehind(kernel) };
