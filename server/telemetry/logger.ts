import { pino, type DestinationStream, type Logger as Pino } from 'pino';
import { cleanFields, type LogFields } from './redact';

export type { LogFields } from './redact';

/**
 * The log as a component uses it. Fields come first, then one plain sentence. Only fields of the allow-list are written
 * (T14).
 */
export interface Logger {
  debug(fields: LogFields, message: string): void;
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
  /** A logger that adds `fields` to every line, for example `{requestId}`. */
  child(fields: LogFields): Logger;
}

export interface LoggerOptions {
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent';
}

/** JSON lines on stdout, or on `destination` (tests). */
export function createLogger(options: LoggerOptions, destination?: DestinationStream): Logger {
  const settings = {
    level: options.logLevel,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  return wrap(destination ? pino(settings, destination) : pino(settings));
}

function wrap(sink: Pino): Logger {
  return {
    debug: (fields, message) => {
      if (sink.isLevelEnabled('debug')) sink.debug(cleanFields(fields), message);
    },
    info: (fields, message) => sink.info(cleanFields(fields), message),
    warn: (fields, message) => sink.warn(cleanFields(fields), message),
    error: (fields, message) => sink.error(cleanFields(fields), message),
    child: (fields) => wrap(sink.child(cleanFields(fields))),
  };
}

/**
 * The same log, whose lines are looked through by `redact` before they are written: of a session, for its secrets
 * (T14).
 */
export function redacting(logger: Logger, redact: (line: Record<string, unknown>) => Record<string, unknown>): Logger {
  const line = (fields: LogFields): LogFields => redact(cleanFields(fields));
  return {
    debug: (fields, message) => logger.debug(line(fields), message),
    info: (fields, message) => logger.info(line(fields), message),
    warn: (fields, message) => logger.warn(line(fields), message),
    error: (fields, message) => logger.error(line(fields), message),
    child: (fields) => redacting(logger.child(line(fields)), redact),
  };
}
