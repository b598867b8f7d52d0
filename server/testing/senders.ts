import { request } from 'node:http';
import { replySchema, type Reply } from '@/lib/actions/reply';
import { TEST_KEY } from './server';
import { ask, connectClient, type Client } from './socket-client';

/** A client of one door at the end of a cable. */
export interface Sender {
  /** Settles when there is a connection, for a door that keeps one. */
  ready(): Promise<void>;
  /** Sends the action once; undefined when the connection broke before the answer. */
  send(action: object): Promise<Reply | undefined>;
  close(): void;
}

/** Where the cable begins, the server's host name, and the session to act in. */
export interface SenderTarget {
  readonly origin: string;
  readonly host: string;
  readonly session: string;
  /** The agent's name. */
  readonly agent?: string;
}

/** Both doors use the same key, so their clients are the same participant. */
export function byHttp({ origin, host, session, agent }: SenderTarget): Sender {
  const headers = {
    host,
    ...(agent === undefined ? {} : { 'x-agent': agent }),
    authorization: `Bearer ${TEST_KEY}`,
    'content-type': 'application/json',
    connection: 'close',
  };
  return {
    ready: () => Promise.resolve(),
    send: (action) =>
      new Promise((resolve) => {
        const call = request(
          `${origin}/api/v1/sessions/${session}/tabs/t1/act`,
          { method: 'POST', headers, agent: false },
          (response) => {
            const chunks: Buffer[] = [];
            response.on('data', (chunk: Buffer) => chunks.push(chunk));
            response.on('close', () =>
              resolve(response.complete ? replySchema.parse(JSON.parse(Buffer.concat(chunks).toString())) : undefined),
            );
          },
        );
        call.on('error', () => resolve(undefined));
        call.end(JSON.stringify(action));
      }),
    close: () => undefined,
  };
}

/** Pause before a refused handshake (too many of them) is tried again. Milliseconds. */
const HANDSHAKE_RETRY_MS = 300;

export function bySocket({ origin, host, session, agent }: SenderTarget): Sender {
  let line: Client | undefined;
  const connected = async (): Promise<Client> => {
    while (line?.connected !== true) {
      line?.disconnect();
      const fresh = connectClient(origin, {
        auth: { key: TEST_KEY, ...(agent === undefined ? {} : { agent }) },
        headers: { host },
      });
      line = fresh;
      await new Promise<void>((resolve) => {
        fresh.on('connect', () => resolve());
        fresh.on('connect_error', () => setTimeout(resolve, HANDSHAKE_RETRY_MS));
      });
    }
    return line;
  };
  return {
    ready: async () => void (await connected()),
    send: async (action) => {
      const client = await connected();
      const broke = new Promise<undefined>((resolve) => client.once('disconnect', () => resolve(undefined)));
      const answer = ask(client, 'act', { session, tab: 't1', action }).then((ack) => {
        if (ack.ok) return ack.data;
        throw new Error(`act was answered ${ack.error.code}: ${ack.error.message}`);
      });
      return Promise.race([answer, broke]);
    },
    close: () => line?.disconnect(),
  };
}
