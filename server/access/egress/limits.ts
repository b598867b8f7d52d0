/** All limits of the egress proxy. Times in milliseconds, sizes in bytes. */
export const EGRESS_LIMITS = {
  /**
   * The port range starts here, below the systems' range for outgoing connections, so that other processes rarely take
   * a stored port while the server is down.
   */
  firstPort: 20_000,
  lastPort: 31_999,
  /** The number of random ports to try before giving up. */
  portTries: 50,
  /** A stored port may still belong to an ending process: the number of tries, and the pause between them. */
  storedPortTries: 4,
  storedPortPauseMs: 250,
  /** Open connections of one session's Chrome to its listener. Chrome 156 itself opens about 230. */
  connections: 512,
  /** The total size of one message's headers. Chrome accepts 256 KB from a server. */
  headerBytes: 256 * 1024,
  headersMs: 60_000,
  /** Closes an idle kept connection; longer than Chrome keeps one idle between two pages. */
  keepAliveMs: 120_000,
  /**
   * The timeout of a connect to all addresses of a host, and the delay before the next address is tried in parallel.
   */
  connectMs: 30_000,
  attemptMs: 1_000,
  resolveMs: 10_000,
  /** Concurrent lookups by the system: half of the process's threads, so that the others remain for files. */
  systemNames: 2,
  /** Closes a connection without traffic; long, because a WebSocket or an event stream may be idle. */
  idleMs: 3_600_000,
  /** How long a name's addresses are cached. Denials are decided anew for each request. */
  namesMs: 30_000,
  names: 500,
  /** The number of ended connections remembered per session, to explain Chrome's errors. */
  endings: 100,
} as const;
