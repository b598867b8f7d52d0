import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sharedTestServer, type TestServer } from '@/server/testing/server';
import { Journey } from './journey';
import { serveFiles, type RealSite } from './pages';

let server: TestServer;
let site: RealSite;

beforeAll(async () => {
  [server, site] = await Promise.all([sharedTestServer(), serveFiles('reveal.js')]);
});

afterAll(async () => {
  await site.close();
  await server.close();
});

describe('reveal.js, its own presentation, as published', () => {
  it('[AC4] an agent turns slides by button, key and link', async () => {
    const agent = await Journey.at(server, `${site.url}/demo.html`);
    await agent.on('click', ['button', 'next slide']);
    await agent.shows('PREVIEW OVERLAYS');
    await agent.act({ kind: 'press', keys: ['ArrowRight', 'ArrowRight'] });
    await agent.shows('VERTICAL SLIDES');
    await agent.act({ kind: 'press', keys: ['ArrowDown', 'ArrowDown'] });
    await agent.shows('BASEMENT LEVEL 2');
    await agent.on('click', ['link', 'Up arrow']);
    await agent.shows('HELLO THERE');
    expect(await agent.page('() => Reveal.getIndices().h')).toBe(2);
  }, 60_000);
});
