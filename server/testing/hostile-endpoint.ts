import { createServer, type RequestListener } from 'node:http';
import { WebSocketServer } from 'ws';
import { z } from 'zod';

/** Answers a command of a client; undefined sends no answer. `tell` sends an event. */
export type Says = (
  method: string,
  params: Readonly<Record<string, unknown>>,
  tell: (method: string, params: unknown, sessionId?: string) => void,
) => unknown;

/** An answer that refuses the command, with Chrome's message. */
export class Refusal {
  constructor(readonly message: string) {}
}

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
      const said =
        answer instanceof Refusal ? { error: { code: -32_000, message: answer.message } } : { result: answer };
      if (answer !== undefined)
        socket.send(JSON.stringify({ id, ...said, ...(sessionId === undefined ? {} : { sessionId }) }));
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

const cookie = {
  name: 'a',
  value: 'b',
  domain: 'fake.example',
  path: '/',
  expires: -1,
  size: 2,
  httpOnly: false,
  secure: false,
  session: true,
};
const AX_NODES = [
  { nodeId: '1', ignored: false, role: { type: 'role', value: 'RootWebArea' }, childIds: ['2'], backendDOMNodeId: 1 },
  {
    nodeId: '2',
    ignored: false,
    parentId: '1',
    role: { type: 'role', value: 'button' },
    name: { type: 'computedString', value: 'Press', sources: [{ type: 'contents', value: { value: 'Press' } }] },
    properties: [{ name: 'focusable', value: { type: 'booleanOrUndefined', value: true } }],
    backendDOMNodeId: 2,
  },
];

/** A Chrome with one page, as far as attaching and reading ask: what a hostile one starts from. */
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
  const answers: Readonly<Record<string, (params: Readonly<Record<string, unknown>>) => unknown>> = {
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
    'Runtime.evaluate': ({ expression }) =>
      String(expression).includes('weight')
        ? { result: { type: 'object', value: { elements: 2, nodes: 4, chars: 10 } } }
        : { result: { type: 'number', value: 0, description: '0', objectId: '1.1.1' } },
    'Runtime.callFunctionOn': () => ({ result: { type: 'string', value: '1' } }),
    'Page.createIsolatedWorld': () => ({ executionContextId: 1 }),
    'Page.navigate': () => ({ frameId: 'T1', loaderId: 'L1' }),
    'Page.captureScreenshot': () => ({ data: '' }),
    'Page.printToPDF': () => ({ stream: '1' }),
    'IO.read': () => ({ data: '', eof: true }),
    'Memory.getDOMCounters': () => ({ documents: 1, nodes: 4, jsEventListeners: 0 }),
    'Performance.getMetrics': () => ({ metrics: [{ name: 'RecalcStyleCount', value: 1 }] }),
    'Network.getAllCookies': () => ({ cookies: [cookie] }),
    'Network.getCookies': () => ({ cookies: [cookie] }),
    'Storage.getCookies': () => ({ cookies: [cookie] }),
    'Storage.getStorageKeyForFrame': () => ({ storageKey: 'http://fake.example/' }),
    'DOMStorage.getDOMStorageItems': () => ({ entries: [['key', 'value']] }),
    'DOM.describeNode': () => ({
      node: { nodeId: 1, backendNodeId: 1, nodeName: 'P', localName: 'p', attributes: [] },
    }),
    'DOM.resolveNode': () => ({ object: { type: 'object', subtype: 'node', objectId: '1.1.2' } }),
    'DOM.getContentQuads': () => ({ quads: [[0, 0, 1, 0, 1, 1, 0, 1]] }),
    'DOMDebugger.getEventListeners': () => ({ listeners: [{ type: 'click', backendNodeId: 1 }] }),
    'Runtime.getProperties': () => ({ result: [{ name: '0', value: { type: 'object', objectId: '1.1.3' } }] }),
    'Accessibility.getFullAXTree': () => ({ nodes: AX_NODES }),
    'Accessibility.getPartialAXTree': () => ({ nodes: AX_NODES }),
    'DOMSnapshot.captureSnapshot': () => ({ documents: [], strings: [] }),
    'Runtime.getIsolateId': () => ({ id: '1' }),
    'SystemInfo.getProcessInfo': () => ({ processInfo: [{ type: 'renderer', id: 1, cpuTime: 1 }] }),
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
    return answers[method]?.(params) ?? {};
  };
}
