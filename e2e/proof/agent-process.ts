import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { replySchema, type Reply } from '@/lib/actions/reply';
import { TEST_KEY } from '@/server/testing/server';

const PROGRAM = path.join(import.meta.dirname, 'stubborn-agent.mjs');
const answerSchema = z.object({
  id: z.string(),
  answer: z.union([replySchema, z.object({ error: z.object({ code: z.string() }) })]),
});

export interface AgentTask {
  readonly origin: string;
  readonly session: string;
  /** Its agent name. */
  readonly agent: string;
  readonly door: 'http' | 'socket';
  /** Number of actions under way at once. */
  readonly lanes: number;
  readonly actions: readonly (object & { readonly id: string })[];
}

export interface ScriptedAgent {
  /** The outcome by action id: `ok` or an error code. */
  readonly told: ReadonlyMap<string, string>;
  /** Resolves when so many actions have been answered, or when the agent has ended. */
  answered(count: number): Promise<void>;
  signal(name: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL'): void;
  readonly ended: Promise<unknown>;
}

/** Starts an agent in a process of its own. `onReply` gets each reply as it comes. */
export function startAgent(
  { origin, session, agent, door, lanes, actions }: AgentTask,
  onReply: (id: string, reply: Reply) => void,
): ScriptedAgent {
  const env = {
    PATH: process.env['PATH'] ?? '',
    NODE_ENV: 'production' as const,
    ORIGIN: origin,
    KEY: TEST_KEY,
    SESSION: session,
    AGENT: agent,
    DOOR: door,
    LANES: String(lanes),
    ACTIONS: JSON.stringify(actions),
  };
  const child = spawn(process.execPath, [PROGRAM], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const told = new Map<string, string>();
  const lines = createInterface({ input: child.stdout });
  lines.on('line', (line) => {
    const { id, answer } = answerSchema.parse(JSON.parse(line));
    told.set(id, answer.error?.code ?? 'ok');
    if ('ok' in answer) onReply(id, answer);
  });
  const ended = once(lines, 'close');
  return {
    told,
    ended,
    answered: async (count) => {
      while (told.size < count && child.exitCode === null) await Promise.race([once(lines, 'line'), ended]);
    },
    signal: (name) => void child.kill(name),
  };
}
