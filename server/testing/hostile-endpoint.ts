import { createServer, type RequestListener } from 'node:http';
import { WebSocketServer } from 'ws';
import { z } from 'zod';

/** Answers a command of a client; undefined sends no answer. `tell` sends an event. */
export type Says = (
  method: string,
  params: Readonly<Record<string, unknown>>,
  tell: (method: string, params: unknown, sessionId?: string) => void,
) => unknown;

export interface HostileEndpoint {
  readonly cdpUrl: string;
  /** Sends this message unchanged to every connection. */
  shout(message: string | Buffer): void;
  close(): void;
}

const commandSchema = z.looseObject({
  id: z.number(),
  method: z.string(),
  params: z.record(z.string(), z.unknown()).catch({}),
  sessionId: z.string().optional(),
});

/**
 * A server that speaks as much of the DevTools protocol as a test wants. `version`: replaces the correct answer of
 * `/json/version`.
 */
export async function startHostileEndpoint(says: Says, version?: RequestListener): Promise<HostileEndpoint> {
  let port = 0;
  const right: RequestListener = (_, response) =>
    void response.end(
      JSON.stringify({ Browser: 'Fake/1', webSocketDebuggerUrl: `ws://127.0.0.1:${port}/devtools/browser/fake` }),
    );
  const server = createServer(version ?? right);
  const doors = new WebSocketServer({ server });
  doors.on('connection', (socket) => {
    socket.on('error', () => undefined);
    socket.on('message', (data: Buffer) => {
      const { id, method, params, sessionId } = commandSchema.parse(JSON.parse(data.toString('utf8')));
      const answer = says(method, params, (event, about, session) =>
        socket.send(
          JSON.stringify({ method: event, params: about, ...(session === undefined ? {} : { sessionId: session }) }),
        ),
      );
      if (answer !== undefined)
        socket.send(JSON.stringify({ id, result: answer, ...(sessionId === undefined ? {} : { sessionId }) }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('A TCP server has a port.');
  port = address.port;
  return {
    cdpUrl: `http://127.0.0.1:${port}`,
    shout: (message) => {
      for (const client of doors.clients) client.send(message, { binary: false });
    },
    close: () => {
      for (const client of doors.clients) client.terminate();
      server.close();
      server.closeAllConnections();
    },
  };
}

/** A Chrome with one page, as far as attaching asks; the basis of hostile ones. */
export function plausible(page: Readonly<Record<string, unknown>> = {}): Says {
  let [sessions, pages] = [0, 0];
  const target = {
    targetId: 'T1',
    type: 'page',
    title: 'Fake',
    url: 'http://fake.example/',
    attached: false,
    canAccessOpener: false,
    browserContextId: 'C0',
    ...page,
  };
  const answers: Readonly<Record<string, () => unknown>> = {
    'Browser.getVersion': () => ({
      protocolVersion: '1.3',
      product: 'Chrome/1.2.3',
      revision: '@1',
      userAgent: 'Fake',
      jsVersion: '1',
    }),
    'Target.getBrowserContexts': () => ({ browserContextIds: [] }),
    'Target.getTargets': () => ({ targetInfos: [target] }),
    'Target.createBrowserContext': () => ({ browserContextId: 'C1' }),
    'Target.getTargetInfo': () => ({ targetInfo: target }),
    'Target.attachToTarget': () => ({ sessionId: `S${(sessions += 1)}` }),
    'Page.getFrameTree': () => ({
      frameTree: {
        frame: {
          id: 'T1',
          loaderId: 'L1',
          url: target.url,
          domainAndRegistry: '',
          securityOrigin: '',
          mimeType: 'text/html',
          secureContextType: 'Secure',
          crossOriginIsolatedContextType: 'NotIsolated',
          gatedAPIFeatures: [],
        },
      },
    }),
    'Page.getNavigationHistory': () => ({
      currentIndex: 0,
      entries: [{ id: 1, url: target.url, userTypedURL: '', title: '', transitionType: 'typed' }],
    }),
    'Runtime.evaluate': () => ({ result: { type: 'number', value: 0, description: '0' } }),
  };
  return (method, params, tell) => {
    if (method === 'Target.createTarget') {
      const targetId = `${target.targetId}-${(pages += 1)}`;
      tell('Target.targetCreated', {
        targetInfo: { ...target, targetId, browserContextId: params['browserContextId'] },
      });
      return { targetId };
    }
    if (method === 'Target.setDiscoverTargets') tell('Target.targetCreated', { targetInfo: target });
    return answers[method]?.() ?? {};
  };
}
