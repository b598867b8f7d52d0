import { createServer } from 'node:http';
import type { BenchFixture, OurTab } from './bench-fixture';
import { forMs } from './lib/wait';
import { must } from './measure';
import type { PlainTab } from './plain-script';

/** A page that has not answered for so long has begun to loop, milliseconds. */
const SILENT_MS = 60;
export const LOOP = 'while (true) {}';
const TEXT = 'x'.repeat(400);
const FILE = 'paper.txt';
const FIELDS = Array.from({ length: 100 }, (_, index) => `f${index}`);

const PAGE = `<!doctype html><meta charset="utf-8"><title>Take over</title><input id="field" aria-label="Field"><div id="from">From</div><div id="to" style="margin-top:200px">To</div>
<button id="more" onclick="field.value += 'x'">More</button><button id="nothing" onclick="field.value = 'xxx'">Opens no chooser</button><a id="file" href="/file" download onclick="field.value = 'xxx'">A file without an end</a>
<form>${FIELDS.map((id) => `<input id="${id}" aria-label="${id}">`).join('')}</form>`;

/** What the agent does when the lease is taken, and how the benchmark sees that it has begun. */
export interface Flight {
  readonly what: string;
  readonly action: object;
  readonly begun: (tab: OurTab) => boolean | Promise<boolean>;
  /** An action of the agent that was answered before. */
  readonly before?: object;
}

/** All activities of an agent on a page that answers. `url` is that of the site. */
export function flightsOn(url: string): readonly Flight[] {
  return [
    { what: 'types', action: { kind: 'type', selector: '#field', text: TEXT, slowly: true }, begun: hasThree('field') },
    {
      what: 'drags',
      action: { kind: 'drag', from: { selector: '#from' }, to: { selector: '#to' }, steps: 100 },
      begun: holds,
    },
    {
      what: 'fills a hundred fields',
      action: { kind: 'fill', fields: FIELDS.map((id) => ({ target: { selector: `#${id}` }, value: TEXT })) },
      begun: hasThree('f1'),
    },
    {
      what: 'runs a batch of clicks',
      action: { kind: 'batch', actions: FIELDS.map(() => ({ kind: 'click', selector: '#more' })) },
      begun: hasThree('field'),
    },
    {
      what: 'uploads by a button whose chooser does not come',
      action: { kind: 'upload', selector: '#nothing', paths: [FILE] },
      begun: hasThree('field'),
    },
    {
      what: 'downloads what has no end',
      action: { kind: 'download', do: 'click', selector: '#file', timeoutMs: 30_000 },
      begun: hasThree('field'),
    },
    {
      what: 'waits for what does not come',
      action: { kind: 'wait', fn: '() => { field.value = "xxx"; return false; }', timeoutMs: 30_000 },
      begun: hasThree('field'),
    },
    {
      what: 'waits for a promise of its script',
      action: {
        kind: 'evaluate',
        fn: '() => { field.value = "xxx"; return new Promise(() => undefined); }',
        timeoutMs: 30_000,
      },
      begun: hasThree('field'),
    },
    {
      what: 'waits for a page that does not answer',
      action: { kind: 'navigate', url: `${url}never`, timeoutMs: 30_000 },
      begun: isAwaiting,
    },
  ];
}

/** Activities in which Chrome itself has to be stopped. */
export const STUCK: readonly Flight[] = [
  {
    what: '’s script loops',
    action: { kind: 'evaluate', fn: `() => { ${LOOP} }`, timeoutMs: 30_000 },
    begun: ({ observer }) => isSilent(observer),
  },
  {
    what: '’s key waits behind a loop',
    before: { kind: 'evaluate', fn: `() => { setTimeout(() => { ${LOOP} }, 0); }` },
    action: { kind: 'press', key: 'x', timeoutMs: 30_000 },
    begun: holds,
  },
];

/** Serves the page, an address that is never answered, and a file that never ends; returns the page's address. */
export async function serveSite(fixture: BenchFixture): Promise<string> {
  const server = createServer((request, response) => {
    if (request.url === '/never') return;
    if (request.url === '/file') response.setHeader('content-type', 'application/octet-stream').write('one');
    else response.setHeader('content-type', 'text/html').end(PAGE);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  must(address !== null && typeof address === 'object', 'A TCP server has a port.');
  fixture.onSweep(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`;
}

/** The tab for the takeovers, with the file that they upload. */
export async function flightTab(fixture: BenchFixture, url: string): Promise<OurTab> {
  const tab = await fixture.tab(url);
  const { status } = await fixture.server.api('PUT', `/api/v1/sessions/${tab.session}/files/${FILE}`, 'paper', {
    'content-type': 'application/octet-stream',
  });
  must(status < 300, `The file was not taken: ${status}.`);
  return tab;
}

/** Whether a script of the page keeps it from answering. */
export function isSilent(tab: PlainTab): Promise<boolean> {
  return Promise.race([tab.value('0').then(() => false), forMs(SILENT_MS).then(() => true)]);
}

/** The field with this id holds at least three characters. */
function hasThree(id: string): Flight['begun'] {
  return async ({ observer }) => Number(await observer.value(`${id}.value.length`)) >= 3;
}

/** A key or a button is down. */
function holds({ tab }: OurTab): boolean {
  const { keys, buttons } = tab.input.held();
  return keys.length + buttons.length > 0;
}

function isAwaiting({ tab }: OurTab): boolean {
  return tab.page.awaited !== undefined;
}
