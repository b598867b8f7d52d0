import type { Logger } from './logger';
import { cleanFields, type LogFields } from './redact';

/** A warning or an error of the log, without what names people, pages and places. */
export interface RecentLine {
  readonly at: string;
  readonly level: 'warn' | 'error';
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** What a bug report needs of a line's fields. */
const KEPT: ReadonlySet<string> = new Set([
  ...['kind', 'event', 'method', 'route', 'status', 'door', 'state', 'code', 'outcome', 'reason', 'error', 'what'],
  ...['lane', 'version', 'product', 'signal', 'exitCode', 'migration', 'ms', 'count', 'bytes', 'attempt', 'limit'],
]);
const MOST = 200;

/** Keeps the newest warnings and errors of the log, for a bug report. */
export class RecentLines {
  readonly #lines: RecentLine[] = [];

  get lines(): readonly RecentLine[] {
    return this.#lines;
  }

  /** The same logger, of which warnings and errors are kept. */
  recording(logger: Logger, own: LogFields = {}): Logger {
    const keep = (level: RecentLine['level'], fields: LogFields, message: string): void => {
      const clean = Object.entries(cleanFields({ ...own, ...fields })).filter(([name]) => KEPT.has(name));
      this.#lines.push({ at: new Date().toISOString(), level, message, fields: Object.fromEntries(clean) });
      if (this.#lines.length > MOST) this.#lines.shift();
    };
    return {
      debug: (fields, message) => logger.debug(fields, message),
      info: (fields, message) => logger.info(fields, message),
      warn: (fields, message) => {
        logger.warn(fields, message);
        keep('warn', fields, message);
      },
      error: (fields, message) => {
        logger.error(fields, message);
        keep('error', fields, message);
      },
      child: (fields) => this.recording(logger.child(fields), { ...own, ...fields }),
    };
  }
}
