import { readFileSync } from 'node:fs';
import { createServer, type Server, type ServerOptions } from 'node:https';
import { createSecureContext } from 'node:tls';
import { repeat } from '@/lib/async/timers';
import type { Clock } from '@/lib/budget/clock';
import { messageOf, WheelhouseError } from '@/lib/errors/error';
import type { Config } from './config/config';
import type { Logger } from './telemetry/logger';

type TlsFiles = NonNullable<Config['tls']>;

/** A certificate and its private key, as PEM. */
interface CertificatePair {
  readonly cert: string;
  readonly key: string;
}

/** Throws one sentence with the cure for a file that cannot be read, or a pair that does not belong together. */
function readCertificate(files: TlsFiles): CertificatePair {
  const pair = { cert: readPem('TLS_CERT', files.cert), key: readPem('TLS_KEY', files.key) };
  try {
    createSecureContext(pair);
  } catch (error) {
    throw new WheelhouseError(
      'BAD_REQUEST',
      `TLS_CERT and TLS_KEY are no certificate with its private key (${messageOf(error)}): give PEM files that belong together, the key without a passphrase.`,
      { cause: error },
    );
  }
  return pair;
}

function readPem(name: 'TLS_CERT' | 'TLS_KEY', file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new WheelhouseError(
      'BAD_REQUEST',
      `${name} cannot be read (${messageOf(error)}): give the path of a PEM file that this user may read.`,
      { cause: error },
    );
  }
}

/**
 * An https server that serves a renewed certificate to new connections: it looks at the files every `everyMs` and at
 * SIGHUP. Files that cannot be used are logged once, and the last good pair stays. Throws as `readCertificate`.
 */
export function createTlsServer(files: TlsFiles, options: ServerOptions, init: FollowInit): Server {
  const pair = readCertificate(files);
  const server = createServer({ ...options, ...pair, handshakeTimeout: HANDSHAKE_MS });
  server.once('listening', () => server.once('close', followCertificate(server, files, pair, init)));
  return server;
}

/** How long a connection may take to agree on its keys. Milliseconds. */
const HANDSHAKE_MS = 10_000;

interface FollowInit {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly everyMs: number;
}

/** The returned function ends the looks. */
function followCertificate(
  server: Server,
  files: TlsFiles,
  first: CertificatePair,
  { clock, logger, everyMs }: FollowInit,
): () => void {
  let served = first;
  let refused: string | undefined;
  const look = (): void => {
    try {
      const pair = readCertificate(files);
      refused = undefined;
      if (pair.cert === served.cert && pair.key === served.key) return;
      server.setSecureContext(pair);
      served = pair;
      logger.info({}, 'the renewed certificate is in use');
    } catch (error) {
      const reason = messageOf(error);
      if (reason !== refused) logger.warn({ reason }, 'the certificate could not be renewed; the last one is used');
      refused = reason;
    }
  };
  const stop = repeat(clock, everyMs, look);
  process.on('SIGHUP', look);
  return () => {
    stop();
    process.off('SIGHUP', look);
  };
}
