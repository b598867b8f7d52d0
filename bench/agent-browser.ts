import { execFile, spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { promisify } from 'node:util';
import type { BenchFixture } from './bench-fixture';

export interface AgentBrowser {
  evaluate(script: string): Promise<void>;
  /** The snapshot that agents get; `-i` limits it to interactive elements. */
  snapshot(...options: string[]): Promise<string>;
  /** A call that does almost nothing, which measures the cost of starting a command. */
  nothing(): Promise<void>;
}

const run = promisify(execFile);
/** Most bytes of one answer, which is text for a model. */
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * agent-browser with a process of the same Chrome of its own, used as agents use it: each call starts a command, which
 * passes it on to the daemon. Undefined unless `AGENT_BROWSER` names its native program (bench/README.md).
 */
export async function openAgentBrowser(fixture: BenchFixture, url: string): Promise<AgentBrowser | undefined> {
  const program = process.env['AGENT_BROWSER'];
  if (program === undefined) return undefined;
  const env = { ...process.env, HOME: tmpdir(), AGENT_BROWSER_SESSION: `bench${process.pid}` };
  const call = async (...args: string[]): Promise<string> =>
    (await run(program, args, { env, maxBuffer: MAX_BYTES })).stdout;
  // The daemon would outlive a run that crashes.
  const end = (): void => void spawnSync(program, ['close'], { env });
  process.once('exit', end);
  fixture.onSweep(async () => {
    process.off('exit', end);
    await call('close');
  });
  await call('--executable-path', fixture.chromePath, '--args', '--no-sandbox', 'open', url);
  await call('set', 'viewport', '1280', '720');
  return {
    evaluate: async (script) => void (await call('eval', script)),
    snapshot: (...options) => call('snapshot', ...options),
    nothing: async () => void (await call('get', 'title')),
  };
}
