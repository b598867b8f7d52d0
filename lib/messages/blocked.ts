import type { Message, MessageCode } from './message';

type BlockedCode = Extract<MessageCode, `blocked${string}`>;

const BY_RULE: Readonly<Record<string, BlockedCode>> = {
  'own-port': 'blockedOwnPort',
  'debug-port': 'blockedDebugPort',
  metadata: 'blockedMetadata',
  private: 'blockedPrivate',
  unlisted: 'blockedUnlisted',
  'no-session': 'blockedNoSession',
};

/**
 * The message for an address that the egress proxy denies (GU1).
 * @param rule `details.rule` of NAV_BLOCKED
 */
export function blockedMessage(rule: string, host: string): Message {
  return { code: BY_RULE[rule] ?? 'blockedOther', host };
}
