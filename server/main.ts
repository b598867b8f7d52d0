import { pino } from 'pino';
import { asWheelhouseError, messageOf } from '@/lib/errors/error';
import { loadConfig } from '@/server/config/config';
import { utf8Locale } from './config/utf8-locale';
import { freshLink, serve } from './serve';
import { createLogger } from './telemetry/logger';

/** Starts the server; every failure to start is one plain sentence with its cure (OP1). */
async function main(): Promise<void> {
  Object.assign(process.env, utf8Locale(process.env, process.platform));
  const link = process.argv.includes('--link');
  // A link is given without a Chrome, so its sandbox does not matter.
  const config = loadConfig(process.env, { isRoot: !link && process.getuid?.() === 0 });
  // What people read goes to stdout; the log, one JSON line an event, to stderr.
  const logger = createLogger(config, pino.destination(2));
  if (link) return void process.stdout.write(`Open ${await freshLink(config, logger)}\n`);
  const running = await serve({
    config,
    logger,
    searchPath: process.env.PATH ?? '',
    demo: process.argv.includes('--demo'),
  });
  for (const { text } of config.warnings) process.stdout.write(`Note: ${text}\n`);
  process.stdout.write(`Open ${running.link}\n`);
  let stopping = false;
  const stop = (signal: NodeJS.Signals): void => {
    if (stopping) process.exit(1);
    stopping = true;
    logger.info({ signal }, 'stopping');
    running.stop().then(
      () => process.exit(0),
      (error: unknown) => fail(error),
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

function fail(thrown: unknown): never {
  const error = asWheelhouseError(thrown);
  const sentence =
    error.code === 'INTERNAL' && error.cause !== undefined
      ? `Wheelhouse could not start: ${messageOf(error.cause)}`
      : error.message;
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

main().catch(fail);
