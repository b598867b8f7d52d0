import { messageOf } from '@/lib/errors/error';
import { loadConfig } from '@/server/config/config';
import { serve } from '@/server/serve';
import { createLogger } from '@/server/telemetry/logger';

/**
 * The whole server without the interface, in a process of its own that can be killed and stopped. Prints its address;
 * or the reason of its failure, and exits with 1.
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

/** A request of the proof: reports the memory that is left after a garbage collection. */
process.on('message', () => {
  globalThis.gc?.();
  const { rss, heapUsed, external } = process.memoryUsage();
  process.send?.({ rss, heap: heapUsed + external });
});
