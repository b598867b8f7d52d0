import type { LogFields, Logger } from '@/server/telemetry/logger';

/** A log for tests of the demo: keeps the agent's lines, and lets a test wait for one. */
export interface LineLog {
  readonly logger: Logger;
  readonly lines: readonly string[];
  /** Resolves with the first line that matches, past or to come. */
  said(pattern: RegExp): Promise<string>;
}

interface Listener {
  readonly pattern: RegExp;
  readonly resolve: (line: string) => void;
}

export function createLineLog(): LineLog {
  const lines: string[] = [];
  const listeners: Listener[] = [];
  const write = ({ output }: LogFields): void => {
    if (typeof output !== 'string') return;
    lines.push(output);
    for (const { pattern, resolve } of listeners) if (pattern.test(output)) resolve(output);
  };
  const logger: Logger = { debug: write, info: write, warn: write, error: write, child: () => logger };
  return {
    logger,
    lines,
    said: (pattern) =>
      new Promise((resolve) => {
        const past = lines.find((line) => pattern.test(line));
        if (past === undefined) listeners.push({ pattern, resolve });
        else resolve(past);
      }),
  };
}
