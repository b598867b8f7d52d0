import { messageOf } from '@/lib/errors/error';
import { loadConfig } from '@/server/config/config';
import { serve } from '@/server/serve';
import { createLogger } from '@/server/telemetry/logger';

/**
 * The whole server without the interface, in a process of its own that can be killed and stopped. Says where it is; or
 * why not, and ends with 1.
 */
const config = loadConfig(process.env, { isRoot: process.getuid?.() === 0 });
serve({
  config,
  logger: createLogger({ logLevel: 'silent' }),
  searchPath: process.env.PATH ?? '',
  demo: false,
  pages: false,
}).then(
  ({ origin }) => process.stdout.write(`${origin}\n`),
  (error: unknown) => {
    process.stderr.write(`${messageOf(error)}\n`);
    process.exit(1);
  },
);

/** Asked by the proof: what is left once nothing is kept that nobody needs. */
process.on('message', () => {
  globalThis.gc?.();
  const { rss, heapUsed, external } = process.memoryUsage();
  process.send?.({ rss, heap: heapUsed + external });
});
