import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sharedTestServer, type TestServer } from '@/server/testing/server';
import { Journey } from './journey';
import { serveFiles, type RealSite } from './pages';

/** The API that the documentation page describes and calls. */
const DEFINITION = {
  openapi: '3.0.0',
  info: { title: 'Plants', version: '1.0.0' },
  paths: {
    '/plants/{name}': {
      put: {
        summary: 'Keep a plant',
        parameters: [
          { name: 'name', in: 'path', required: true, schema: { type: 'string' } },
          { name: 'light', in: 'query', schema: { type: 'string', enum: ['sun', 'shade'] } },
        ],
        requestBody: {
          content: { 'application/json': { schema: { type: 'object', properties: { pots: { type: 'integer' } } } } },
        },
        responses: { '200': { description: 'Kept' } },
      },
    },
  },
};

let server: TestServer;
let site: RealSite;
const kept: string[] = [];

function plants(request: IncomingMessage, response: ServerResponse): boolean {
  const url = request.url ?? '/';
  if (url === '/plants.json')
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(DEFINITION));
  else if (url.startsWith('/plants/')) keep(url, request, response);
  else return false;
  return true;
}

function keep(url: string, request: IncomingMessage, response: ServerResponse): void {
  let body = '';
  request.on('data', (part: Buffer) => {
    body += part.toString();
  });
  request.on('end', () => {
    kept.push(`${request.method} ${url} ${body.replaceAll(/\s/g, '')}`);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"answer":"watered"}');
  });
}

beforeAll(async () => {
  [server, site] = await Promise.all([sharedTestServer(), serveFiles('swagger-ui-dist', plants)]);
});

afterAll(async () => {
  await site.close();
  await server.close();
});

describe('Swagger UI, as published', () => {
  it('[AC1] an agent opens another API, fills a call and sends it once', async () => {
    const agent = await Journey.at(server, site.url);
    await agent.shows('Explore');
    await agent.on('type', ['textbox', ''], { text: `${site.url}/plants.json` });
    await agent.on('click', ['button', 'Explore']);
    await agent.shows('Keep a plant');
    await agent.on('click', ['button', /Keep a plant|put .*plants/i]);
    await agent.on('click', ['button', /Try it out/]);
    await agent.on('type', ['textbox', /name/], { text: 'fern & moss' });
    await agent.on('select', ['combobox', ''], { values: ['shade'] });
    await agent.on('type', ['textbox', '', -1], { text: '{"pots": 3}' });
    await agent.on('click', ['button', 'Execute']);
    await agent.shows('watered');
    expect(kept).toEqual(['PUT /plants/fern%20%26%20moss?light=shade {"pots":3}']);
  }, 60_000);
});
