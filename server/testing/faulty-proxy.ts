import { connect, createServer, type Server, type Socket } from 'node:net';

/** The point in a request's life at which its connection breaks. */
export const CUTS = ['before send', 'after send', 'before ack', 'after ack'] as const;
export type Cut = (typeof CUTS)[number];

/** Bytes of a ping; an answer is longer. */
const PING = 8;
/** Milliseconds after which an answer counts as received whole. */
const WHOLE_MS = 30;

export interface Break {
  readonly cut: Cut;
  /** From sending to the cut, milliseconds. */
  readonly afterMs: number;
  /** Share of an incomplete message that arrives, 0 to 1. */
  readonly share: number;
}

/** A slow link: bytes in a millisecond in each direction, and milliseconds there and back. */
interface SlowLink {
  readonly bytesPerMs: number;
  readonly roundTripMs: number;
}

/** A TCP proxy between clients and a server: forwards everything, slows and breaks connections on request. */
export class FaultyProxy {
  #next: (Break & { readonly broke: () => void }) | undefined;
  readonly #ends = new Set<Socket>();
  #still = false;
  #link: SlowLink | undefined;

  private constructor(
    private readonly server: Server,
    private readonly port: number,
    readonly origin: string,
  ) {}

  static async open(to: string): Promise<FaultyProxy> {
    const server = createServer();
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('A TCP server has a port.');
    const proxy = new FaultyProxy(server, Number(new URL(to).port), `http://127.0.0.1:${address.port}`);
    server.on('connection', (client) => proxy.#carry(client));
    return proxy;
  }

  /** The next bytes from a client cause this break. Settles when it has broken. */
  breakNext(how: Break): Promise<void> {
    return new Promise((broke) => {
      this.#next = { ...how, broke };
    });
  }

  /**
   * Stops all traffic without closing anything, as when a laptop sleeps or a process is stopped. Data waits for `wake`.
   */
  sleep(): void {
    this.#still = true;
    for (const end of this.#ends) end.pause();
  }

  wake(): void {
    this.#still = false;
    for (const end of this.#ends) end.resume();
  }

  /** From now on new connections are as slow as this link. */
  slowDown(link: SlowLink): void {
    this.#link = link;
  }

  close(): void {
    for (const end of this.#ends) end.destroy();
    this.server.close();
  }

  #carry(client: Socket): void {
    const server = connect(this.port, '127.0.0.1');
    const ends = [client, server];
    const cut = (): void => ends.forEach((end) => end.destroy());
    let answered = (chunk: Buffer): void => void client.write(chunk);
    for (const end of ends) {
      this.#ends.add(end);
      if (this.#still) end.pause();
      end
        .on('error', cut)
        .on('close', cut)
        .on('close', () => this.#ends.delete(end));
    }
    if (this.#link) {
      forwardSlowly(client, server, this.#link);
      return forwardSlowly(server, client, this.#link);
    }
    server.on('data', (chunk) => answered(chunk));
    client.on('data', (chunk) => {
      const fault = this.#next;
      this.#next = undefined;
      if (!fault) return void server.write(chunk);
      const broken = (): void => {
        cut();
        fault.broke();
      };
      answered = (answer) => {
        if (fault.cut !== 'before ack' || answer.length <= PING) client.write(answer);
        if (answer.length <= PING) return;
        if (fault.cut === 'before ack') broken();
        if (fault.cut === 'after ack') setTimeout(broken, WHOLE_MS);
      };
      // An incomplete request is none yet.
      if (fault.cut === 'before send') server.write(chunk.subarray(0, Math.floor(chunk.length * fault.share)), broken);
      else server.write(chunk, () => fault.cut === 'after send' && setTimeout(broken, fault.afterMs));
    });
  }
}

/** Reads no more than the link carries, so that data waits with the sender, as in a network. */
function forwardSlowly(from: Socket, to: Socket, { bytesPerMs, roundTripMs }: SlowLink): void {
  from.on('data', (chunk) => {
    from.pause();
    setTimeout(() => {
      from.resume();
      setTimeout(() => to.write(chunk), roundTripMs / 2);
    }, chunk.length / bytesPerMs);
  });
}
