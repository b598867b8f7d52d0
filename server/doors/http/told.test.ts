import { beforeEach, describe, expect, it } from 'vitest';
import type { Reply } from '@/lib/actions/reply';
import type { WebPage } from '@/server/testing/web';
import { useServerFixture } from '@/server/testing/server-fixture';

/** Events that leave no trace in the page, so the reply has to report them. */
const file: WebPage = (_, response) =>
  response.writeHead(200, { 'content-disposition': 'attachment; filename="report.txt"' }).end('the report');
const PAGES: Record<string, WebPage> = {
  '/': `<title>Form</title><form onsubmit="out.textContent += 'sent '; if (window.clears) this.reset(); return false"><input name="q" aria-label="Query" required><input type="email" aria-label="Mail">
    <button>Send</button><button formnovalidate>Draft</button></form><form novalidate onsubmit="out.textContent += 'loose '; return false"><input aria-label="Loose" required><button>Go</button></form>
    <textarea aria-label="Notes"></textarea><p id="out"></p>`,
  '/file': file,
  '/other': '<title>Other</title><h1>Other page</h1>',
  '/asks': '<script>alert("Welcome")</script><h1>Asked</h1>',
  '/members': (_, response) => response.writeHead(401, { 'www-authenticate': 'Basic realm="Members"' }).end(),
  '/broken': (_, response) => response.writeHead(500).end(),
};

const fixture = useServerFixture(PAGES);
let session: string;

beforeEach(async () => {
  session = await fixture.again();
});

const act = (action: object): Promise<Reply> => fixture.server.act(session, action);
const sent = async (): Promise<unknown> => (await act({ kind: 'evaluate', fn: 'out.textContent' })).value;
const NOT_SENT = [
  expect.stringMatching(/^The form was not sent: (\[e\d+\] )?textbox "Query" is not valid\. The browser says: ".+"$/),
];

describe('a form that the browser keeps back', () => {
  it.each([
    ['a click on its button', { kind: 'click', role: 'button', name: 'Send' }],
    ['Enter in a field', { kind: 'press', key: 'Enter', role: 'textbox', name: 'Mail' }],
    ['typing with Enter', { kind: 'type', role: 'textbox', name: 'Query', text: '', submit: true }],
    ['Enter on its button', { kind: 'press', key: 'Enter', role: 'button', name: 'Send' }],
  ])("[AC5] is reported, with the field and the browser's message: %s", async (_, action) => {
    expect(await act(action)).toMatchObject({ ok: true, warnings: NOT_SENT });
    expect(await sent()).toBe('');
  });

  it('[AC5] is reported for Enter in the focused field', async () => {
    await act({ kind: 'focus', role: 'textbox', name: 'Query' });

    expect(await act({ kind: 'press', key: 'Enter' })).toMatchObject({ ok: true, warnings: NOT_SENT });
  });

  it("[AC5] names the invalid field by its ref once a snapshot gave it one, with the browser's message", async () => {
    await fixture.server.snapshot(session);
    await act({ kind: 'type', role: 'textbox', name: 'Query', text: 'x' });
    const { warnings } = await act({ kind: 'type', role: 'textbox', name: 'Mail', text: 'nobody', submit: true });

    expect(warnings).toEqual([
      expect.stringMatching(
        /^The form was not sent: \[e\d+\] textbox "Mail" is not valid\. The browser says: ".*nobody.*"$/,
      ),
    ]);
  });

  it('[AC5] is not reported when the form was sent', async () => {
    await act({ kind: 'evaluate', fn: 'window.clears = true' });
    const replies = [
      await act({ kind: 'type', role: 'textbox', name: 'Query', text: 'x', submit: true }),
      await act({ kind: 'click', role: 'button', name: 'Draft' }),
      await act({ kind: 'click', role: 'button', name: 'Go' }),
      await act({ kind: 'press', key: 'Enter', role: 'textbox', name: 'Notes' }),
    ];

    expect(replies.map(({ ok, warnings }) => [ok, warnings])).toEqual(replies.map(() => [true, []]));
    expect(await sent()).toBe('sent sent loose ');
  });
});

describe('an address that is a download', () => {
  it('[AC5] is reported with its id, and the page stays', async () => {
    const reply = await act({ kind: 'navigate', url: `${fixture.site}/file` });
    const done = await act({ kind: 'download', do: 'wait' });

    expect(reply).toMatchObject({
      ok: true,
      value: { url: fixture.url, download: 'dl1' },
      downloads: [{ id: 'dl1', name: 'report.txt' }],
    });
    expect(reply.navigated).toBeUndefined();
    expect(reply.warnings).toEqual([
      'That address is a download, not a page: "report.txt" (dl1) has begun; the tab stays where it was. Wait for it with {"kind":"download","do":"wait"}.',
    ]);
    expect(done).toMatchObject({ ok: true, value: { name: 'report.txt', size: 10 } });
  });
});

describe('a new tab', () => {
  it.each([
    { kind: 'tab', do: 'open' },
    { kind: 'navigate', newTab: true },
  ])('[AC5] shows its page when it is reported: %j', async (action) => {
    const reply = await act({ ...action, url: `${fixture.site}/other` });

    expect(reply).toMatchObject({
      ok: true,
      newTabs: ['t2'],
      value: { tab: 't2', id: 't2', url: `${fixture.site}/other`, title: 'Other', active: true },
    });
    expect((await fixture.server.snapshot(session)).text).toContain('heading "Other page"');
  });

  it('[AC8] that cannot open its address says so, and names the tab that exists', async () => {
    expect((await act({ kind: 'tab', do: 'open', url: 'http://127.0.0.1:1/' })).error).toMatchObject({
      code: 'NAV_FAILED',
      details: { tab: 't2', url: 'http://127.0.0.1:1/' },
    });
  });

  it('[DI1] whose page opens a dialog at once is reported with the dialog', async () => {
    const reply = await act({ kind: 'tab', do: 'open', url: `${fixture.site}/asks` });

    expect(reply).toMatchObject({
      ok: true,
      newTabs: ['t2'],
      value: { tab: 't2' },
      warnings: ['A dialog (alert, d1) opened in t2; the page waits for its answer.'],
    });
    expect(await act({ kind: 'dialog', do: 'answer', accept: true })).toMatchObject({ ok: true, tab: 't2' });
  });
});

describe('a page that is not given out', () => {
  it('[AC8] because it needs a name and a password says so, and how to give them', async () => {
    const { error } = await act({ kind: 'navigate', url: `${fixture.site}/members` });

    expect(error).toMatchObject({
      code: 'NAV_FAILED',
      message: `${fixture.site}/members could not be opened: it asks for a name and a password.`,
      hint: expect.stringContaining('"set":{"credentials"'),
      details: { url: `${fixture.site}/members` },
    });
  });

  it('[AC8] because the server fails says so, and where the status is', async () => {
    const { error } = await act({ kind: 'navigate', url: `${fixture.site}/broken` });

    expect(error).toMatchObject({
      code: 'NAV_FAILED',
      message: `${fixture.site}/broken could not be opened: the server answered with an error and no page.`,
      hint: expect.stringContaining('GET …/tabs/:t/requests'),
    });
  });
});
