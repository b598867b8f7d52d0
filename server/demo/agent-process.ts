import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import type { Logger } from '@/server/telemetry/logger';

export interface AgentCommand {
  /** The program, usually Node itself: it must be the agent's own process, not a wrapper that starts another. */
  readonly file: string;
  readonly args: readonly string[];
}

interface AgentProcessOptions {
  readonly command: AgentCommand;
  /** The child's whole environment, together with NODE_ENV; nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  readonly logger: Logger;
  /** Called with every line that the agent prints, with `secrets` removed. */
  readonly onLine: (line: string) => void;
  /** Text that must never reach the log. */
  readonly secrets: readonly string[];
}

export interface AgentExit {
  readonly code: number | null;
  readonly signal: string | null;
}

/** One running agent: a child of ours, ended by its own process id. */
export interface AgentProcess {
  readonly pid: number;
  /** Resolves when the child is gone and its output is read. */
  readonly ended: Promise<AgentExit>;
  /** Asks the child to end (SIGTERM), and ends it (SIGKILL) when it has not within `graceMs`. */
  stop(graceMs: number): Promise<AgentExit>;
}

const MAX_LINE = 500;

/**
 * Starts the agent. Its standard input is a pipe that we hold open: when this process dies, even by SIGKILL, the pipe
 * closes, and the agent ends itself (DEMO_WATCH_STDIN). Rejects with the system's error when the program cannot be
 * started.
 */
export async function startAgentProcess({
  command,
  env,
  logger,
  onLine,
  secrets,
}: AgentProcessOptions): Promise<AgentProcess> {
  const child = spawn(command.file, [...command.args], {
    env: { ...env, NODE_ENV: 'production' },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  // A child that ends before it has read its input breaks the pipe; `ended` reports that already.
  child.stdin.on('error', (error) => logger.debug({ error }, 'The demo agent closed its input.'));
  await once(child, 'spawn');
  child.on('error', (error) => logger.warn({ error }, 'The demo agent could not be signalled.'));
  const { pid } = child;
  if (pid === undefined) throw new Error('the demo agent has no process id');
  const ended = watchEnd(child);
  readLines(child.stdout, secrets, (line) => {
    logger.info({ pid, output: line }, 'The demo agent says.');
    onLine(line);
  });
  readLines(child.stderr, secrets, (line) => logger.warn({ pid, output: line }, 'The demo agent reports trouble.'));
  return { pid, ended, stop: (graceMs) => stop(child, ended, graceMs) };
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

function watchEnd(child: Child): Promise<AgentExit> {
  return new Promise((resolve) => {
    child.once('close', (code, signal) => resolve({ code, signal }));
  });
}

async function stop(child: Child, ended: Promise<AgentExit>, graceMs: number): Promise<AgentExit> {
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), graceMs);
  try {
    return await ended;
  } finally {
    clearTimeout(timer);
  }
}

function readLines(stream: Readable, secrets: readonly string[], use: (line: string) => void): void {
  createInterface({ input: stream }).on('line', (line) => {
    const safe = secrets.reduce((text, secret) => text.replaceAll(secret, '[hidden]'), line);
    use(safe.length > MAX_LINE ? `${safe.slice(0, MAX_LINE)}…` : safe);
  });
}
