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
import type { ChildTargetKind } from '@/lib/buffers/child-target';
import type { CdpSession } from '@/server/cdp/session';
import type { ChildTarget, ChildTargets } from '../frames/child-targets';
import type { Write } from '../write';
import type { ScriptOwner } from '@/server/cdp/evaluate/script-names';
import { HttpLogin } from './http-login';
import { mediaOf, metricsOf } from './overrides';
import { Setters } from './setters';
import { SETTINGS } from './settings';

/**
 * Most time for out-of-process frames and workers to apply new settings before the action is answered. Milliseconds.
 */
const CHILD_TARGET_PATIENCE_MS = 500;

/** How commands are sent: fenced for the holder of the wheel, plainly when a new tab gets the session's settings. */
export type FencedSessions = (session: CdpSession) => Write;

/** The sessions and functions of one tab that emulation needs. */
export interface EmulatorPorts {
  /** A session with Page enabled: emulation, touch, metrics. */
  readonly commands: CdpSession;
  /** A session with Network enabled: headers, offline, throttling. */
  readonly events: CdpSession;
  readonly childTargets: ChildTargets;
  readonly clock: Clock;
  /** Opens a separate session for answering HTTP authentication. */
  readonly attach: () => Promise<CdpSession>;
  readonly detach: (session: CdpSession) => Promise<void>;
  /** Allows the pages of the context to ask for the location, or denies it again. */
  readonly allowGeolocation: (allowed: boolean) => Promise<void>;
}

/** The settings that all tabs of a session share. */
export class SharedEmulation {
  settings: Emulation = {};
  readonly setters = new Setters();
  readonly tabs = new Set<TabEmulator>();
  /** The tabs' own settings by tab id: a tab that goes on in another page or another Chrome keeps them. */
  readonly #own = new Map<string, OwnSettings>();

  of(tab: string): OwnSettings {
    const own = this.#own.get(tab) ?? { settings: {}, setters: new Setters() };
    this.#own.set(tab, own);
    return own;
  }

  /** Forgets a closed tab. */
  forget(tab: string): void {
    this.#own.delete(tab);
  }

  /** Changes the settings of all tabs; the caller notifies each tab. Returns the changed fields. */
  change(change: EmulationChange | undefined, agent: ScriptOwner | undefined): EmulationField[] {
    const before = this.settings;
    this.settings = change ? changedBy(before, change) : {};
    this.setters.changes(change ?? withoutAll(before), before, agent);
    return fieldsOf(change ?? before);
  }
}

/** The settings that one tab has beside the shared ones. */
interface OwnSettings {
  settings: Emulation;
  readonly setters: Setters;
}

/**
 * The emulation of one tab's page (PS4): its own settings over the session's. Overrides belong to our CDP sessions and
 * outlive navigations; what Chrome forgets at a change of process is set again, and child targets of the page are set
 * separately. Source: Emulation, Network, Fetch.
 */
export class TabEmulator {
  readonly #login: HttpLogin;
  /** Who has the wheel, or had it last. */
  driver: string | undefined;
  #started = false;
  /** Settles when the page has the settings of the last driver. */
  #handed: Promise<void> = Promise.resolve();

  constructor(
    private readonly tab: string,
    private readonly ports: EmulatorPorts,
    readonly shared: SharedEmulation,
    private viewport: Viewport,
  ) {
    this.#login = new HttpLogin(ports.attach, ports.detach);
    shared.tabs.add(this);
    ports.childTargets.onTarget.on((childTarget) => this.#met(childTarget));
  }

  get own(): Emulation {
    return this.shared.of(this.tab).setters.seenBy(this.driver, this.shared.of(this.tab).settings);
  }

  get inForce(): Emulation {
    return { ...this.shared.setters.seenBy(this.driver, this.shared.settings), ...this.own };
  }

  /** The settings of other agents, for the holder of the wheel: suspended, or still in force. */
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

  /** Applies the session's settings to a new tab; one that goes on elsewhere also gets its own. */
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

  /** Resets this tab's own settings; the session's stay. */
  reset(fencedSessions: FencedSessions, agent?: ScriptOwner): Promise<void> {
    return this.change(fencedSessions, withoutAll(this.shared.of(this.tab).settings), agent);
  }

  /** Applies changed settings of the session. */
  async sharedChanged(fencedSessions: FencedSessions, fields: readonly EmulationField[]): Promise<void> {
    await this.#apply(fencedSessions, fields);
  }

  /**
   * Sets the media type again, which Chromium 156 forgets when a page of another site takes a new process; it keeps the
   * rest (docs/chrome-facts.md, Emulation and network).
   */
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
    if (told(['credentials'])) await this.#login.use(now.credentials, this.#childSessions());
    if (told(['device']))
      await fencedSessions(this.ports.commands)(
        'Emulation.setDeviceMetricsOverride',
        metricsOf(now.device, this.viewport),
      );
    if (told(['geolocation'])) await this.ports.allowGeolocation(now.geolocation !== undefined);
    await this.#applyToChildTargets(fencedSessions, fields);
  }

  /**
   * Applies settings to all child targets. A page that hangs applies them when it can; callers wait for
   * `CHILD_TARGET_PATIENCE_MS` at most.
   */
  async #applyToChildTargets(fencedSessions: FencedSessions, fields: readonly EmulationField[]): Promise<void> {
    const { childTargets, clock } = this.ports;
    const refused: WheelhouseError[] = [];
    const all = Promise.all(
      childTargets
        .list()
        .map((childTarget) =>
          applyToChildTarget(
            fencedSessions(childTarget.session),
            childTarget.kind,
            this.inForce,
            fields,
            (error) => void refused.push(error),
          ),
        ),
    );
    await within(clock, CHILD_TARGET_PATIENCE_MS, all);
    const [first] = refused;
    if (first) throw first;
  }

  /** Sends all settings to a new child target before its first script. */
  #met({ kind, session }: ChildTarget): void {
    const now = this.inForce;
    void applyToChildTarget(plain(session), kind, now, fieldsOf(now), () => undefined);
    if (now.credentials) this.#login.serve(session);
  }

  #childSessions(): CdpSession[] {
    return this.ports.childTargets.list().map(({ session }) => session);
  }
}

/**
 * Sends settings to one child target without waiting in between. `refuse` is called when the fence refuses, or the
 * child target went away. Errors of Chrome are ignored: the process has the setting already (a locale), or cannot have
 * it.
 */
async function applyToChildTarget(
  write: Write,
  kind: ChildTargetKind,
  now: Emulation,
  fields: readonly EmulationField[],
  refuse: (error: WheelhouseError) => void,
): Promise<void> {
  const settings = SETTINGS.filter(
    ({ childTargets, fields: wanted }) => childTargets.includes(kind) && wanted.some((field) => fields.includes(field)),
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

/** The change that resets all of these settings. */
function withoutAll(settings: Emulation): EmulationChange {
  return Object.fromEntries(fieldsOf(settings).map((field) => [field, null]));
}

/** The fields that a set of settings has. */
export function fieldsOf(settings: EmulationChange | Emulation): EmulationField[] {
  return EMULATION_FIELDS.filter((field) => settings[field] !== undefined);
}
