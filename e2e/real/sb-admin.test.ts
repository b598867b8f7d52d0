import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sharedTestServer, type TestServer } from '@/server/testing/server';
import { Journey } from './journey';
import { serveFiles, type RealSite } from './pages';

let server: TestServer;
let site: RealSite;

beforeAll(async () => {
  [server, site] = await Promise.all([sharedTestServer(), serveFiles('startbootstrap-sb-admin-2')]);
});

afterAll(async () => {
  await site.close();
  await server.close();
});

describe('SB Admin 2, a dashboard, as published', () => {
  it('[AC1] an agent narrows, sorts and turns over the table', async () => {
    const agent = await Journey.at(server, `${site.url}/tables.html`);
    await agent.shows('Showing 1 to 10 of 57 entries');
    await agent.on('select', ['combobox', /entries/], { values: ['25'] });
    await agent.shows('Showing 1 to 25 of 57 entries');
    await agent.on('click', ['link', 'Next']);
    await agent.shows('Showing 26 to 50 of 57 entries');
    await agent.on('type', ['searchbox', /Search/], { text: 'london' });
    await agent.shows('Showing 1 to 12 of 12 entries (filtered from 57 total entries)');
    await agent.on('click', ['columnheader', /^Age/]);
    const table = await agent.text();
    expect(table.indexOf('"21"')).toBeGreaterThan(0);
    expect(table.indexOf('"21"')).toBeLessThan(table.indexOf('"66"'));
  }, 60_000);

  it('[AC3] an agent uses the account menu, logs out by the dialog over the page and fills the form', async () => {
    const agent = await Journey.at(server, `${site.url}/index.html`);
    await agent.on('click', ['button', /Douglas McGee/]);
    await agent.on('click', ['link', /Logout/]);
    await agent.shows('Ready to Leave?');
    await agent.on('click', ['link', 'Logout', -1]);
    await agent.shows('Welcome Back!');
    await agent.on('click', ['link', /Create an Account/]);
    await agent.shows('Register Account');
    await agent.on('type', ['textbox', 'First Name'], { text: 'Lin' });
    await agent.on('type', ['textbox', 'Last Name'], { text: 'Yue' });
    await agent.on('type', ['textbox', 'Email Address'], { text: 'lin@example.org' });
    await agent.on('type', ['textbox', 'Password'], { text: 'correct horse' });
    expect(await agent.text()).toMatch(/Password".*\[value=masked\]/);
    // A password that was typed is masked in what scripts answer (SN6).
    expect(await agent.page("() => [...document.querySelectorAll('input')].map((field) => field.value)")).toEqual([
      'Lin',
      'Yue',
      'lin@example.org',
      '•••',
      '',
    ]);
  }, 60_000);
});
