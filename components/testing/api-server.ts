import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { Deferred } from '@/lib/async/deferred';

/** A call of the page under test. `what`: its method and its path below `/api/v1`. */
interface Call {
  readonly what: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  readonly answer: (status: number, body: unknown) => void;
}

export interface ApiServer {
  /** The calls that wait for their answer. */
  waiting(): string[];
  /** Answers the next call of that kind, as soon as there is one; returns what came with it. */
  answer(what: string, status: number, body: unknown): Promise<{ headers: Call['headers']; body: unknown }>;
}

/** A server that gets the HTTP calls of the pages that a test file renders; each waits for its answer. */
export function apiServer(): ApiServer {
  const calls: Call[] = [];
  let arrived = new Deferred();
  const server = createServer((request, response) => {
    const answer: Call['answer'] = (status, body) =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    const { method, url = '', headers } = request;
    void text(request).then((body) => {
      calls.push({ what: `${method} ${url.replace('/api/v1', '')}`, headers, body, answer });
      arrived.resolve();
    });
  });
  const realFetch = globalThis.fetch;
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const at = server.address();
    const origin = `http://127.0.0.1:${typeof at === 'object' ? at?.port : ''}`;
    // The address of the page, to which jsdom does not complete those of calls.
    globalThis.fetch = (input, init) => realFetch(typeof input === 'string' ? `${origin}${input}` : input, init);
  });
  afterEach(() => void (calls.length = 0));
  afterAll(() => {
    globalThis.fetch = realFetch;
    server.closeAllConnections();
    server.close();
  });
  return {
    waiting: () => calls.map(({ what }) => what),
    answer: async (what, status, body) => {
      for (;;) {
        const call = calls.find((one) => one.what === what);
        if (call) {
          calls.splice(calls.indexOf(call), 1);
          call.answer(status, body);
          const sent: unknown = call.body === '' ? undefined : JSON.parse(call.body);
          return { headers: call.headers, body: sent };
        }
        await arrived.promise;
        arrived = new Deferred();
      }
    },
  };
}
