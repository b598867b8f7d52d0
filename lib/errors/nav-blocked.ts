import { blockedMessage } from '@/lib/messages/blocked';
import { WheelhouseError } from './error';

/** The error for a requested address that pages may not reach. `host` includes a port that is not the default. */
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
