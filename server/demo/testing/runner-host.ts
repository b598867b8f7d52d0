import { createDemoRunner } from '@/server/demo/runner';
import { createLineLog } from '@/server/demo/testing/line-log';

/** A server stand-in that starts the real agent and is then killed by a test: `runner-host.ts <address of the API>`. */
const runner = createDemoRunner({
  logger: createLineLog().logger,
  siteHost: '127.0.0.1',
  agentCommand: { file: process.execPath, args: ['--import', 'tsx', 'bin/demo-agent.ts'] },
  apiUrl: process.argv[2] ?? '',
});
await runner.start({ apiKey: 'a-key-for-a-server-that-never-answers' });
