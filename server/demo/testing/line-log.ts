import type { LogFields, Logger } from '@/server/telemetry/logger';

/** A log for tests of the demo: keeps the agent's lines, and lets a test wait for one. */
export interface LineLog {
  readonly logger: Logger;
  readonly lines: readonly string[];
  /** Resolves with the first line that matches, past or to come, or with the second, … */
  said(pattern: RegExp, nth?: number): Promise<string>;
}

export function createLineLog(): LineLog {
  const lines: string[] = [];
  const listeners: (() => void)[] = [];
  const write = ({ output }: LogFields): void => {
    if (typeof output !== 'string') return;
    lines.push(output);
    for (const look of listeners) look();
  };
  const logger: Logger = { debug: write, info: write, warn: write, error: write, child: () => logger };
  return {
    logger,
    lines,
    said: (pattern, nth = 1) =>
      new Promise((resolve) => {
        const look = (): void => {
          const line = lines.filter((one) => pattern.test(one))[nth - 1];
          if (line !== undefined) resolve(line);
        };
        listeners.push(look);
        look();
      }),
  };
}
