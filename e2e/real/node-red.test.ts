import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '@/server/testing/server';
import { Journey } from './journey';
import { startNodeRed } from './node-red';
import type { RealSite } from './pages';

let server: TestServer;
let editor: RealSite;

beforeAll(async () => {
  [server, editor] = await Promise.all([startTestServer(), startNodeRed()]);
}, 60_000);

afterAll(async () => {
  await editor.close();
  await server.close();
});

const PORT = { out: '.red-ui-flow-port-output .red-ui-flow-port', in: '.red-ui-flow-port-input .red-ui-flow-port' } as const;

describe('Node-RED, an editor on a live server, as published', () => {
  it('[AC4] an agent drags two nodes onto the drawing, wires them, deploys and sees the message', async () => {
    const agent = await Journey.at(server, editor.url);
    await agent.drag(['generic', 'inject'], { at: { x: 400, y: 200 } });
    await agent.drag(['generic', 'debug'], { at: { x: 700, y: 200 } });
    // What is drawn has no roles and no names: its parts are found as a test of that page would.
    await agent.act({ kind: 'drag', from: { selector: PORT.out }, to: { selector: PORT.in } });
    await agent.on('click', ['link', 'Deploy']);
    await agent.shows('Successfully deployed');
    await agent.act({ kind: 'click', selector: '#red-ui-tab-debug-link-button' });
    await agent.shows('all nodes');
    await agent.act({ kind: 'click', selector: '.red-ui-flow-node-button-button', nth: 0 });
    await agent.act({ kind: 'wait', selector: '.red-ui-debug-msg', state: 'visible', timeoutMs: 10_000 });
    expect(await agent.page("() => document.querySelectorAll('.red-ui-debug-msg').length")).toBe(1);
    expect(await (await fetch(`${editor.url}/flows`)).json()).toEqual(expect.arrayContaining([expect.objectContaining({ type: 'inject', wires: [[expect.any(String)]] }), expect.objectContaining({ type: 'debug' })]));
  }, 90_000);
});
