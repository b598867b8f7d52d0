import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { replySchema, type Reply } from '@/lib/actions/reply';
import { sessionSchema, timelineEventSchema, type SessionView, type TimelineEvent } from '@/lib/protocol/views';
import { NO_SPARE, NO_WINDOW } from '@/server/testing/chrome-args';
import { bundledProgram } from '@/server/testing/program';
import { TEST_KEY } from '@/server/testing/server';

const memorySchema = z.object({ rss: z.number(), heap: z.number() });
type Memory = z.infer<typeof memorySchema>;

/** A server in a process of its own, on a data directory that outlives it. */
export class ServerProcess {
  private constructor(
    private readonly child: ChildProcess,
    readonly origin: string,
    readonly pid: number,
  ) {}

  /** Throws the server's message when it does not start. */
  static async start(dataDir: string, settings: Readonly<Record<string, string>> = {}): Promise<ServerProcess> {
    const chrome = process.env['WHEELHOUSE_TEST_CHROME'];
    const env = {
      PATH: process.env['PATH'] ?? '',
      NODE_ENV: 'test' as const,
      PORT: '0',
      DATA_DIR: dataDir,
      WHEELHOUSE_API_KEY: TEST_KEY,
      LOG_LEVEL: 'silent',
      TIMELINE_PICTURES_MB: '0',
      CHROME_ARGS: `${NO_SPARE} ${NO_WINDOW}`,
      ...(chrome ? { CHROME_PATH: chrome } : {}),
      ...settings,
    };
    const child = spawn(process.execPath, ['--expose-gc', bundledProgram('e2e/proof/server-child.ts')], {
      env,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    const { stdout, stderr } = child;
    if (!stdout || !stderr) throw new Error('The server has no output to read.');
    const said: string[] = [];
    createInterface({ input: stderr }).on('line', (line) => said.push(line));
    const origin = await new Promise<string | undefined>((resolve) => {
      createInterface({ input: stdout }).once('line', resolve);
      child.once('close', () => resolve(undefined));
    });
    if (origin === undefined || child.pid === undefined) throw new Error(said.join(' | '));
    return new ServerProcess(child, origin, child.pid);
  }

  /** Sends a signal without waiting. */
  signal(name: 'SIGSTOP' | 'SIGCONT'): void {
    this.child.kill(name);
  }

  /** Memory after a garbage collection: of the process, and of its objects. Bytes. */
  memory(): Promise<Memory> {
    return new Promise((resolve) => {
      this.child.once('message', (told) => resolve(memorySchema.parse(told)));
      this.child.send('memory');
    });
  }

  /** Kills it; resolves when it is gone. */
  async kill(): Promise<void> {
    const gone = new Promise((resolve) => this.child.once('exit', resolve));
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    this.child.kill('SIGKILL');
    await gone;
  }

  async api(method: string, route: string, body?: unknown): Promise<unknown> {
    const headers = {
      authorization: `Bearer ${TEST_KEY}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    };
    const response = await fetch(`${this.origin}/api/v1/${route}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return response.json();
  }

  /** Creates a session that shows `url`. */
  async open(url: string): Promise<SessionView> {
    return sessionSchema.parse(await this.api('POST', 'sessions', { url }));
  }

  async session(id: string): Promise<SessionView> {
    return sessionSchema.parse(await this.api('GET', `sessions/${id}`));
  }

  /** Rejects when the connection is lost. */
  async act(session: string, action: object): Promise<Reply> {
    return replySchema.parse(await this.api('POST', `sessions/${session}/tabs/t1/act`, action));
  }

  async timeline(session: string): Promise<TimelineEvent[]> {
    return z
      .array(timelineEventSchema)
      .parse(await this.api('GET', `sessions/${session}/timeline?since=0&limit=10000`));
  }

  /** Ends all its browsers. */
  async endBrowsers(): Promise<void> {
    const browsers = z.array(z.object({ id: z.string() })).parse(await this.api('GET', 'browsers'));
    await Promise.all(browsers.map(({ id }) => this.api('DELETE', `browsers/${id}`)));
  }
}
