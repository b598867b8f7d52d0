import { createHmac } from 'node:crypto';
import type { Secret } from '@/server/config/secret';

/**
 * HMAC-SHA256 over `timestamp.body`, hexadecimal: whoever has the secret can tell that it is ours, and how old. @param
 * timestamp seconds since 1970
 */
export function signature(secret: Secret, timestamp: number, body: string): string {
  return `v1=${createHmac('sha256', secret.reveal()).update(`${timestamp}.${body}`).digest('hex')}`;
}
