import type { Message, MessageCode } from './message';

type NetCode = Exclude<MessageCode & `net${string}`, 'netOther'>;

/** Groups Chrome's network error names by the message that people are shown. Source: net/base/net_error_list.h. */
const NAMED: readonly (readonly [code: NetCode, names: readonly string[]])[] = [
  [
    'netNameUnknown',
    [
      'NAME_NOT_RESOLVED',
      'NAME_RESOLUTION_FAILED',
      'ICANN_NAME_COLLISION',
      'DNS_TIMED_OUT',
      'DNS_SERVER_FAILED',
      'DNS_MALFORMED_RESPONSE',
    ],
  ],
  ['netRefused', ['CONNECTION_REFUSED', 'CONNECTION_FAILED']],
  [
    'netReset',
    [
      'CONNECTION_RESET',
      'CONNECTION_CLOSED',
      'CONNECTION_ABORTED',
      'SOCKET_NOT_CONNECTED',
      'CONTENT_LENGTH_MISMATCH',
      'INCOMPLETE_CHUNKED_ENCODING',
    ],
  ],
  ['netEmpty', ['EMPTY_RESPONSE']],
  ['netUnreachable', ['ADDRESS_UNREACHABLE', 'ADDRESS_INVALID', 'NETWORK_ACCESS_DENIED']],
  ['netTimedOut', ['CONNECTION_TIMED_OUT', 'TIMED_OUT']],
  ['netOffline', ['INTERNET_DISCONNECTED']],
  ['netChanged', ['NETWORK_CHANGED', 'NETWORK_IO_SUSPENDED']],
  ['netRedirects', ['TOO_MANY_REDIRECTS']],
  [
    'netCertificate',
    [
      'CERT_AUTHORITY_INVALID',
      'CERT_COMMON_NAME_INVALID',
      'CERT_DATE_INVALID',
      'CERT_INVALID',
      'CERT_REVOKED',
      'CERT_WEAK_SIGNATURE_ALGORITHM',
      'CERT_WEAK_KEY',
    ],
  ],
  [
    'netSecure',
    [
      'SSL_PROTOCOL_ERROR',
      'SSL_VERSION_OR_CIPHER_MISMATCH',
      'SSL_CLIENT_AUTH_CERT_NEEDED',
      'BAD_SSL_CLIENT_AUTH_CERT',
      'SSL_UNRECOGNIZED_NAME_ALERT',
      'ECH_NOT_NEGOTIATED',
    ],
  ],
  ['netUnsafePort', ['UNSAFE_PORT']],
  [
    'netBlocked',
    [
      'BLOCKED_BY_CLIENT',
      'BLOCKED_BY_ADMINISTRATOR',
      'BLOCKED_BY_RESPONSE',
      'BLOCKED_BY_CSP',
      'BLOCKED_BY_PRIVATE_NETWORK_ACCESS_CHECKS',
      'BLOCKED_BY_LOCAL_NETWORK_ACCESS_CHECKS',
      'ACCESS_DENIED',
    ],
  ],
  ['netAborted', ['ABORTED']],
  ['netStatus', ['HTTP_RESPONSE_CODE_FAILURE']],
  [
    'netNotHttp',
    [
      'INVALID_HTTP_RESPONSE',
      'INVALID_RESPONSE',
      'RESPONSE_HEADERS_TOO_BIG',
      'RESPONSE_HEADERS_TRUNCATED',
      'HTTP2_PROTOCOL_ERROR',
      'QUIC_PROTOCOL_ERROR',
    ],
  ],
  ['netAddress', ['INVALID_URL', 'UNKNOWN_URL_SCHEME', 'DISALLOWED_URL_SCHEME']],
  [
    'netSignIn',
    [
      'INVALID_AUTH_CREDENTIALS',
      'MISSING_AUTH_CREDENTIALS',
      'UNSUPPORTED_AUTH_SCHEME',
      'UNEXPECTED_SECURITY_LIBRARY_STATUS',
      'MISCONFIGURED_AUTH_ENVIRONMENT',
      'UNDOCUMENTED_SECURITY_LIBRARY_STATUS',
    ],
  ],
  [
    'netProxy',
    [
      'PROXY_CONNECTION_FAILED',
      'TUNNEL_CONNECTION_FAILED',
      'NO_SUPPORTED_PROXIES',
      'SOCKS_CONNECTION_FAILED',
      'MANDATORY_PROXY_CONFIGURATION_FAILED',
    ],
  ],
];

const BY_NAME = new Map<string, NetCode>(
  NAMED.flatMap(([code, names]) => names.map((name) => [`net::ERR_${name}`, code] as const)),
);

/**
 * Why `url` could not be opened, in plain words. @param error as Chrome names it, for example `net::ERR_UNSAFE_PORT`
 */
export function netErrorMessage(url: string, error: string): Message {
  const code = BY_NAME.get(error);
  return code === undefined ? { code: 'netOther', url, error } : { code, url };
}
