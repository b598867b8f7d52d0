import type { ChildTargetKind } from '@/lib/buffers/child-target';
import type { Emulation, EmulationField } from '@/lib/state/emulation';
import type { Write } from '../write';
import { geolocationOf, mediaOf, networkOf, touchOf } from './overrides';

/** How one setting is sent to Chrome. */
export interface Setting {
  /** The fields that it is made of. */
  readonly fields: readonly EmulationField[];
  /** The session of the page that it is sent on. */
  readonly lane: 'commands' | 'events';
  /** The child targets that take it beside the page. */
  readonly childTargets: readonly ChildTargetKind[];
  tell(write: Write, now: Emulation): Promise<unknown>;
}

const FRAMES = ['frame'] as const satisfies readonly ChildTargetKind[];
const ALL = ['frame', 'worker', 'shared-worker', 'service-worker'] as const satisfies readonly ChildTargetKind[];

/**
 * The settings that are one command each, in the order in which they are sent. Those of a page do not reach its
 * out-of-process frames and workers (Chromium 156: a frame's first document request has them, its own requests do not).
 * Source: Network, Emulation.
 */
export const SETTINGS: readonly Setting[] = [
  {
    fields: ['offline', 'throttling'],
    lane: 'events',
    childTargets: ['frame', 'service-worker', 'shared-worker'],
    tell: (write, now) => write('Network.emulateNetworkConditions', networkOf(now)),
  },
  {
    fields: ['throttling'],
    lane: 'commands',
    childTargets: FRAMES,
    tell: (write, { throttling }) => write('Emulation.setCPUThrottlingRate', { rate: throttling?.cpu ?? 1 }),
  },
  {
    fields: ['headers'],
    lane: 'events',
    childTargets: ALL,
    tell: (write, { headers = {} }) => write('Network.setExtraHTTPHeaders', { headers }),
  },
  {
    fields: ['media'],
    lane: 'commands',
    childTargets: FRAMES,
    tell: (write, { media }) => write('Emulation.setEmulatedMedia', mediaOf(media)),
  },
  {
    fields: ['timezone'],
    lane: 'commands',
    childTargets: ALL,
    tell: (write, { timezone = '' }) => write('Emulation.setTimezoneOverride', { timezoneId: timezone }),
  },
  {
    fields: ['locale'],
    lane: 'commands',
    childTargets: ALL,
    tell: (write, { locale }) => write('Emulation.setLocaleOverride', locale === undefined ? {} : { locale }),
  },
  { fields: ['locale', 'device'], lane: 'commands', childTargets: ALL, tell: userAgent },
  {
    fields: ['device'],
    lane: 'commands',
    childTargets: FRAMES,
    tell: (write, { device }) => write('Emulation.setTouchEmulationEnabled', touchOf(device)),
  },
  { fields: ['geolocation'], lane: 'commands', childTargets: FRAMES, tell: geolocation },
];

function userAgent(write: Write, { device, locale }: Emulation): Promise<unknown> {
  return write('Emulation.setUserAgentOverride', {
    userAgent: device?.userAgent ?? '',
    ...(locale === undefined ? {} : { acceptLanguage: locale }),
  });
}

function geolocation(write: Write, { geolocation: place }: Emulation): Promise<unknown> {
  return place
    ? write('Emulation.setGeolocationOverride', geolocationOf(place))
    : write('Emulation.clearGeolocationOverride');
}
