import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sharedTestServer, type TestServer } from '@/server/testing/server';
import { Journey } from './journey';
import { serveFiles, type RealSite } from './pages';

let server: TestServer;
let site: RealSite;

beforeAll(async () => {
  [server, site] = await Promise.all([sharedTestServer(), serveFiles('ckeditor4')]);
});

afterAll(async () => {
  await site.close();
  await server.close();
});

const written = "() => CKEDITOR.instances.editor.getData().replaceAll(/\\s*\\n\\s*/g, '')";

describe('CKEditor 4, as published', () => {
  it('[AC4] an agent writes in the frame of the editor, makes words bold by the toolbar and adds a table by its dialog', async () => {
    const agent = await Journey.at(server, `${site.url}/samples/`);
    await agent.shows('Customize Your Editor');
    await agent.on('type', ['textbox', /^Editor/], { text: 'Water the fern 每周一次' });
    expect(await agent.page(written)).toBe('<h1>Water the fern 每周一次</h1>');
    await agent.on('press', ['textbox', /^Editor/], { key: 'Control+A' });
    await agent.on('click', ['button', /^Bold/]);
    expect(await agent.page(written)).toBe('<h1><strong>Water the fern 每周一次</strong></h1>');

    await agent.on('press', ['textbox', /^Editor/], { key: 'ArrowRight' });
    await agent.on('click', ['button', /^Table/]);
    await agent.on('type', ['textbox', /^Rows/], { text: '1' });
    await agent.on('type', ['textbox', /^Columns/], { text: '2' });
    await agent.on('click', ['button', 'OK']);
    expect(await agent.page(written)).toMatch(/<table.*><tbody>(<tr><td>.*<.td><td>.*<.td><.tr>){1}<.tbody>/);
  }, 60_000);
});
