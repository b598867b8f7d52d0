import { connect, isIPv6, type LookupFunction, type Socket } from 'node:net';
import { EGRESS_LIMITS } from './limits';

/** The failure of a connection, in the name that Chrome uses when it connects itself. */
export type NetError =
  | 'net::ERR_NAME_NOT_RESOLVED'
  | 'net::ERR_CONNECTION_REFUSED'
  | 'net::ERR_CONNECTION_TIMED_OUT'
  | 'net::ERR_ADDRESS_UNREACHABLE'
  | 'net::ERR_CONNECTION_RESET'
  | 'net::ERR_EMPTY_RESPONSE'
  | 'net::ERR_CONNECTION_FAILED'
  | 'net::ERR_INVALID_HTTP_RESPONSE';

/** Connects to one of these checked addresses and resolves no names. Throws errors with a system code. */
export function dial(addresses: readonly string[], port: number): Promise<Socket> {
  const lookup: LookupFunction = (_host, _options, answer) =>
    answer(
      null,
      addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 })),
    );
  const options = {
    allowHalfOpen: true,
    noDelay: true,
    keepAlive: true,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: EGRESS_LIMITS.attemptMs,
  };
  return new Promise((resolve, reject) => {
    const socket = connect({ ...options, host: 'checked.invalid', port, lookup });
    const timer = setTimeout(
      () => socket.destroy(Object.assign(new Error('No answer.'), { code: 'ETIMEDOUT' })),
      EGRESS_LIMITS.connectMs,
    );
    socket.once('connect', () => {
      clearTimeout(timer);
      socket.off('error', reject);
      resolve(socket);
    });
    socket.once('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
  });
}

const NAMED: ReadonlyMap<string, NetError> = new Map([
  ['ECONNREFUSED', 'net::ERR_CONNECTION_REFUSED'],
  ['ETIMEDOUT', 'net::ERR_CONNECTION_TIMED_OUT'],
  ['EHOSTUNREACH', 'net::ERR_ADDRESS_UNREACHABLE'],
  ['ENETUNREACH', 'net::ERR_ADDRESS_UNREACHABLE'],
  ['EADDRNOTAVAIL', 'net::ERR_ADDRESS_UNREACHABLE'],
  ['EPIPE', 'net::ERR_CONNECTION_RESET'],
  ['ECONNRESET', 'net::ERR_CONNECTION_RESET'],
]);

/** The error of a failed dial: a refusal by any address wins, else the last error. */
export function netErrorOf(error: unknown): NetError {
  if (error instanceof AggregateError) {
    const all = error.errors.map(netErrorOf);
    return all.find((one) => one === 'net::ERR_CONNECTION_REFUSED') ?? all.at(-1) ?? 'net::ERR_CONNECTION_FAILED';
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code.startsWith('HPE_')) return 'net::ERR_INVALID_HTTP_RESPONSE';
  return NAMED.get(code) ?? 'net::ERR_CONNECTION_FAILED';
}
