/** Every number of the way out of pages, in one place. Times in milliseconds, sizes in bytes. */
export const EGRESS_LIMITS = {
  /**
   * Ports are taken from here, below what systems give to outgoing connections: a stored one is rarely taken while the
   * server is away.
   */
  firstPort: 20_000,
  lastPort: 31_999,
  /** How often a random port is tried before there is none. */
  portTries: 50,
  /** A stored port may still be in use by what is just ending: it is tried again so often, so far apart. */
  storedPortTries: 4,
  storedPortPauseMs: 250,
  /** Open connections of one session's Chrome to its listener; Chrome 156 itself opens about 230. */
  connections: 512,
  /** One request's or response's headers together; Chrome takes 256 KB from a server. */
  headerBytes: 256 * 1024,
  headersMs: 60_000,
  /** A kept connection on which nothing is asked; longer than Chrome leaves one idle between two pages. */
  keepAliveMs: 120_000,
  /** Connecting, all addresses of a host together, and one of several before the next is tried beside it. */
  connectMs: 30_000,
  attemptMs: 1_000,
  resolveMs: 10_000,
  /** Names that the system is asked for at once: half of the process's threads, the others are for files. */
  systemNames: 2,
  /** Nothing in either direction: long, because a WebSocket or an event stream may rest. */
  idleMs: 3_600_000,
  /** How long an answer of the name service is used. What is denied is decided anew for each request. */
  namesMs: 30_000,
  names: 500,
  /** Endings of connections that are remembered for a session, to explain Chrome's own errors. */
  endings: 100,
} as const;
