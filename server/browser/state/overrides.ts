import type { Emulation } from '@/lib/state/emulation';
import type { Viewport } from '@/lib/geometry/picture';
import type { Protocol } from '@/server/cdp/protocol';

/** Our settings as parameters of the protocol. */

/** Latency in milliseconds, speeds in kilobits a second: the presets of Chrome's developer tools. */
const SPEEDS = {
  'slow-3g': { latencyMs: 2_000, downKbps: 400, upKbps: 400 },
  'fast-3g': { latencyMs: 563, downKbps: 1_440, upKbps: 675 },
  'slow-4g': { latencyMs: 170, downKbps: 9_000, upKbps: 1_500 },
} as const;

const BYTES_OF_KILOBIT = 125;

export function networkOf({
  offline = false,
  throttling,
}: Emulation): Protocol.Network.EmulateNetworkConditionsRequest {
  const throttle = throttling?.network;
  if (throttle === undefined) return { offline, latency: 0, downloadThroughput: -1, uploadThroughput: -1 };
  const { latencyMs, downKbps, upKbps } = typeof throttle === 'string' ? SPEEDS[throttle] : throttle;
  return {
    offline,
    latency: latencyMs,
    downloadThroughput: downKbps * BYTES_OF_KILOBIT,
    uploadThroughput: upKbps * BYTES_OF_KILOBIT,
  };
}

const FEATURES = {
  colorScheme: 'prefers-color-scheme',
  reducedMotion: 'prefers-reduced-motion',
  contrast: 'prefers-contrast',
  forcedColors: 'forced-colors',
} as const;

export function mediaOf(media: Emulation['media'] = {}): Protocol.Emulation.SetEmulatedMediaRequest {
  const { colorScheme, reducedMotion, contrast, forcedColors, type = '' } = media;
  const features = Object.entries({ colorScheme, reducedMotion, contrast, forcedColors } satisfies Record<
    keyof typeof FEATURES,
    string | undefined
  >);
  return { media: type, features: features.map(([field, value = '']) => ({ name: featureOf(field), value })) };
}

function featureOf(field: string): string {
  return Object.entries(FEATURES).find(([name]) => name === field)?.[1] ?? field;
}

export function metricsOf(
  device: Emulation['device'],
  viewport: Viewport,
): Protocol.Emulation.SetDeviceMetricsOverrideRequest {
  const { width, height, deviceScaleFactor = 1, mobile = false } = device ?? viewport;
  return { width, height, deviceScaleFactor, mobile };
}

export function touchOf(device: Emulation['device']): Protocol.Emulation.SetTouchEmulationEnabledRequest {
  return device?.touch === true ? { enabled: true, maxTouchPoints: 5 } : { enabled: false };
}

export function geolocationOf({
  latitude,
  longitude,
  accuracy = 10,
}: NonNullable<Emulation['geolocation']>): Protocol.Emulation.SetGeolocationOverrideRequest {
  return { latitude, longitude, accuracy };
}
