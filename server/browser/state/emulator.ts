import { EMULATION_FIELDS, changedBy, type Emulation, type EmulationChange, type EmulationField } from '@/lib/state/emulation';
import type { Size } from '@/lib/geometry/picture';
import type { CdpSession } from '@/server/cdp/session';
import type { Write } from '../write';
import { HttpLogin } from './http-login';
import { geolocationOf, mediaOf, metricsOf, networkOf, touchOf } from './overrides';

/** How each command is sent: fenced for who drives, plainly when a new tab is given what the session has. */
export type Pens = (session: CdpSession) => Write;

/** The sessions and ways of one tab that emulation needs. */
export interface EmulatorPorts {
  /** Has Page enabled: emulation, touch, metrics. */
  readonly commands: CdpSession;
  /** Has Network enabled: headers, offline, throttling. */
  readonly bulk: CdpSession;
  /** A session of its own, for answering HTTP authentication. */
  readonly attach: () => Promise<CdpSession>;
  readonly detach: (session: CdpSession) => Promise<void>;
  /** Lets the pages of the context ask where they are, or not any more. */
  readonly allowGeolocation: (allowed: boolean) => Promise<void>;
}

/** What all tabs of a session have in common. */
export class SharedEmulation {
  settings: Emulation = {};
  readonly tabs = new Set<TabEmulator>();
}

/**
 * What one tab's page is made to believe (PS4): its own settings over the session's. Overrides belong to our CDP sessions and outlive
 * navigations; what Chrome forgets at a change of process is given again. Source: Emulation, Network, Fetch.
 */
export class TabEmulator {
  #own: Emulation = {};
  readonly #login: HttpLogin;

  constructor(
    private readonly ports: EmulatorPorts,
    readonly shared: SharedEmulation,
    private viewport: Size,
  ) {
    this.#login = new HttpLogin(ports.attach, ports.detach);
    shared.tabs.add(this);
  }

  get own(): Emulation {
    return this.#own;
  }

  get inForce(): Emulation {
    return { ...this.shared.settings, ...this.#own };
  }

  /** A new tab takes over what its session has. */
  async start(): Promise<void> {
    await this.#apply(plain, fieldsOf(this.shared.settings));
  }

  /** Changes this tab's own settings. */
  async change(pens: Pens, change: EmulationChange): Promise<void> {
    this.#own = changedBy(this.#own, change);
    await this.#apply(pens, fieldsOf(change));
  }

  /** Takes back this tab's own settings; the session's stay. */
  reset(pens: Pens): Promise<void> {
    return this.change(pens, Object.fromEntries(fieldsOf(this.#own).map((field) => [field, null])));
  }

  /** The session's settings were changed. */
  async sharedChanged(pens: Pens, fields: readonly EmulationField[]): Promise<void> {
    await this.#apply(pens, fields);
  }

  /** Chromium 156 forgets the media type when a page of another site takes a new process; the rest stays (measured). */
  async documentReplaced(): Promise<void> {
    if (this.inForce.media) await this.ports.commands.sendMayFail('Emulation.setEmulatedMedia', mediaOf(this.inForce.media));
  }

  /** The session's viewport, or the device's own (SE4). */
  async resize(viewport: Size): Promise<void> {
    this.viewport = viewport;
    await this.ports.commands.sendMayFail('Emulation.setDeviceMetricsOverride', metricsOf(this.inForce.device, viewport));
  }

  dispose(): void {
    this.shared.tabs.delete(this);
    this.#login.dispose();
  }

  async #apply(pens: Pens, fields: readonly EmulationField[]): Promise<void> {
    const { commands, bulk } = this.ports;
    const now = this.inForce;
    const page = pens(commands);
    const network = pens(bulk);
    const has = (...wanted: EmulationField[]): boolean => wanted.some((field) => fields.includes(field));
    if (has('offline', 'throttling')) await network('Network.emulateNetworkConditions', networkOf(now));
    if (has('throttling')) await page('Emulation.setCPUThrottlingRate', { rate: now.throttling?.cpu ?? 1 });
    if (has('headers')) await network('Network.setExtraHTTPHeaders', { headers: now.headers ?? {} });
    if (has('credentials')) await this.#login.use(now.credentials);
    if (has('media')) await page('Emulation.setEmulatedMedia', mediaOf(now.media));
    if (has('timezone')) await page('Emulation.setTimezoneOverride', { timezoneId: now.timezone ?? '' });
    if (has('locale')) await page('Emulation.setLocaleOverride', now.locale === undefined ? {} : { locale: now.locale });
    if (has('locale', 'device')) await page('Emulation.setUserAgentOverride', { userAgent: now.device?.userAgent ?? '', ...(now.locale === undefined ? {} : { acceptLanguage: now.locale }) });
    if (has('device')) await this.#device(page);
    if (has('geolocation')) await this.#geolocation(page);
  }

  async #device(page: Write): Promise<void> {
    const { device } = this.inForce;
    await page('Emulation.setDeviceMetricsOverride', metricsOf(device, this.viewport));
    await page('Emulation.setTouchEmulationEnabled', touchOf(device));
  }

  async #geolocation(page: Write): Promise<void> {
    const { geolocation } = this.inForce;
    if (geolocation) await page('Emulation.setGeolocationOverride', geolocationOf(geolocation));
    else await page('Emulation.clearGeolocationOverride');
    await this.ports.allowGeolocation(geolocation !== undefined);
  }
}

const plain: Pens = (session) => (method, ...params) => session.send(method, ...params);

/** The fields that a set of settings names. */
export function fieldsOf(settings: EmulationChange | Emulation): EmulationField[] {
  return EMULATION_FIELDS.filter((field) => settings[field] !== undefined);
}
