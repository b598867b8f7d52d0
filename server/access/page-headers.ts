/**
 * Headers for a page of the interface; `nonce` is fresh for each answer and goes to Next in the request's own CSP
 * header (T12).
 */
export interface PageHeaderOptions {
  /** 128 random bits or more, base64. */
  readonly nonce: string;
  /** Next's hot reload evaluates text as script. */
  readonly development: boolean;
  /** Served over TLS. */
  readonly secure: boolean;
}

/**
 * The content security policy of a page (AU6). Scripts run by nonce only; nothing may frame us; nothing leaves for
 * another origin.
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
 * Everything a page answer carries (T12, T25). Note: with no-referrer a plain form POST has Origin "null" and is
 * refused; use fetch.
 */
export function pageHeaders(options: PageHeaderOptions): Record<string, string> {
  return {
    ...commonHeaders(options.secure),
    'Content-Security-Policy': contentSecurityPolicy(options),
    'Permissions-Policy': PERMISSIONS_POLICY,
    'X-Frame-Options': 'DENY',
  };
}

/** For everything that is not a page: nothing in it may run, be framed, or be kept by a cache. */
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
  'publickey-credentials-get',
  'screen-wake-lock',
  'serial',
  'usb',
  'xr-spatial-tracking',
]
  .map((feature) => `${feature}=()`)
  .concat('clipboard-read=(self)', 'clipboard-write=(self)', 'fullscreen=(self)')
  .join(', ');
