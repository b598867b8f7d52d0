import fc from 'fast-check';
import { plausible, startHostileEndpoint, type HostileEndpoint } from './hostile-endpoint';

/** One change of a correct message. */
export interface FieldMutation {
  /** Number of the message that is changed: the first, the second… */
  readonly nth: number;
  /** Index of the field at each depth; the last one is replaced. */
  readonly path: readonly number[];
  readonly value: unknown;
}

const strange = fc.oneof(
  fc.constantFrom(
    null,
    '',
    -1,
    1e308,
    2 ** 53,
    true,
    [],
    {},
    'x'.repeat(100_000),
    '\u202e\u0000',
    '../../x',
    { toString: null },
    ['__proto__'],
  ),
  fc.jsonValue(),
);
export const changeArbitrary: fc.Arbitrary<FieldMutation> = fc.record({
  nth: fc.nat(60),
  path: fc.array(fc.nat(12), { minLength: 1, maxLength: 5 }),
  value: strange,
});

const frame = { id: 'T1', loaderId: 'L1', url: 'http://fake.example/', mimeType: 'text/html' };
const request = {
  requestId: '1.1',
  loaderId: 'L1',
  documentURL: 'http://fake.example/',
  timestamp: 1,
  wallTime: 1_700_000_000,
  initiator: { type: 'other' },
  frameId: 'T1',
  request: { url: 'http://fake.example/x', method: 'GET', headers: { a: 'b' } },
};
const targetInfo = {
  targetId: 'T1',
  type: 'page',
  title: 'Fake',
  url: 'http://fake.example/',
  attached: true,
  browserContextId: 'C0',
};
const params: Readonly<Record<string, unknown>> = {
  'Target.targetInfoChanged': { targetInfo },
  'Target.targetCreated': { targetInfo: { ...targetInfo, targetId: 'T2' } },
  'Page.frameNavigated': { frame, type: 'Navigation' },
  'Page.navigatedWithinDocument': { frameId: 'T1', url: 'http://fake.example/y' },
  'Page.frameStartedNavigating': {
    frameId: 'T1',
    url: 'http://fake.example/z',
    loaderId: 'L2',
    navigationType: 'differentDocument',
  },
  'Page.lifecycleEvent': { frameId: 'T1', loaderId: 'L1', name: 'load', timestamp: 1 },
  'Page.javascriptDialogOpening': {
    url: 'http://fake.example/',
    frameId: 'T1',
    message: 'Well?',
    type: 'prompt',
    hasBrowserHandler: false,
    defaultPrompt: 'x',
  },
  'Page.javascriptDialogClosed': { result: true, userInput: '' },
  'Page.fileChooserOpened': { frameId: 'T1', mode: 'selectSingle', backendNodeId: 1 },
  'Page.downloadWillBegin': { guid: 'g-1', frameId: 'T1', url: 'http://fake.example/f', suggestedFilename: 'f' },
  'Page.downloadProgress': { guid: 'g-1', totalBytes: 1, receivedBytes: 1, state: 'completed' },
  'Network.requestWillBeSent': request,
  'Network.responseReceived': {
    requestId: '1.1',
    timestamp: 2,
    type: 'Document',
    response: {
      url: 'http://fake.example/x',
      status: 200,
      statusText: 'OK',
      headers: { a: 'b' },
      mimeType: 'text/html',
      encodedDataLength: 1,
    },
  },
  'Network.loadingFailed': { requestId: '1.1', timestamp: 3, errorText: 'net::ERR_FAILED' },
  'Runtime.consoleAPICalled': {
    type: 'log',
    args: [{ type: 'string', value: 'said' }],
    timestamp: 1_700_000_000_000,
    executionContextId: 1,
  },
  'Runtime.exceptionThrown': {
    timestamp: 1_700_000_000_000,
    exceptionDetails: { text: 'Uncaught', lineNumber: 1, columnNumber: 1 },
  },
  'Fetch.requestPaused': { requestId: 'interception-1.0', request: { url: 'http://fake.example/' }, frameId: 'T1' },
  'Fetch.authRequired': {
    requestId: 'interception-1.0',
    authChallenge: { source: 'Server', origin: 'http://fake.example', scheme: 'basic', realm: '' },
  },
  'Debugger.scriptParsed': { scriptId: '1', url: 'evaluate-AAAAAAAAAAAAAAAAAAAAAA' },
  'Debugger.paused': { callFrames: [{ location: { scriptId: '1', lineNumber: 0 } }], hitBreakpoints: ['1:0:0'] },
  'Tracing.bufferUsage': { percentFull: 0.5, eventCount: 1, value: 0.5 },
  'Tracing.tracingComplete': { dataLossOccurred: false, stream: '1' },
  'Input.dragIntercepted': { data: { items: [{ mimeType: 'text/plain', data: 'x' }], dragOperationsMask: 1 } },
  'Log.entryAdded': { entry: { source: 'network', level: 'error', text: 'said', timestamp: 1_700_000_000_000 } },
};

/** The events that a page of `plausible` may send, on each of its first sessions. */
export const SAID_EVENTS: readonly object[] = Object.entries(params).flatMap(([method, about]) =>
  ['S1', 'S2', 'S3', 'S4', 'S5'].map((sessionId) => ({
    method,
    params: about,
    ...(method.startsWith('Target') ? {} : { sessionId }),
  })),
);

/** The message with one field or item, or all of it, replaced. */
export function mutated(said: unknown, { path, value }: FieldMutation): unknown {
  const [at = 0, ...deeper] = path;
  if (typeof said !== 'object' || said === null) return value;
  const changed = (inside: unknown): unknown =>
    deeper.length === 0 ? value : mutated(inside, { nth: 0, path: deeper, value });
  if (Array.isArray(said))
    return said.length === 0 ? value : said.map((item, index) => (index === at % said.length ? changed(item) : item));
  const entries = Object.entries(said);
  const [name, inside] = entries[at % Math.max(1, entries.length)] ?? ['added', undefined];
  return { ...said, [name]: changed(inside) };
}

/** A Chrome as far as attaching asks, with these changes to its answers. */
export function startMutated(changes: readonly FieldMutation[]): Promise<HostileEndpoint> {
  let said = 0;
  const right = plausible();
  return startHostileEndpoint((method, about, tell) => {
    const nth = (said += 1);
    const wrong = changes.filter((change) => change.nth === nth);
    return wrong.reduce(
      (answer: unknown, change) => mutated(answer, change),
      right(method, about, (event, what, session) =>
        tell(
          event,
          wrong.reduce((sent: unknown, change) => mutated(sent, change), what),
          session,
        ),
      ),
    );
  });
}
