import type { Message, MessageCode } from './message';

type BlockedCode = Extract<MessageCode, `blocked${string}`>;

const BY_RULE: Readonly<Record<string, BlockedCode>> = {
  'own-port': 'blockedOwnPort',
  'debug-port': 'blockedDebugPort',
  metadata: 'blockedMetadata',
  private: 'blockedPrivate',
  'no-session': 'blockedNoSession',
};

/** Why the egress proxy lets no page go there (GU1). @param rule as `details.rule` of NAV_BLOCKED has it */
export function blockedMessage(rule: string, host: string): Message {
  return { code: BY_RULE[rule] ?? 'blockedOther', host };
}
