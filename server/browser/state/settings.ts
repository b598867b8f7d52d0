import type { BranchKind } from '@/lib/buffers/branch';
import type { Emulation, EmulationField } from '@/lib/state/emulation';
import type { Write } from '../write';
import { geolocationOf, mediaOf, networkOf, touchOf } from './overrides';

/** How one setting is sent to Chrome. */
export interface Setting {
  /** The fields that it is made of. */
  readonly fields: readonly EmulationField[];
  /** The session of the page that it is sent on. */
  readonly lane: 'commands' | 'events';
  /** The branches that take it beside the page. */
  readonly branches: readonly BranchKind[];
  tell(write: Write, now: Emulation): Promise<unknown>;
}

const FRAMES = ['frame'] as const satisfies readonly BranchKind[];
const ALL = ['frame', 'worker', 'shared-worker', 'service-worker'] as const satisfies readonly BranchKind[];

/**
 * The settings that are one command each, in the order in which they are sent. Those of a page do not reach its
 * out-of-process frames and workers (Chromium 156: a frame's first document request has them, its own requests do not).
 * Source: Network, Emulation.
 */
export const SETTINGS: readonly Setting[] = [
  {
    fields: ['offline', 'throttling'],
    lane: 'events',
    branches: ['frame', 'service-worker', 'shared-worker'],
    tell: (write, now) => write('Network.emulateNetworkConditions', networkOf(now)),
  },
  {
    fields: ['throttling'],
    lane: 'commands',
    branches: FRAMES,
    tell: (write, { throttling }) => write('Emulation.setCPUThrottlingRate', { rate: throttling?.cpu ?? 1 }),
  },
  {
    fields: ['headers'],
    lane: 'events',
    branches: ALL,
    tell: (write, { headers = {} }) => write('Network.setExtraHTTPHeaders', { headers }),
  },
  {
    fields: ['media'],
    lane: 'commands',
    branches: FRAMES,
    tell: (write, { media }) => write('Emulation.setEmulatedMedia', mediaOf(media)),
  },
  {
    fields: ['timezone'],
    lane: 'commands',
    branches: ALL,
    tell: (write, { timezone = '' }) => write('Emulation.setTimezoneOverride', { timezoneId: timezone }),
  },
  {
    fields: ['locale'],
    lane: 'commands',
    branches: ALL,
    tell: (write, { locale }) => write('Emulation.setLocaleOverride', locale === undefined ? {} : { locale }),
  },
  { fields: ['locale', 'device'], lane: 'commands', branches: ALL, tell: userAgent },
  {
    fields: ['device'],
    lane: 'commands',
    branches: FRAMES,
    tell: (write, { device }) => write('Emulation.setTouchEmulationEnabled', touchOf(device)),
  },
  { fields: ['geolocation'], lane: 'commands', branches: FRAMES, tell: geolocation },
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
