import { blockedMessage } from '@/lib/messages/blocked';
import { WheelhouseError } from './error';

/** An address that pages may not reach, asked for by somebody. `host` with its port where that is not the usual one. */
export function navBlocked({
  rule,
  host,
  port,
}: {
  readonly rule: string;
  readonly host: string;
  readonly port: number;
}): WheelhouseError {
  return new WheelhouseError(
    'NAV_BLOCKED',
    blockedMessage(rule, port === 80 || port === 443 ? host : `${host}:${port}`),
    { hint: { code: 'blockedCure' }, details: { rule, host, port } },
  );
}
