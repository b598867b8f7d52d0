import { within } from '@/lib/async/within';
import {
  EMULATION_FIELDS,
  changedBy,
  type Emulation,
  type EmulationChange,
  type EmulationField,
} from '@/lib/state/emulation';
import type { Clock } from '@/lib/budget/clock';
import { WheelhouseError } from '@/lib/errors/error';
import type { Viewport } from '@/lib/geometry/picture';
import type { BranchKind } from '@/lib/buffers/branch';
import type { CdpSession } from '@/server/cdp/session';
import type { Branch, Branches } from '../frames/branches';
import type { Write } from '../write';
import type { ScriptOwner } from '@/server/cdp/evaluate/script-names';
import { HttpLogin } from './http-login';
import { mediaOf, metricsOf } from './overrides';
import { Setters } from './setters';
import { SETTINGS } from './settings';

/**
 * How long frames of other processes and workers may take over new settings before the answer is given. Milliseconds.
 */
const BRANCH_PATIENCE_MS = 500;

/** How each command is sent: fenced for who drives, plainly when a new tab is given what the session has. */
export type FencedSessions = (session: CdpSession) => Write;

/** The sessions and ways of one tab that emulation needs. */
export interface EmulatorPorts {
  /** Has Page enabled: emulation, touch, metrics. */
  readonly commands: CdpSession;
  /** Has Network enabled: headers, offline, throttling. */
  readonly events: CdpSession;
  readonly branches: Branches;
  readonly clock: Clock;
  /** A session of its own, for answering HTTP authentication. */
  readonly attach: () => Promise<CdpSession>;
  readonly detach: (session: CdpSession) => Promise<void>;
  /** Lets the pages of the context ask where they are, or not any more. */
  readonly allowGeolocation: (allowed: boolean) => Promise<void>;
}

/** What all tabs of a session have in common. */
export class SharedEmulation {
  settings: Emulation = {};
  readonly setters = new Setters();
  readonly tabs = new Set<TabEmulator>();
  /** The tabs' own settings by the tab's id: a tab that goes on in another page or another Chrome has them there. */
  readonly #own = new Map<string, OwnSettings>();

  of(tab: string): OwnSettings {
    const own = this.#own.get(tab) ?? { settings: {}, setters: new Setters() };
    this.#own.set(tab, own);
    return own;
  }

  /** The tab is closed. */
  forget(tab: string): void {
    this.#own.delete(tab);
  }

  /** Changes what all tabs have; each is told by itself. Gives the fields that are other now. */
  change(change: EmulationChange | undefined, agent: ScriptOwner | undefined): EmulationField[] {
    const before = this.settings;
    this.settings = change ? changedBy(before, change) : {};
    this.setters.changes(change ?? withoutAll(before), before, agent);
    return fieldsOf(change ?? before);
  }
}

/** What one tab has beside. */
interface OwnSettings {
  settings: Emulation;
  readonly setters: Setters;
}

/**
 * What one tab's page is made to believe (PS4): its own settings over the session's. Overrides belong to our CDP
 * sessions and outlive navigations; what Chrome forgets at a change of process is given again, and branches of the page
 * are told by themselves. Source: Emulation, Network, Fetch.
 */
export class TabEmulator {
  readonly #login: HttpLogin;
  /** Who holds the lease, or had it last. */
  driver: string | undefined;
  #started = false;
  /** Settles when the page has what the last driver is to have. */
  #handed: Promise<void> = Promise.resolve();

  constructor(
    private readonly tab: string,
    private readonly ports: EmulatorPorts,
    readonly shared: SharedEmulation,
    private viewport: Viewport,
  ) {
    this.#login = new HttpLogin(ports.attach, ports.detach);
    shared.tabs.add(this);
    ports.branches.onBranch.on((branch) => this.#met(branch));
  }

  get own(): Emulation {
    return this.shared.of(this.tab).setters.seenBy(this.driver, this.shared.of(this.tab).settings);
  }

  get inForce(): Emulation {
    return { ...this.shared.setters.seenBy(this.driver, this.shared.settings), ...this.own };
  }

  /** What other agents have set, for who holds the lease: put aside, or in force still. */
  get left(): ReturnType<Setters['left']> {
    const { settings, setters } = this.shared.of(this.tab);
    return [...setters.left(this.driver, settings), ...this.shared.setters.left(this.driver, this.shared.settings)];
  }

  /**
   * The holder changed: suspends the settings of other agents, and restores those of this agent (CO3). Does not wait
   * for the page.
   */
  drivenBy(driver: string): void {
    const before = this.inForce;
    this.driver = driver;
    const fields = EMULATION_FIELDS.filter((field) => this.inForce[field] !== before[field]);
    if (this.#started && fields.length > 0)
      this.#handed = this.#handed.then(() => this.#apply(plain, fields)).catch(() => undefined);
  }

  /** Device pixels of one CSS pixel. */
  get density(): number {
    return metricsOf(this.inForce.device, this.viewport).deviceScaleFactor;
  }

  /** A new tab takes over what its session has; one that goes on elsewhere also what it had itself. */
  async start(): Promise<void> {
    this.#started = true;
    await this.#apply(plain, fieldsOf(this.inForce));
  }

  /** Changes this tab's own settings. */
  async change(fencedSessions: FencedSessions, change: EmulationChange, agent?: ScriptOwner): Promise<void> {
    await this.#handed;
    const own = this.shared.of(this.tab);
    own.setters.changes(change, own.settings, agent);
    own.settings = changedBy(own.settings, change);
    await this.#apply(fencedSessions, fieldsOf(change));
  }

  /** Takes back this tab's own settings; the session's stay. */
  reset(fencedSessions: FencedSessions, agent?: ScriptOwner): Promise<void> {
    return this.change(fencedSessions, withoutAll(this.shared.of(this.tab).settings), agent);
  }

  /** The session's settings were changed. */
  async sharedChanged(fencedSessions: FencedSessions, fields: readonly EmulationField[]): Promise<void> {
    await this.#apply(fencedSessions, fields);
  }

  /** Chromium 156 forgets the media type when a page of another site takes a new process; the rest stays (measured). */
  async documentReplaced(): Promise<void> {
    if (this.inForce.media)
      await this.ports.commands.sendMayFail('Emulation.setEmulatedMedia', mediaOf(this.inForce.media));
  }

  /** The session's viewport, or the device's own (SE4). */
  async resize(viewport: Viewport): Promise<void> {
    this.viewport = viewport;
    await this.ports.commands.sendMayFail(
      'Emulation.setDeviceMetricsOverride',
      metricsOf(this.inForce.device, viewport),
    );
  }

  dispose(): void {
    this.shared.tabs.delete(this);
    this.#login.dispose();
  }

  async #apply(fencedSessions: FencedSessions, fields: readonly EmulationField[]): Promise<void> {
    const now = this.inForce;
    const told = (wanted: readonly EmulationField[]): boolean => wanted.some((field) => fields.includes(field));
    for (const setting of SETTINGS)
      if (told(setting.fields)) await setting.tell(fencedSessions(this.ports[setting.lane]), now);
    if (told(['credentials'])) await this.#login.use(now.credentials, this.#branchSessions());
    if (told(['device']))
      await fencedSessions(this.ports.commands)(
        'Emulation.setDeviceMetricsOverride',
        metricsOf(now.device, this.viewport),
      );
    if (told(['geolocation'])) await this.ports.allowGeolocation(now.geolocation !== undefined);
    await this.#applyToBranches(fencedSessions, fields);
  }

  /** A page that hangs applies them when it can; callers wait this long at most. */
  async #applyToBranches(fencedSessions: FencedSessions, fields: readonly EmulationField[]): Promise<void> {
    const { branches, clock } = this.ports;
    const refused: WheelhouseError[] = [];
    const all = Promise.all(
      branches
        .list()
        .map((branch) =>
          tellBranch(
            fencedSessions(branch.session),
            branch.kind,
            this.inForce,
            fields,
            (error) => void refused.push(error),
          ),
        ),
    );
    await within(clock, BRANCH_PATIENCE_MS, all);
    const [first] = refused;
    if (first) throw first;
  }

  /** A frame that went to another process, or a worker, is told all before its first script. */
  #met({ kind, session }: Branch): void {
    const now = this.inForce;
    void tellBranch(plain(session), kind, now, fieldsOf(now), () => undefined);
    if (now.credentials) this.#login.serve(session);
  }

  #branchSessions(): CdpSession[] {
    return this.ports.branches.list().map(({ session }) => session);
  }
}

/**
 * Sent one after the other without waiting. `refuse`: the fence said no, or the branch went away; what Chrome refuses
 * the process has already (a locale), or cannot have.
 */
async function tellBranch(
  write: Write,
  kind: BranchKind,
  now: Emulation,
  fields: readonly EmulationField[],
  refuse: (error: WheelhouseError) => void,
): Promise<void> {
  const settings = SETTINGS.filter(
    ({ branches, fields: wanted }) => branches.includes(kind) && wanted.some((field) => fields.includes(field)),
  );
  await Promise.all(
    settings.map(async (setting) => {
      try {
        await setting.tell(write, now);
      } catch (error) {
        if (error instanceof WheelhouseError && error.code !== 'NODE_GONE') refuse(error);
      }
    }),
  );
}

const plain: FencedSessions =
  (session) =>
  (method, ...params) =>
    session.send(method, ...params);

/** The change that takes all of these settings back. */
function withoutAll(settings: Emulation): EmulationChange {
  return Object.fromEntries(fieldsOf(settings).map((field) => [field, null]));
}

/** The fields that a set of settings names. */
export function fieldsOf(settings: EmulationChange | Emulation): EmulationField[] {
  return EMULATION_FIELDS.filter((field) => settings[field] !== undefined);
}
