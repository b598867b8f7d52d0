/** Options of a page's headers. `nonce` is new for each answer; Next gets it in the request's CSP header (T12). */
export interface PageHeaderOptions {
  /** 128 random bits or more, base64. */
  readonly nonce: string;
  /** Allows `eval`, which Next's hot reload uses. */
  readonly development: boolean;
  /** The page is served over TLS. */
  readonly secure: boolean;
}

/**
 * The content security policy of a page (AU6): scripts run by nonce only, no site may frame the page, and the page may
 * not send to other origins.
 */
export function contentSecurityPolicy({
  nonce,
  development,
}: Pick<PageHeaderOptions, 'nonce' | 'development'>): string {
  const evaluate = development ? " 'unsafe-eval'" : '';
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'${evaluate}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' blob: data:",
    "font-src 'self'",
    "connect-src 'self'",
    "media-src 'self' blob:",
    "worker-src 'self' blob:",
    "manifest-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-src 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/**
 * All headers of a page answer (T12, T25). With no-referrer, a plain form POST has Origin "null" and is refused; use
 * fetch.
 */
export function pageHeaders(options: PageHeaderOptions): Record<string, string> {
  return {
    ...commonHeaders(options.secure),
    'Content-Security-Policy': contentSecurityPolicy(options),
    'Permissions-Policy': PERMISSIONS_POLICY,
    'X-Frame-Options': 'DENY',
  };
}

/** Headers of answers that are not pages: the browser must not run, frame or cache them. */
export function dataHeaders(options: { secure: boolean }): Record<string, string> {
  return {
    ...commonHeaders(options.secure),
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    'Cache-Control': 'no-store',
  };
}

function commonHeaders(secure: boolean): Record<string, string> {
  const headers = {
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'X-Robots-Tag': 'noindex',
  };
  return secure ? { ...headers, 'Strict-Transport-Security': 'max-age=31536000' } : headers;
}

const PERMISSIONS_POLICY = [
  'accelerometer',
  'autoplay',
  'browsing-topics',
  'camera',
  'display-capture',
  'encrypted-media',
  'geolocation',
  'gyroscope',
  'hid',
  'idle-detection',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'picture-in-picture',
  'screen-wake-lock',
  'serial',
  'usb',
  'xr-spatial-tracking',
]
  .map((feature) => `${feature}=()`)
  .concat(
    ...['clipboard-read=(self)', 'clipboard-write=(self)', 'fullscreen=(self)'],
    ...['publickey-credentials-create=(self)', 'publickey-credentials-get=(self)'],
  )
  .join(', ');
