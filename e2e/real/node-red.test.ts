import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sharedTestServer, type TestServer } from '@/server/testing/server';
import { Journey } from './journey';
import { startNodeRed } from './node-red';
import type { RealSite } from './pages';

let server: TestServer;
let editor: RealSite;

beforeAll(async () => {
  [server, editor] = await Promise.all([sharedTestServer(), startNodeRed()]);
}, 60_000);

afterAll(async () => {
  await editor.close();
  await server.close();
});

describe('Node-RED, an editor on a live server, as published', () => {
  it('[AC4] an agent drags two nodes onto the drawing, wires them, deploys and sees the message', async () => {
    const agent = await Journey.at(server, editor.url);
    await agent.drag(['generic', 'inject'], { at: { x: 400, y: 200 } });
    await agent.drag(['generic', 'debug'], { at: { x: 700, y: 200 } });
    // The ports are drawn after the name of their node, the button before it.
    await agent.act({
      kind: 'drag',
      from: await agent.drawn('graphics-symbol', 'timestamp'),
      to: await agent.drawn('graphics-symbol', 'debug 1'),
    });
    await agent.on('click', ['link', 'Deploy']);
    await agent.shows('Successfully deployed');
    await agent.act({ kind: 'click', selector: '#red-ui-tab-debug-link-button' });
    await agent.shows('all nodes');
    await agent.act({ kind: 'click', ...(await agent.drawn('graphics-symbol', 'timestamp', -2)) });
    await agent.act({ kind: 'wait', selector: '.red-ui-debug-msg', state: 'visible', timeoutMs: 10_000 });
    expect(await agent.page("() => document.querySelectorAll('.red-ui-debug-msg').length")).toBe(1);
    expect(await (await fetch(`${editor.url}/flows`)).json()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ type: 'inject', wires: [[expect.any(String)]] }),
        expect.objectContaining({ type: 'debug' }),
      ]),
    );
  }, 90_000);
});
