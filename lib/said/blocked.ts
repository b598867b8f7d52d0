import type { Said, SaidCode } from './said';

type BlockedCode = Extract<SaidCode, `blocked${string}`>;

const BY_RULE: Readonly<Record<string, BlockedCode>> = {
  'own-port': 'blockedOwnPort',
  'debug-port': 'blockedDebugPort',
  metadata: 'blockedMetadata',
  private: 'blockedPrivate',
  'no-session': 'blockedNoSession',
};

/** Why the egress proxy lets no page go there (GU1). @param rule as `details.rule` of NAV_BLOCKED has it */
export function saidOfBlocked(rule: string, host: string): Said {
  return { code: BY_RULE[rule] ?? 'blockedOther', host };
}
